import Lua
import StateStore

/// Where objects of Lua find the state of a declared feature, and how they change it.
enum DeclaredSource {
  /// The state that an action changes.
  case draft(DeclaredDraft)
  /// A state that doesn't change, as derived values read it.
  case fixed(Snapshot)
  /// The state in a store, as scripts see it: assigning sends an action.
  case store(Store, DeclaredFeature)

  /// A state that doesn't change.
  final class Snapshot {
    let state: DeclaredState

    init(_ state: DeclaredState) { self.state = state }
  }

  static func fixed(_ state: DeclaredState) -> Self { .fixed(Snapshot(state)) }

  var state: DeclaredState {
    get throws {
      switch self {
      case .draft(let draft): try draft.state
      case .fixed(let snapshot): snapshot.state
      case .store(let store, let feature): try store.state(of: feature)
      }
    }
  }

  func list(at place: Int) throws -> RecordList<DeclaredRecord> {
    switch self {
    case .draft(let draft): try draft.list(at: place)
    case .fixed(let snapshot): snapshot.state.lists[place]
    case .store(let store, let feature): try store.state(of: feature).lists[place]
    }
  }

  /// The draft, to change it.
  ///
  /// - Throws: ``DeclarationError`` where the state is only read.
  func draft(at path: String) throws -> DeclaredDraft {
    guard case .draft(let draft) = self else {
      throw DeclarationError("read_only", "\(path): a derived value only reads the state")
    }
    return draft
  }

  /// Checks that a field or a part of a record can be assigned.
  func checkAssignable(_ isEditable: Bool, at path: @autoclosure () -> String) throws {
    switch self {
    case .draft: break
    case .fixed: _ = try draft(at: path())
    case .store(_, let feature): if !isEditable { throw feature.readOnly(path()) }
    }
  }

  /// Assigns the value field at an index; the value is of its type.
  func set(_ new: StateValue, toField index: Int, at place: Int, path: String) throws {
    guard case .store(let store, let feature) = self else {
      return try draft(at: path).set(new, at: place)
    }
    try checkAssignable(feature.fields[index].isEditable, at: path)
    try store.assign(new, toField: index, of: feature)
  }

  /// Assigns a part of a record; the value is of its type.
  func set(
    _ new: StateValue, toPart part: Int, ofRecord id: Int, in list: DeclaredListClass
  ) throws {
    guard case .store(let store, let feature) = self else {
      guard try draft(at: list.path).set(new, at: part, ofRecord: id, in: list.list) else {
        throw notFound(id, in: list)
      }
      return
    }
    let record = try record(id, in: list)
    let part = (index: part, type: record.type.parts[part])
    try checkAssignable(part.type.isEditable, at: "\(list.recordName).\(part.type.name)")
    guard record.values[part.index] != new else { return }
    try store.assign(new, toPart: part.index, ofRecord: id, inField: list.field, of: feature)
  }

  /// The record with an id.
  ///
  /// - Throws: An error with the code `not_found`.
  func record(_ id: Int, in list: DeclaredListClass) throws -> DeclaredRecord {
    guard let record = try self.list(at: list.list.index)[id: id] else {
      throw notFound(id, in: list)
    }
    return record
  }

  func notFound(_ id: Int, in list: DeclaredListClass) -> any Error {
    if case .store = self { return RecordListError.notFound(id) }
    return DeclarationError("not_found", "\(list.path) has no record with the id \(id)")
  }
}

/// The place of a value in the state of a declared feature.
struct ValuePlace {
  private enum Root {
    /// The field at an index, whose value is at a place in the state, and its path.
    case field(Int, at: Int, path: String)
    case part(Int, ofRecord: Int, in: DeclaredListClass)
  }

  private let source: DeclaredSource
  private let root: Root
  /// The indexes of the parts that lead to the value.
  private var steps: [Int] = []
  /// The path of the value, for messages.
  let path: String

  /// The place of a field's value.
  init(ofField index: Int, at place: Int, in source: DeclaredSource, path: String) {
    (self.source, root, self.path) = (source, .field(index, at: place, path: path), path)
  }

  /// The place of a part of a list's record.
  init(
    ofPart part: Int, ofRecord id: Int, in list: DeclaredListClass, _ source: DeclaredSource,
    path: String
  ) {
    (self.source, root, self.path) = (source, .part(part, ofRecord: id, in: list), path)
  }

  /// The place of a part of the record at this place.
  func part(_ index: Int, named name: String) -> ValuePlace {
    var place = ValuePlace(source, root, path: "\(path).\(name)")
    place.steps = steps + [index]
    return place
  }

  private init(_ source: DeclaredSource, _ root: Root, path: String) {
    (self.source, self.root, self.path) = (source, root, path)
  }

  /// The value; nothing if a record on the way to it is gone.
  func get() throws -> StateValue {
    var value = try rootValue
    for step in steps {
      guard case .record(let members) = value, members.indices.contains(step) else { return .none }
      value = members[step].value
    }
    return value
  }

  /// Assigns the value; it is of the place's type.
  ///
  /// - Throws: Why it can't be assigned.
  func set(_ new: StateValue) throws {
    let value = try Self.value(rootValue, with: new, at: steps[...], path)
    switch root {
    case .field(let index, let place, let path):
      try source.set(value, toField: index, at: place, path: path)
    case .part(let part, let id, let list):
      try source.set(value, toPart: part, ofRecord: id, in: list)
    }
  }

  private var rootValue: StateValue {
    get throws {
      switch root {
      case .field(_, let place, _): try source.state.values[place]
      case .part(let part, let id, let list): try source.record(id, in: list).values[part]
      }
    }
  }

  private static func value(
    _ value: StateValue, with new: StateValue, at steps: ArraySlice<Int>, _ path: String
  ) throws -> StateValue {
    guard let step = steps.first else { return new }
    guard case .record(var members) = value, members.indices.contains(step) else {
      throw DeclarationError("not_found", "\(path) is nil now")
    }
    members[step] = StateValue.Member(
      name: members[step].name,
      value: try self.value(members[step].value, with: new, at: steps.dropFirst(), path))
    return .record(members)
  }
}

extension DeclaredFeature {
  /// The error for assigning a value that isn't editable, which names the actions that may change it.
  func readOnly(_ path: String) -> LuaError {
    let calls = calls.map { "\(name).\($0.name)" }
    let shown = calls.prefix(5).joined(separator: ", ") + (calls.count > 5 ? ", ..." : "")
    return LuaError(
      .readOnlyField,
      "\(path) can't be assigned" + (calls.isEmpty ? "" : "; \(name) is changed by \(shown)"))
  }
}
