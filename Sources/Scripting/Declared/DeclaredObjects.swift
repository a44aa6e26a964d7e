import Lua
import StateStore

/// The lists and sets of a declared feature as scripts hold them.
final class DeclaredObjects {
  let feature: DeclaredFeature
  let store: Store
  /// By the indexes of the feature's fields.
  private(set) var lists: [Int: LiveDeclaredList] = [:]
  private(set) var sets: [Int: LiveDeclaredSet] = [:]

  init(of feature: DeclaredFeature, in context: ScriptContext) {
    (self.feature, store) = (feature, context.store)
    for (index, field) in feature.fields.enumerated() {
      switch field.kind {
      case .value: break
      case .list:
        guard let list = DeclaredList(field) else { break }
        lists[index] = LiveDeclaredList(list, at: index, of: feature, in: context)
      case .set(let type, let place):
        sets[index] = LiveDeclaredSet(
          "\(feature.name).\(field.name)", of: type, at: place, of: feature, in: store)
      }
    }
  }

  /// The object of the field at an index, and its class; nil for a value.
  func object(at index: Int) -> (AnyPushable, LuaObjectClass)? {
    if let list = lists[index] { return (AnyPushable(list), list.luaClass) }
    return sets[index].map { (AnyPushable($0), $0.luaClass) }
  }

  /// The record of the list at a place in the state.
  func record(_ id: Int, ofListAt place: Int) -> LiveDeclaredRecord? {
    lists.values.first { $0.list.index == place }?.record(id)
  }
}

/// A list of a declared feature as scripts hold it; each access reads the current list.
final class LiveDeclaredList: LuaDynamicObject {
  let luaClass: LuaObjectClass
  let list: DeclaredList
  fileprivate let field: Int
  fileprivate let feature: DeclaredFeature
  fileprivate let store: Store
  fileprivate let runtime: ScriptRuntime
  private let recordClass: LuaObjectClass
  private var objects: [Int: WeakRecord] = [:]

  private struct WeakRecord {
    weak var record: LiveDeclaredRecord?
  }

  init(_ list: DeclaredList, at field: Int, of feature: DeclaredFeature, in context: ScriptContext)
  {
    (self.list, self.field, self.feature) = (list, field, feature)
    (store, runtime) = (context.store, context.runtime)
    let path = "\(feature.name).\(list.name)"
    let recordClass = LiveDeclaredRecord.makeClass(of: list, feature)
    self.recordClass = recordClass
    luaClass = LuaObjectClass(path, of: LiveDeclaredList.self) { members in
      members.sequence(
        of: { .object(recordClass) }, count: { try $0.records.count },
        element: { $0.record(try $0.records[$1].id) })
      members.method(
        LuaMember(
          function: "get", parameters: [LuaParameter(name: "id", type: "integer")],
          types: [recordClass.name], valueTypes: { [.object(recordClass)] }, help: "The record with an id.", example: "\(path):get(1)")
      ) { list, arguments in
        let id: Int = try arguments.read(1)
        guard try list.records.contains(id: id) else { throw RecordListError.notFound(id) }
        try list.record(id).push(to: arguments.stack)
        return 1
      }
    }
  }

  static var luaTypeName: String { "list" }

  fileprivate var records: RecordList<DeclaredRecord> {
    get throws { try store.state(of: feature).lists[list.index] }
  }

  /// The object of the record with an id: the same for as long as a script holds it.
  func record(_ id: Int) -> LiveDeclaredRecord {
    if let record = objects[id]?.record { return record }
    let record = LiveDeclaredRecord(id, of: self, recordClass)
    objects[id] = WeakRecord(record: record)
    return record
  }

  fileprivate func forget(_ id: Int) {
    // A new object may have taken its place already.
    if objects[id]?.record == nil { objects[id] = nil }
  }
}

/// A record of a declared feature as scripts hold it: bound to the record's id, whatever its position and contents.
final class LiveDeclaredRecord: LuaDynamicObject {
  let luaClass: LuaObjectClass
  let id: Int
  private let list: LiveDeclaredList

  fileprivate init(_ id: Int, of list: LiveDeclaredList, _ luaClass: LuaObjectClass) {
    (self.id, self.list, self.luaClass) = (id, list, luaClass)
  }

  deinit { list.forget(id) }

  static var luaTypeName: String { "record" }

  private func record() throws -> DeclaredRecord {
    guard let record = try list.records[id: id] else { throw RecordListError.notFound(id) }
    return record
  }

  fileprivate static func makeClass(
    of list: DeclaredList, _ feature: DeclaredFeature
  ) -> LuaObjectClass {
    let name = "\(feature.name).\(list.name.asSingular)"
    let example = list.name.asSingular
    return LuaObjectClass(name, of: LiveDeclaredRecord.self) { members in
      members.property(
        LuaMember(
          property: "id", type: "integer", valueType: { nil }, isWritable: false,
          help: "The id, which its list gave it.", example: "print(\(example).id)"),
        get: { $0.id })
      for (index, part) in list.type.record.parts.enumerated() {
        members.property(
          LuaMember(
            property: part.name, type: part.type.name,
            valueType: { part.type.valueType(at: "\(name).\(part.name)") },
            isWritable: part.isEditable, help: "The \(part.name.replacing("_", with: " ")).",
            example: part.isEditable
              ? "\(example).\(part.name) = \(part.type.example)" : "print(\(example).\(part.name))"),
          get: { try $0.record().values[index] },
          assign: { object, stack in
            guard part.isEditable else {
              throw LuaError(
                .readOnlyField,
                "\(name).\(part.name) can't be assigned" + feature.advice(onChanging: list.name))
            }
            try object.assign(stack, toPart: index, part.type, at: "\(name).\(part.name)")
          })
      }
      members.entries { object -> [(String, StateValue)] in
        guard case .record(let parts) = try object.record().stateValue else { return [] }
        return parts.map { ($0.name, $0.value) }
      }
      members.text { object in
        // Printing names the object, even if the record no longer exists to say more.
        guard let record = try? object.record() else { return "\(name) \(object.id) (removed)" }
        let title = record.stateValue.title.map { ": \($0)" } ?? ""
        return "\(name) \(object.id)\(title)"
      }
    }
  }

  private func assign(
    _ stack: LuaStack, toPart index: Int, _ type: DeclaredType, at path: String
  ) throws {
    let new = try type.checked(list.runtime.value(of: stack.value(at: 3)), at: path)
    guard try record().values[index] != new else { return }
    try list.store.assign(
      new, toPart: index, ofRecord: id, inField: list.field, of: list.feature)
  }
}

extension LiveDeclaredRecord: RecordObject {
  package var typeName: String { luaClass.name }

  package var recordID: Int? { id }

  package func recordContents() throws -> RecordContents {
    let record = try record()
    let id = RecordContents.Field(name: "id", value: .integer(id), isAssignable: false)
    let parts = zip(record.type.parts, record.values).map {
      RecordContents.Field(name: $0.name, value: $1, isAssignable: $0.isEditable)
    }
    return RecordContents(summary: record.stateValue.recordSummary, fields: [id] + parts)
  }
}

/// A set of a declared feature as scripts hold it; each access reads the current set.
final class LiveDeclaredSet: LuaDynamicObject {
  let luaClass: LuaObjectClass
  private let read: () throws -> DeclaredSet

  init(
    _ path: String, of type: DeclaredType, at place: Int, of feature: DeclaredFeature,
    in store: Store
  ) {
    read = { try store.state(of: feature).sets[place] }
    luaClass = LuaObjectClass(path, of: LiveDeclaredSet.self) { members in
      members.sequence(
        count: { try $0.read().count }, element: { try $0.read()[$1].stateValue })
      members.method(
        LuaMember(
          function: "contains", parameters: [LuaParameter(name: "element", type: type.name)],
          types: ["boolean"], help: "Whether it has an element.",
          example: "\(path):contains(\(type.example))")
      ) { set, arguments in
        let value = arguments.stack.value(at: arguments.index(of: 1))
        let element: DeclaredSet.Element? =
          switch value {
          case .integer(let integer): .integer(Int(integer))
          case .string(let bytes): bytes.text.map { .text($0) }
          default: nil
          }
        guard let element else { throw arguments.badArgument(1, expected: type.name) }
        arguments.stack.push(try set.read().contains(element))
        return 1
      }
    }
  }

  static var luaTypeName: String { "set" }
}

extension DeclaredFeature {
  /// The assignments that its actions stand for, by the names of the actions.
  var assignmentTexts: [String: AssignmentText] {
    var texts: [String: AssignmentText] = [:]
    for field in fields {
      let target = "\(name).\(field.name)"
      if field.isEditable {
        texts[Self.setter(of: field.name)] = AssignmentText(
          target: target, part: nil, value: field.name)
      }
      for part in DeclaredList(field)?.type.record.parts ?? [] where part.isEditable {
        texts[Self.setter(of: part.name, inRecordsOf: field.name)] = AssignmentText(
          target: target, part: part.name, value: part.name)
      }
    }
    return texts
  }

  /// What changes a value that can't be assigned, for the end of a message.
  func advice(onChanging part: String) -> String {
    let calls = (actions.map(\.name) + requests.map(\.call.name)).map { "\(name).\($0)" }
    guard !calls.isEmpty else { return "" }
    let shown = calls.prefix(5).joined(separator: ", ") + (calls.count > 5 ? ", ..." : "")
    return "; \(name) is changed by \(shown)"
  }
}

extension DeclaredType {
  /// A value, as Lua text.
  var example: String {
    switch self {
    case .any, .integer: "1"
    case .boolean: "true"
    case .number: "1.5"
    case .string, .secret: "\"text\""
    case .choice(let names): (names.first ?? "").luaLiteral
    case .optional(let wrapped): wrapped.example
    case .record: "{}"
    }
  }
}

extension String {
  /// The name of an element of a list of this name: "items" has an "item".
  var asSingular: String {
    if hasSuffix("ies"), count > 4 { return dropLast(3) + "y" }
    if hasSuffix("s"), !hasSuffix("ss"), count > 2 { return String(dropLast()) }
    return self + "_record"
  }
}
