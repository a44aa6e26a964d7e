import Lua
import StateStore

/// The classes of the objects of a declared feature, which all apps of a state share.
final class DeclaredClasses {
  /// By the indexes of the feature's fields.
  fileprivate private(set) var lists: [Int: LuaObjectClass] = [:]
  fileprivate private(set) var records: [Int: LuaObjectClass] = [:]
  fileprivate private(set) var sets: [Int: LuaObjectClass] = [:]
  /// Those of fields that are records.
  private(set) var values: [Int: LuaObjectClass] = [:]
  /// Kept, because the classes are found by its identity.
  private let feature: DeclaredFeature

  init(of feature: DeclaredFeature) {
    self.feature = feature
    for (index, field) in feature.fields.enumerated() {
      let path = "\(feature.name).\(field.name)"
      switch field.kind {
      case .value(let type, _): values[index] = LiveDeclaredPart.makeClass(of: type, at: path)
      case .list:
        guard let list = DeclaredList(field) else { break }
        let recordClass = LiveDeclaredRecord.makeClass(of: list, feature)
        records[index] = recordClass
        lists[index] = LiveDeclaredList.makeClass(of: recordClass, at: path)
      case .set(let type, _): sets[index] = LiveDeclaredSet.makeClass(of: type, at: path)
      }
    }
  }
}

/// The lists and sets of a declared feature as scripts hold them.
final class DeclaredObjects {
  let feature: DeclaredFeature
  let classes: DeclaredClasses
  private let store: Store
  /// By the indexes of the feature's fields.
  private var lists: [Int: LiveDeclaredList] = [:]
  private var sets: [Int: LiveDeclaredSet] = [:]

  init(of feature: DeclaredFeature, in context: ScriptContext) {
    (self.feature, store) = (feature, context.store)
    classes = context.runtime.classes(of: feature)
    for (index, field) in feature.fields.enumerated() {
      switch field.kind {
      case .value: break
      case .list:
        guard let list = DeclaredList(field), let type = classes.lists[index],
          let recordType = classes.records[index]
        else { break }
        lists[index] = LiveDeclaredList(
          list, at: index, of: feature, in: context, type, recordType)
      case .set(_, let place):
        guard let type = classes.sets[index] else { break }
        let store = store
        sets[index] = LiveDeclaredSet(type) { try store.state(of: feature).sets[place] }
      }
    }
  }

  /// The object of the field at an index, and its class; nil for a value.
  func object(at index: Int) -> (AnyPushable, LuaObjectClass)? {
    if let list = lists[index] { return (AnyPushable(list), list.luaClass) }
    return sets[index].map { (AnyPushable($0), $0.luaClass) }
  }

  /// The class of the records of a list by its name; nil if there is no such list.
  func recordClass(ofList name: String) -> LuaObjectClass? {
    lists.values.first { $0.list.name == name }?.recordClass
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
  fileprivate let recordClass: LuaObjectClass
  private var objects: [Int: WeakRecord] = [:]

  private struct WeakRecord {
    weak var record: LiveDeclaredRecord?
  }

  fileprivate init(
    _ list: DeclaredList, at field: Int, of feature: DeclaredFeature, in context: ScriptContext,
    _ luaClass: LuaObjectClass, _ recordClass: LuaObjectClass
  ) {
    (self.list, self.field, self.feature) = (list, field, feature)
    (store, runtime) = (context.store, context.runtime)
    (self.luaClass, self.recordClass) = (luaClass, recordClass)
  }

  fileprivate static func makeClass(
    of recordClass: LuaObjectClass, at path: String
  ) -> LuaObjectClass {
    LuaObjectClass(path, of: LiveDeclaredList.self) { members in
      members.sequence(
        of: { .object(recordClass) }, count: { try $0.records.count },
        element: { $0.record(try $0.records[$1].id) })
      members.method(
        LuaMember(
          function: "get", parameters: [LuaParameter(name: "id", type: "integer")],
          types: [recordClass.name], valueTypes: { [.object(recordClass)] },
          help: "The record with an id.", example: "\(path):get(1)")
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
    let partClasses = list.type.record.parts.map {
      LiveDeclaredPart.makeClass(of: $0.type, at: "\(name).\($0.name)")
    }
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
            valueType: { part.type.luaType(at: "\(name).\(part.name)") },
            isWritable: part.isEditable, help: part.name.asHelp,
            example: part.isEditable
              ? "\(example).\(part.name) = \(part.type.example)" : "print(\(example).\(part.name))"),
          get: { object in
            try ValuePlace {
              try object.record().values[index]
            } set: {
              try object.assign($0, toPart: index)
            }.pushable(partClasses[index], object.list.runtime)
          },
          assign: { object, stack in
            try object.checkAssignable(part)
            let new = try object.list.runtime.value(of: stack.value(at: 3))
            try object.assign(
              part.type.checked(new, at: object.place(of: part)), toPart: index)
          })
      }
      members.entries { object -> [(String, StateValue)] in
        guard case .record(let parts) = try object.record().stateValue else { return [] }
        return parts.entries
      }
      members.text { object in
        // Printing names the object, even if the record no longer exists to say more.
        guard let record = try? object.record() else { return "\(name) \(object.id) (removed)" }
        let title = record.stateValue.title.map { ": \($0)" } ?? ""
        return "\(name) \(object.id)\(title)"
      }
    }
  }

  /// The path of a part by the record's position.
  private func place(of part: RecordType.Part) -> String {
    let position = try? list.records.position(ofID: id)
    return "\(list.luaClass.name)[\(position.map { "\($0 + 1)" } ?? "?")].\(part.name)"
  }

  private func checkAssignable(_ part: RecordType.Part) throws {
    if !part.isEditable { throw list.feature.readOnly("\(luaClass.name).\(part.name)") }
  }

  private func assign(_ new: StateValue, toPart index: Int) throws {
    let record = try record()
    try checkAssignable(record.type.parts[index])
    guard record.values[index] != new else { return }
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

extension ValuePlace {
  /// The value for scripts: a record as an object of a class.
  func pushable(_ partClass: LuaObjectClass?, _ runtime: ScriptRuntime) throws -> AnyPushable {
    let value = try get()
    guard case .record = value, let partClass else { return AnyPushable(value) }
    return AnyPushable(LiveDeclaredPart(self, runtime, partClass))
  }
}

/// A record within a value of a declared feature as scripts hold it; assigning a part assigns the whole value.
final class LiveDeclaredPart: LuaDynamicObject {
  let luaClass: LuaObjectClass
  private let place: ValuePlace
  private let runtime: ScriptRuntime

  fileprivate init(_ place: ValuePlace, _ runtime: ScriptRuntime, _ luaClass: LuaObjectClass) {
    (self.place, self.runtime, self.luaClass) = (place, runtime, luaClass)
  }

  static var luaTypeName: String { "record" }

  private var members: [StateValue.Member] {
    get throws {
      guard case .record(let members) = try place.get() else {
        throw LuaError("not_found", "\(luaClass.name) is nil now")
      }
      return members
    }
  }

  private func place(ofPart index: Int) -> ValuePlace {
    ValuePlace { [self] in
      try members[index].value
    } set: { [self] new in
      var parts = try members
      parts[index] = StateValue.Member(name: parts[index].name, value: new)
      try place.set(.record(parts))
    }
  }

  /// Makes the class of the records of a type; nil for a type of other values.
  fileprivate static func makeClass(
    of type: ValueType, at path: String
  ) -> LuaObjectClass? {
    guard let type = type.record else { return nil }
    let partClasses = type.parts.map { makeClass(of: $0.type, at: "\(path).\($0.name)") }
    return LuaObjectClass(path, of: LiveDeclaredPart.self) { members in
      for (index, part) in type.parts.enumerated() {
        let path = "\(path).\(part.name)"
        members.property(
          LuaMember(
            property: part.name, type: part.type.name, valueType: { part.type.luaType(at: path) },
            isWritable: true, help: part.name.asHelp,
            example: "print(\(path))"),
          get: { try $0.place(ofPart: index).pushable(partClasses[index], $0.runtime) },
          assign: { object, stack in
            let new = try object.runtime.value(of: stack.value(at: 3))
            try object.place(ofPart: index).set(part.type.checked(new, at: path))
          })
      }
      members.entries { object in try object.members.entries }
      members.text { $0.luaClass.name }
    }
  }
}

extension LiveDeclaredPart: RecordObject {
  package var typeName: String { luaClass.name }

  package var recordID: Int? { nil }

  package func recordContents() throws -> RecordContents {
    let fields = try members.map {
      RecordContents.Field(name: $0.name, value: $0.value, isAssignable: false)
    }
    return RecordContents(summary: nil, fields: fields)
  }
}

/// A set of a declared feature as scripts hold it; each access reads the current set.
final class LiveDeclaredSet: LuaDynamicObject {
  let luaClass: LuaObjectClass
  private let read: () throws -> DeclaredSet

  fileprivate init(_ luaClass: LuaObjectClass, _ read: @escaping () throws -> DeclaredSet) {
    (self.luaClass, self.read) = (luaClass, read)
  }

  fileprivate static func makeClass(of type: ValueType, at path: String) -> LuaObjectClass {
    LuaObjectClass(path, of: LiveDeclaredSet.self) { members in
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
  /// The error for assigning a value that isn't editable, which names the actions that may change it.
  func readOnly(_ path: String) -> LuaError {
    let calls = (calls.map(\.name)).map { "\(name).\($0)" }
    let shown = calls.prefix(5).joined(separator: ", ") + (calls.count > 5 ? ", ..." : "")
    return LuaError(
      .readOnlyField,
      "\(path) can't be assigned" + (calls.isEmpty ? "" : "; \(name) is changed by \(shown)"))
  }
}

extension String {
  /// The name of an element of a list of this name: "items" has an "item".
  var asSingular: String {
    if hasSuffix("ies"), count > 4 { return dropLast(3) + "y" }
    if ["shes", "ches", "sses", "xes"].contains(where: { hasSuffix($0) }) {
      return String(dropLast(2))
    }
    if hasSuffix("s"), !hasSuffix("ss"), count > 2 { return String(dropLast()) }
    return self + "_record"
  }
}
