/// A named part of an app's state that is shown and observed: a field of a feature, or one derived from several features.
public struct AnyField: Sendable {
  /// The field's path: names in snake case, separated by dots, such as `counter.count`.
  public private(set) var path: String

  /// The name without the feature's; empty for a field shown under the feature's own name.
  package let name: String

  package let help: String

  /// The Swift type of the field's values or, of a list, of its records; nil if it isn't known.
  package let swiftType: (any FieldValue.Type)?

  /// The type of the field's values.
  public let type: ValueType

  let content: Content

  /// The name of a list's view in SQL; nil for the feature's or field's name.
  var ownViewName: String?

  /// The member of a record that is shown in SQL; nil for the whole value.
  package internal(set) var viewMember: String?

  /// The index of the feature in whose state the field is.
  private(set) var index = 0

  /// The features on whose states the field depends.
  var sources: FeatureSet

  /// Whether the field says that a request is pending, or why the last one failed.
  package internal(set) var showsRequest = false

  /// Computes the summary of a derived value, or nil if that takes long; nil for a field that never does.
  var summarize: (@Sendable (States) -> DerivedSummary?)?

  /// The query of a feature of Swift types that the field is, if its result is records or groups.
  package internal(set) var query: StateQuery?

  /// Whether the field shows records of a list, or groups of them.
  ///
  /// Its differences follow from those of the list. So it is no part of snapshots, documents, differences and histories,
  /// which would have each record several times.
  package internal(set) var isListView = false

  /// Sends the action that assigns the field; nil if scripts can't assign it.
  @usableFromInline package internal(set) var assign: Assign?

  /// Whether scripts get a value that is a record as an object, by which they assign its parts.
  @usableFromInline package internal(set) var hasLiveParts = false

  /// The parts of a record of a Swift type, which are read and assigned without the whole record.
  @usableFromInline package internal(set) var parts: Parts?

  @usableFromInline package struct Parts: Sendable {
    package let read: @Sendable (AnyFeatureState, _ part: Int) -> StateValue
    package let assign: @Sendable (Store, _ part: Int, _ new: StateValue) throws -> Void

    @usableFromInline init(
      read: @escaping @Sendable (AnyFeatureState, Int) -> StateValue,
      assign: @escaping @Sendable (Store, Int, StateValue) throws -> Void
    ) {
      (self.read, self.assign) = (read, assign)
    }
  }

  /// Sends the action that gives a field a new value, which is of its type.
  @usableFromInline package typealias Assign = @Sendable (Store, _ new: StateValue) throws -> Void

  /// How the field is read from states, and from documents.
  @usableFromInline enum Content: Sendable {
    /// A value in the state of the feature, which is cheap to read and to compare. It is only written to documents if
    /// there is no `restore`.
    case value(Read, restore: Restore?)
    /// Whether a request is pending, which is always false in documents.
    case awaiting(Read)
    /// A list of records, or a set; states share the parts of it that they have in common.
    case list(StateList)
    /// A value that is computed from the states of several features, or a part of another field.
    case computed(@Sendable (States) -> StateValue)

    @usableFromInline typealias Read = @Sendable (AnyFeatureState) -> StateValue

    /// Reads the field from a document into a box with one owner.
    @usableFromInline typealias Restore = @Sendable (AnyFeatureState, any Decoder) throws -> Void
  }

  /// Makes a field of a feature, which its schema gives a place.
  @usableFromInline init(
    _ name: String, help: String = "", type: ValueType, swiftType: (any FieldValue.Type)? = nil,
    _ content: Content
  ) {
    (self.name, path, self.help, self.type) = (name, name, help, type)
    (self.swiftType, self.content, sources) = (swiftType, content, .none)
  }

  @usableFromInline init<Value: FieldValue>(
    _ name: String, help: String, of type: Value.Type, _ content: Content
  ) {
    self.init(name, help: help, type: Value.valueType, swiftType: type, content)
  }

  func placed(in feature: String, at index: Int, readingOthers: Bool = false) -> AnyField {
    var field = self
    field.path = name.isEmpty ? feature : "\(feature).\(name)"
    (field.index, field.sources) = (index, readingOthers ? .all : FeatureSet(index))
    return field
  }
}

extension AnyField {
  /// Whether the field is a whole list of records.
  public var isList: Bool { list != nil }

  package var list: StateList? { if case .list(let list) = content { list } else { nil } }

  /// Whether the field is computed from others, and so changes only when they do.
  package var isDerived: Bool {
    switch content {
    case .value(_, let restore): restore == nil
    case .computed: true
    case .awaiting, .list: false
    }
  }

  var isAwaiting: Bool {
    if case .awaiting = content { true } else { false }
  }

  /// Whether sessions keep the value: not one that follows from others.
  package var isSaved: Bool { restore != nil }

  /// Reads the field from a document; nil for a field that isn't read.
  var restore: Content.Restore? {
    switch content {
    case .value(_, let restore): restore
    case .list(let list): list.restore
    case .awaiting, .computed: nil
    }
  }

  /// Whether the field is a list whose elements are texts, such as a set of texts.
  package var hasTexts: Bool {
    switch type.element {
    case .string?, .oneOf?: isList
    default: false
    }
  }

  /// The names of the parts of a list's records; empty if a record is a single value.
  package var recordNames: [String] { isList ? type.element?.record?.memberNames ?? [] : [] }

  /// The name of a list's view in SQL, unless another has it.
  var viewName: String { ownViewName ?? path.replacing(".", with: "_") }

  /// The field's value in a state.
  ///
  /// - Complexity: O(1) for a value, O(records) for a list.
  public func value(in states: States) -> StateValue {
    if case .computed(let read) = content { read(states) } else { value(in: states.slots[index]) }
  }

  /// The summary that a line of changes compares; nil for a derived value that takes long to compute.
  func summary(in states: States) -> DerivedSummary? {
    if let summarize { return summarize(states) }
    guard let query else { return .value(value(in: states)) }
    do {
      return try DerivedSummary(of: query.result(states.slots[index]), query.kind)
    } catch {
      return .value(.none)
    }
  }

  /// Makes a test of whether the field, which isn't computed, has the same value in other states as in these.
  ///
  /// It keeps only the part of the states that the field shows.
  ///
  /// - Complexity: O(1), as that of the test, unless the values are long or differ.
  package func mark(in states: States) -> (States) -> Bool {
    let isSame = mark(in: states.slots[index])
    return { [index] in isSame($0.slots[index]) }
  }

  package func mark(in box: AnyFeatureState) -> (AnyFeatureState) -> Bool {
    if case .list(let list) = content { return list.mark(box) }
    let value = value(in: box)
    return { self.value(in: $0) == value }
  }

  /// None for a field that is computed from several states.
  package func value(in box: AnyFeatureState) -> StateValue {
    switch content {
    case .value(let read, _), .awaiting(let read): read(box)
    case .list(let list): .list(Array(list.elements(box)))
    case .computed: .none
    }
  }

  /// Makes a closure that reads the field's value in a store, in less time than from a copy of the states.
  ///
  /// The closure throws ``SchemaError`` if the store has another feature by now.
  package func reader(in store: Store, of place: FeaturePlace) -> () throws -> StateValue {
    switch content {
    case .value(let read, _), .awaiting(let read): { try read(store.box(at: place)) }
    case .list, .computed: { self.value(in: store.states) }
    }
  }

  /// The elements of a whole list of records, which are made when they are read; nil for another field.
  package func elements(in states: States) -> ListElements<StateValue>? {
    guard case .list(let list) = content else { return nil }
    return list.elements(states.slots[index])
  }

  /// Whether the field's value differs between two states; a record that was removed and restored is no difference.
  ///
  /// - Complexity: As `change`, plus O(records) for a list that was changed and is the same again.
  func differs(_ states: States, from earlier: States) -> Bool {
    guard change(from: earlier, to: states) != nil else { return false }
    return !isList || elements(in: earlier) != elements(in: states)
  }

  /// - Complexity: O(1) for a value; for a list O(records that differ · log records), as the states share the others.
  func change(from old: States, to new: States) -> FieldChange? {
    if case .list(let list) = content {
      return list.edits(old.slots[index], new.slots[index]).map {
        FieldChange(path: path, change: .list($0))
      }
    }
    let (old, new) = (value(in: old), value(in: new))
    return new == old ? nil : FieldChange(path: path, change: .value(new: new, old: old))
  }
}

extension AnyField {
  /// How the field's value differs from the one that it had in an earlier schema; nil if it doesn't.
  func replacement(
    of old: StoreSchema, in earlier: States, in states: States
  ) -> FieldChange? {
    let oldField: AnyField?
    do throws(StoreError) {
      oldField = try old.fields(at: path).first { $0.path == path }
    } catch {
      oldField = nil
    }
    if let elements = elements(in: states) {
      let old = oldField?.elements(in: earlier) ?? []
      guard old != elements else { return nil }
      return FieldChange(path: path, change: .list(.replaced(old: old, new: elements)))
    }
    let (old, new) = (oldField?.value(in: earlier) ?? .none, value(in: states))
    return new == old ? nil : FieldChange(path: path, change: .value(new: new, old: old))
  }
}

/// The part of a derived value that a line of changes compares.
package enum DerivedSummary: Sendable {
  /// The whole value; none for one whose code fails.
  case value(StateValue)
  /// A record whose members come and go.
  case members(StateValue)
  /// The number of elements, as comparing them would take long.
  case count(Int)

  /// The maximum number of groups of which a line of changes compares each.
  private static let comparedGroups = 100

  /// Throws if an aggregate of a group has no value.
  package init(of result: QueryResult, _ kind: QueryKind) throws {
    switch result {
    case .value(let value): self = .value(value)
    case .groups(let groups):
      let count = groups.keys.count
      self = count > Self.comparedGroups ? .count(count) : .members(try groups.stateValue)
    // The line has the changes of the list itself: another order of it is no news.
    case .records(let ids): self = kind == .order ? .value(.none) : .count(ids.count)
    }
  }
}

struct FeatureSet: Sendable {
  private var bits: UInt64

  static let none = FeatureSet(bits: 0)
  static let all = FeatureSet(bits: .max)

  private init(bits: UInt64) { self.bits = bits }

  /// Features with large indexes share a bit, which only costs some time.
  init(_ index: Int) { bits = 1 << UInt64(min(index, 63)) }

  func intersects(_ other: FeatureSet) -> Bool { bits & other.bits != 0 }

  mutating func formUnion(_ other: FeatureSet) { bits |= other.bits }
}
