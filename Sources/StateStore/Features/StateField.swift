/// A named piece of an app's state that can be observed: a field of one of its features, or what depends on several.
public struct StateField: Sendable {
  /// Where the field is, as names in snake case with dots between them, such as `counter.count`.
  public let path: String

  /// What there can be in the field.
  public let shape: StateShape

  /// The features on which it depends.
  let sources: FeatureSet

  let view: FieldView

  let content: Content

  enum Content: Sendable {
    /// A value that costs little to read and to compare.
    case value(StateAccess)
    /// A list, of which states share what they have in common.
    case list(StateList)
  }

  /// How a value is read: not generic, as each call of a generic closure takes some nanoseconds more.
  struct StateAccess: Sendable {
    let read: @Sendable (States) -> StateValue
    /// The value as documents have it.
    let write: @Sendable (States) -> StateValue
  }

  /// A list in a state.
  struct StateList: Sendable {
    let values: @Sendable (States) -> ListElements<StateValue>
    let edits: @Sendable (_ old: States, _ new: States) -> ListEdits<StateValue>?
    /// Has the list note its changes.
    let startLog: @Sendable (inout States, LogSession) -> Void
    /// What the list noted since.
    let endLog: @Sendable (inout States, LogSession) -> LoggedEdits<StateValue>
    let names: [String]

    /// The record at a position from 0, or nil where there is none.
    func value(in states: States, at position: Int) -> StateValue? {
      let values = values(states)
      return values.indices.contains(position) ? values[position] : nil
    }
  }

  init<F: Feature>(_ field: Field<F>, at index: Int) {
    path = field.name.isEmpty ? F.name : "\(F.name).\(field.name)"
    shape = field.shape
    sources = FeatureSet(index)
    view = field.view
    switch field.content {
    case .value(let access, _):
      content = .value(
        StateAccess(
          read: { access.read($0.slots[index]) }, write: { access.write($0.slots[index]) }))
    case .list(let list):
      content = .list(
        StateList(
          values: { list.values($0.slots[index]) },
          edits: { list.edits($0.slots[index], $1.slots[index]) },
          startLog: { states, session in
            states.makeUnique(index)
            list.startLog(states.slots[index], session)
          },
          endLog: { states, session in
            states.makeUnique(index)
            return list.endLog(states.slots[index], session)
          }, names: list.names))
    }
  }

  init(
    path: String, shape: StateShape, sources: FeatureSet, view: FieldView = FieldView(),
    _ content: Content
  ) {
    self.path = path
    self.shape = shape
    self.sources = sources
    self.view = view
    self.content = content
  }

  /// Whether it is a list as a whole.
  public var isList: Bool {
    if case .list = content { true } else { false }
  }

  /// The value of the field in a state.
  ///
  /// - Complexity: O(1) for a value, O(records) for a list.
  public func value(in states: States) -> StateValue {
    switch content {
    case .value(let access): access.read(states)
    case .list(let list): .list(Array(list.values(states)))
    }
  }

  /// Whether the field has another value in another state; a record that was removed and came back is no difference.
  ///
  /// - Complexity: As `change`, and O(records) for a list that was changed and is the same again.
  func differs(_ states: States, from earlier: States) -> Bool {
    guard change(from: earlier, to: states) != nil else { return false }
    guard case .list(let list) = content else { return true }
    return list.values(earlier) != list.values(states)
  }

  /// How the field differs between two states, or nil where it doesn't.
  ///
  /// - Complexity: O(1) for a value; for a list O(records that differ · log records), as the states share the others.
  func change(from old: States, to new: States) -> FieldChange? {
    switch content {
    case .value(let access):
      let (old, new) = (access.read(old), access.read(new))
      return new == old ? nil : FieldChange(path: path, change: .value(new: new, old: old))
    case .list(let list):
      return list.edits(old, new).map { FieldChange(path: path, change: .list($0)) }
    }
  }
}

/// Some of the features of a schema.
struct FeatureSet: Sendable {
  private var bits: UInt64

  static let none = FeatureSet(bits: 0)
  static let all = FeatureSet(bits: .max)

  private init(bits: UInt64) { self.bits = bits }

  /// One of them; those with great indexes are taken together, which only costs some time.
  init(_ index: Int) { bits = 1 << UInt64(min(index, 63)) }

  func intersects(_ other: FeatureSet) -> Bool { bits & other.bits != 0 }

  mutating func formUnion(_ other: FeatureSet) { bits |= other.bits }
}

/// A field that depends on several features, such as on one that opens a card and on another that has what the card shows.
public struct DerivedField: Sendable {
  let path: String
  private let shape: StateShape
  private var view = FieldView()
  private let makeField:
    @Sendable (FeatureLookup) throws(SchemaError) -> (FeatureSet, @Sendable (States) -> StateValue)
  /// Reads it from a document; nil where it isn't read.
  private(set) var restore: (@Sendable (FeatureLookup, inout States, any Decoder) throws -> Void)?

  /// Makes a field.
  ///
  /// - Parameters:
  ///   - path: Where the field is: the name of a feature, a dot, and its own.
  ///   - features: What it depends on.
  ///   - read: Gets its value from their states.
  public init<each F: Feature, Value: FieldValue>(
    _ path: String, of features: repeat (each F).Type,
    reading read: @escaping @Sendable (repeat (each F).State) -> Value
  ) {
    self.path = path
    shape = Value.shape
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
          // Each of them is there.
          read(
            repeat states.state(of: (each F).self, at: lookup.index(of: (each F).self) ?? 0)
          ).stateValue
        }
      )
    }
  }

  /// The same field, of which a view of the state file shows a member only.
  public func showing(_ member: String) -> Self {
    var field = self
    field.view.member = member
    return field
  }

  /// The same field, from whose value in a document a part of a feature's state follows.
  ///
  /// - Parameters:
  ///   - feature: The feature.
  ///   - restore: Changes its state. It isn't called where the document has nothing, or null.
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
      path: path, shape: shape, sources: sources, view: view,
      .value(.init(read: read, write: read)))
  }
}

/// How one field of the state changed.
///
/// An object, as it is handed from observer to observer.
public final class FieldChange: Sendable {
  /// What became of a field.
  public enum Change: Equatable, Sendable {
    /// The field has another value.
    case value(new: StateValue, old: StateValue)
    /// The field is a list, and this happened to it.
    case list(ListEdits<StateValue>)
  }

  /// The path of the field.
  public let path: String
  /// What became of it.
  public let change: Change

  init(path: String, change: Change) {
    self.path = path
    self.change = change
  }
}

extension FieldChange: Equatable {
  /// Whether the same became of the same field.
  public static func == (left: FieldChange, right: FieldChange) -> Bool {
    left === right || (left.path == right.path && left.change == right.change)
  }
}

/// What was changed at once, as far as an observer asked for it.
public struct StateChange: Equatable, Sendable {
  /// The number of the last action that was in effect then: a new one, or the one to which an undo, redo or jump went.
  public let position: Int

  private let changes: Changes

  /// Mostly one, for which no array is made: an action has many observers of one field each.
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

  /// The field that changed, where it is only one.
  public var onlyField: FieldChange? {
    switch changes {
    case .one(let field): field
    case .several(let fields): fields.count == 1 ? fields.first : nil
    }
  }

  /// The fields that changed, in the order they were first observed; there is at least one.
  public var fields: [FieldChange] {
    switch changes {
    case .one(let field): [field]
    case .several(let fields): fields
    }
  }
}
