/// A named part of an app's state that can be observed: a field of a feature, or one derived from several features.
public struct StateField: Sendable {
  /// The field's path: names in snake case, separated by dots, such as `counter.count`.
  public let path: String

  /// The shape of the field's values.
  public let shape: StateShape

  /// A description in one line; may be empty.
  package let help: String

  /// The type of the field's values or, of a list, of its records; nil for a part of a field.
  package let valueType: (any FieldValue.Type)?

  let sources: FeatureSet

  private let view: FieldView

  let content: Content

  /// Whether the field says that a request is pending, which is always false in documents.
  var isAwaiting = false

  /// Whether the field is computed from others, and so changes only when they do.
  package let isDerived: Bool

  /// Whether journals keep the field's value for people: not one that is computed by code of a declaration, which may
  /// take any time.
  package var isSaved = true

  enum Content: Sendable {
    /// A value that is cheap to read and to compare.
    case value(@Sendable (States) -> StateValue)
    /// A list of records in the state of the feature with an index; the states share the parts of it that they have in
    /// common.
    case list(StateList, at: Int)
  }

  /// Nil for a hidden field; a request's fields are its parts.
  init?<F: Feature>(_ field: Field<F>, at index: Int) {
    var isDerived = false
    switch field.content {
    case .value(let read, let restore):
      content = .value { read($0.slots[index]) }
      isDerived = restore == nil
    case .awaiting(let read):
      content = .value { read($0.slots[index]) }
      isAwaiting = true
    case .list(let list): content = .list(list, at: index)
    case .hidden, .request: return nil
    }
    self.isDerived = isDerived
    path = field.name.isEmpty ? F.name : "\(F.name).\(field.name)"
    (shape, help, valueType) = (field.shape, field.help, field.valueType)
    sources = FeatureSet(index)
    view = field.view
  }

  init(
    path: String, help: String = "", shape: StateShape, type: (any FieldValue.Type)? = nil,
    sources: FeatureSet, isDerived: Bool = false, view: FieldView = FieldView(), _ content: Content
  ) {
    (self.path, self.help, self.shape, valueType) = (path, help, shape, type)
    (self.sources, self.isDerived) = (sources, isDerived)
    self.view = view
    self.content = content
  }

  /// Whether the field is a whole list of records.
  public var isList: Bool {
    if case .list = content { true } else { false }
  }

  /// Whether the field is a list whose elements are texts, such as a set of texts.
  package var hasTexts: Bool {
    isList && (valueType is String.Type || valueType is any RawRepresentable<String>.Type)
  }

  /// The names of the parts of a list's records; empty if a record is a single value.
  package var recordNames: [String] {
    if case .list(of: .record(let members)) = shape, isList { members.map(\.name) } else { [] }
  }

  /// The name of a list's view in SQL, unless another has it.
  package var viewName: String { view.name ?? path.replacing(".", with: "_") }

  /// The only member of the value that the state file's views show; nil for the whole value.
  package var viewMember: String? { view.member }

  /// Whether the field can differ between states of which some features differ.
  func depends(on features: FeatureSet) -> Bool { sources.intersects(features) }

  /// The field's value in a state.
  ///
  /// - Complexity: O(1) for a value, O(records) for a list.
  public func value(in states: States) -> StateValue {
    switch content {
    case .value(let read): read(states)
    case .list(let list, let index): .list(Array(list.elements(states.slots[index])))
    }
  }

  /// The elements of a whole list of records, which are made when they are read; nil for another field.
  package func elements(in states: States) -> ListElements<StateValue>? {
    guard case .list(let list, let index) = content else { return nil }
    return list.elements(states.slots[index])
  }

  /// Whether the field's value differs between two states; a record that was removed and restored is no difference.
  ///
  /// - Complexity: As `change`, plus O(records) for a list that was changed and is the same again.
  func differs(_ states: States, from earlier: States) -> Bool {
    guard change(from: earlier, to: states) != nil else { return false }
    return !isList || elements(in: earlier) != elements(in: states)
  }

  /// How the field differs between two states; nil if it doesn't.
  ///
  /// - Complexity: O(1) for a value; for a list O(records that differ · log records), as the states share the others.
  func change(from old: States, to new: States) -> FieldChange? {
    switch content {
    case .value(let read):
      let (old, new) = (read(old), read(new))
      return new == old ? nil : FieldChange(path: path, change: .value(new: new, old: old))
    case .list(let list, let index):
      return list.edits(old.slots[index], new.slots[index]).map {
        FieldChange(path: path, change: .list($0))
      }
    }
  }
}

extension StateField {
  /// How the field's value differs from the one that it had in an earlier schema; nil if it doesn't.
  func replacement(
    of old: StoreSchema, in earlier: States, in states: States
  ) -> FieldChange? {
    let oldField: StateField?
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

/// A set of features.
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

/// A field that depends on several features: for example, one that opens a card, and one with its contents.
public struct DerivedField: Sendable {
  let path: String
  private let help: String
  private let valueType: any FieldValue.Type
  private var view = FieldView()
  private let makeField:
    @Sendable (FeatureLookup) throws(SchemaError) -> (FeatureSet, @Sendable (States) -> StateValue)
  /// Reads it from a document; nil for a field that isn't read.
  private(set) var restore: (@Sendable (FeatureLookup, inout States, any Decoder) throws -> Void)?

  /// Makes a field.
  ///
  /// - Parameters:
  ///   - path: The field's path: the name of a feature, a dot, and the field's name.
  ///   - features: The features on which it depends.
  ///   - help: A description in one line.
  ///   - read: Computes its value from their states.
  public init<each F: Feature, Value: FieldValue>(
    _ path: String, of features: repeat (each F).Type, help: String = "",
    reading read: @escaping @Sendable (repeat (each F).State) -> Value
  ) {
    (self.path, self.help, valueType) = (path, help, Value.self)
    makeField = { lookup throws(SchemaError) in
      var sources = FeatureSet.none
      for feature in repeat (each F).self {
        guard let index = lookup.index(of: feature) else {
          throw SchemaError.unknownFeature(feature.name)
        }
        sources.formUnion(FeatureSet(index))
      }
      return (
        sources,
        { states in
          // The loop above has found every feature.
          read(
            repeat states.state(of: (each F).self, at: lookup.index(of: (each F).self) ?? 0)
          ).stateValue
        }
      )
    }
  }

  /// The same field, of which the state file's view shows only one member.
  public func showing(_ member: String) -> Self {
    var field = self
    field.view.member = member
    return field
  }

  /// The same field, from whose value in a document a part of a feature's state is restored.
  ///
  /// - Parameters:
  ///   - feature: The feature.
  ///   - restore: Changes the feature's state. It isn't called if the document's value is missing or null.
  /// - Returns: The field.
  public func restoring<F: Feature>(
    _ feature: F.Type, _ restore: @escaping @Sendable (inout F.State, any Decoder) throws -> Void
  ) -> Self {
    var field = self
    field.restore = { lookup, states, decoder in
      guard let index = lookup.index(of: feature) else {
        throw SchemaError.unknownFeature(F.name)
      }
      try states.update(feature, at: index) { try restore(&$0, decoder) }
    }
    return field
  }

  func field(in lookup: FeatureLookup) throws(SchemaError) -> StateField {
    let (sources, read) = try makeField(lookup)
    return StateField(
      path: path, help: help, shape: valueType.shape, type: valueType, sources: sources,
      isDerived: true, view: view, .value(read))
  }
}

/// How one field of the state changed.
///
/// It is a class, as it is passed from observer to observer.
public final class FieldChange: Sendable {
  /// The kinds of change.
  public enum Change: Equatable, Sendable {
    /// The field has a new value.
    case value(new: StateValue, old: StateValue)
    /// The field is a list that was edited.
    case list(ListEdits<StateValue>)
  }

  /// The path of the field.
  public let path: String
  /// The change.
  public let change: Change

  init(path: String, change: Change) {
    self.path = path
    self.change = change
  }
}

extension FieldChange: Equatable {
  /// Whether both are the same change of the same field.
  public static func == (left: FieldChange, right: FieldChange) -> Bool {
    left === right || (left.path == right.path && left.change == right.change)
  }
}

/// The fields that changed at once, limited to those that an observer observes.
public struct StateChange: Equatable, Sendable {
  /// The number of the last action in effect after the change: a new one, or the target of an undo, redo or jump.
  public let position: Int

  private let changes: Changes

  /// Mostly one change, which needs no array: an action has many observers of one field each.
  private enum Changes: Equatable, Sendable {
    case one(FieldChange)
    case several([FieldChange])
  }

  init(position: Int, field: FieldChange) {
    self.position = position
    changes = .one(field)
  }

  init(position: Int, fields: [FieldChange]) {
    self.position = position
    changes = .several(fields)
  }

  /// The field that changed, if there is only one.
  public var onlyField: FieldChange? {
    switch changes {
    case .one(let field): field
    case .several(let fields): fields.count == 1 ? fields.first : nil
    }
  }

  /// The fields that changed, in the order in which they were first observed; at least one.
  public var fields: [FieldChange] {
    switch changes {
    case .one(let field): [field]
    case .several(let fields): fields
    }
  }
}
