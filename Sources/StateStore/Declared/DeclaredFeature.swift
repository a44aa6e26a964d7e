import PrimereplFoundation

/// A feature that is declared at run time, by a file of Lua, with everything that a ``Feature`` has.
package final class DeclaredFeature: Sendable {
  package struct Field: Sendable {
    /// The kinds of field, each with its place in the arrays of a ``DeclaredState``.
    package enum Kind: Sendable {
      case value(ValueType, at: Int)
      case list(DeclaredList)
      case set(of: ValueType, at: Int)
    }

    package let name: String
    package let help: String
    package let kind: Kind
    /// Whether scripts can assign it.
    package let isEditable: Bool
    /// The initial value; none for a list or set, which is empty.
    package let initial: StateValue

    /// The list that the field is; nil for another field.
    package var list: DeclaredList? { if case .list(let list) = kind { list } else { nil } }
  }

  /// A value that is computed from the state.
  package struct DerivedField: Sendable {
    package let name: String
    package let help: String
    /// Whether it depends on other features.
    package let readsApp: Bool
    /// Whether it shows records of a list, or groups of them.
    let isListView: Bool

    package init(_ name: String, help: String, readsApp: Bool, isListView: Bool = false) {
      (self.name, self.help, self.readsApp, self.isListView) = (name, help, readsApp, isListView)
    }
  }

  /// An action, or the question of a request.
  package struct Call: Sendable {
    package let name: String
    package let parameters: RecordType
    /// The help line and the example of the declaration; empty without one.
    package let help: String
    package let example: String

    package init(
      _ name: String, parameters: [RecordType.Part], help: String = "", example: String = ""
    ) {
      (self.name, self.parameters) = (name, RecordType(parameters))
      (self.help, self.example) = (help, example)
    }
  }

  package struct RequestType: Sendable {
    package let call: Call
    package let policy: RequestPolicy

    package init(_ call: Call, _ policy: RequestPolicy) {
      (self.call, self.policy) = (call, policy)
    }
  }

  package let name: String
  /// The version of the declaration, from 1.
  package let version: Int
  package let fields: [Field]
  package let derived: [DerivedField]
  package let actions: [Call]
  package let requestTypes: [RequestType]
  /// The code of the declaration.
  let rules: any DeclaredRules

  let initialState: DeclaredState
  let references: DeclaredReferences
  let lists: [StateRecords]
  /// The actions by which scripts assign editable fields and parts, by their names; those of parts with 0 as the record's id.
  let setters: [String: DeclaredAction.Kind]

  package init(
    _ name: String, version: Int, fields: DeclaredFields, derived: [DerivedField],
    actions: [Call], requests: [RequestType], rules: any DeclaredRules
  ) {
    (self.name, self.version, self.fields) = (name, version, fields.fields)
    (self.derived, self.actions, requestTypes) = (derived, actions, requests)
    self.rules = rules
    initialState = DeclaredState(fields.fields)
    references = DeclaredReferences(in: fields.fields)
    setters = Dictionary(fields.setters.map { ($0.name, $0.kind) }) { first, _ in first }
    lists = fields.fields.compactMap(\.list).map { StateRecords(at: $0, assignments: []) }
  }

  /// The functions by which scripts send actions and ask questions.
  package var calls: [Call] { actions + requestTypes.map(\.call) }

  /// The name of the action by which scripts assign a field, of the state or of a list's records.
  package static func setter(of part: String, inRecordsOf list: String? = nil) -> String {
    list.map { "set_\($0)_\(part)" } ?? "set_\(part)"
  }
}

/// A list of a declared state.
package struct DeclaredList: Sendable {
  package let name: String
  /// The index among the lists of the state.
  package fileprivate(set) var index = 0
  package let record: RecordType
  let order: RecordList<DeclaredRecord>.Order
  /// The index of the part by which the records are sorted; nil for the order in which they are added.
  package let sortingPart: Int?
  /// Whether it is a map: each record is a key with its value, and all have different keys.
  package let isMap: Bool

  package init(
    _ name: String, of record: RecordType, isNewestFirst: Bool = false, sortingPart: Int? = nil
  ) {
    (self.name, self.record, self.sortingPart, isMap) = (name, record, sortingPart, false)
    order = isNewestFirst ? .newestFirst : .oldestFirst
  }

  /// Makes a map: a list that is sorted by the keys.
  package init(_ name: String, mapFrom key: ValueType, to value: RecordType.Part) {
    self.name = name
    record = RecordType([.init(Self.keyName, key), value], hasID: true, label: Self.keyName)
    (sortingPart, isMap, order) = (0, true, .oldestFirst)
  }

  /// The names of the parts of a map's records.
  package static let (keyName, valueName) = ("key", "value")
}

/// The fields of a state while they are declared.
package struct DeclaredFields {
  package private(set) var fields: [DeclaredFeature.Field] = []
  private var counts = (values: 0, lists: 0, sets: 0)

  package init() {}

  package mutating func addValue(
    _ name: String, _ type: ValueType, help: String, initial: StateValue, isEditable: Bool
  ) {
    add(name, .value(type, at: counts.values), help, initial, isEditable)
    counts.values += 1
  }

  package mutating func addList(_ list: DeclaredList, help: String) {
    var list = list
    list.index = counts.lists
    add(list.name, .list(list), help)
    counts.lists += 1
  }

  /// Adds a set of integers or texts.
  package mutating func addSet(_ name: String, of type: ValueType, help: String) {
    add(name, .set(of: type, at: counts.sets), help)
    counts.sets += 1
  }

  /// The names of the actions by which scripts assign editable fields and parts, each with the path of what it assigns.
  package var setterNames: [(name: String, field: String)] {
    setters.map { ($0.name, $0.path) }
  }

  fileprivate var setters: [(name: String, path: String, kind: DeclaredAction.Kind)] {
    var setters: [(name: String, path: String, kind: DeclaredAction.Kind)] = []
    for (index, field) in fields.enumerated() {
      if field.isEditable {
        setters.append((DeclaredFeature.setter(of: field.name), field.name, .setField(index)))
      }
      let parts = field.list?.record.parts ?? []
      for (place, part) in parts.enumerated() where part.isEditable {
        let name = DeclaredFeature.setter(of: part.name, inRecordsOf: field.name)
        let kind = DeclaredAction.Kind.setPart(field: index, part: place, id: 0)
        setters.append((name, "\(field.name).\(part.name)", kind))
      }
    }
    return setters
  }

  private mutating func add(
    _ name: String, _ kind: DeclaredFeature.Field.Kind, _ help: String,
    _ initial: StateValue = .none, _ isEditable: Bool = false
  ) {
    fields.append(
      DeclaredFeature.Field(
        name: name, help: help, kind: kind, isEditable: isEditable, initial: initial))
  }
}

/// The code of a declared feature.
///
/// All functions are called on the actor of the store.
package protocol DeclaredRules: AnyObject, Sendable {
  /// Changes the state as an action declares.
  ///
  /// - Throws: Why the action is refused; the caller then restores the state.
  func change(
    _ draft: DeclaredDraft, by code: DeclaredCode, _ arguments: [StateValue]
  ) throws -> DeclaredResult

  /// Computes a derived value, unless it is known; none if its code fails.
  func value(ofDerived index: Int, in states: States) -> StateValue

  /// Summarizes a derived value for a line of changes; nil for one that isn't known, and takes long.
  func summary(ofDerived index: Int, in states: States) -> DerivedSummary?

  /// Converts a stored state of an earlier version; nil if the declaration says nothing of earlier versions.
  func migrated(_ state: JSONValue, from version: Int) throws -> JSONValue?
}

/// The functions of a declaration that change a state, by the indexes of its actions or requests.
package enum DeclaredCode: Sendable {
  case action(Int)
  /// The change by asking a request's question.
  case asked(Int)
  /// The change by a request's answer.
  case done(Int)
}

/// The result of an action, for the script that sent it.
package enum DeclaredResult: Sendable {
  case value(StateValue)
  /// The record with an id, of the list that the field at an index is.
  case record(field: Int, id: Int)
}
