import Lua
import StateStore

/// A list of a declared feature with the classes of its objects.
final class DeclaredListClass {
  let list: DeclaredList
  /// The index of the list's field.
  let field: Int
  /// The path of the list.
  let path: String
  /// The classes of the parts that are records, by the indexes of the parts.
  let partClasses: [PartClass?]
  let values: DeclaredValues
  let luaClass: LuaObjectClass
  let recordClass: LuaObjectClass

  /// The name of the records' class: "cart.item".
  var recordName: String { recordClass.name }

  init(
    of list: DeclaredList, at field: Int, of feature: String, _ values: DeclaredValues,
    changesLists: Bool
  ) {
    (self.list, self.field, path) = (list, field, "\(feature).\(list.name)")
    self.values = values
    let name = "\(feature).\(list.name.asSingular)"
    partClasses = list.type.record.parts.map { part in
      part.type.record.map { PartClass(of: $0, at: "\(name).\(part.name)", values) }
    }
    recordClass = RecordObject.makeClass(
      of: list, named: name, comparesByID: changesLists)
    luaClass = ListObject.makeClass(
      of: list, recordClass, at: path, changesLists: changesLists)
  }
}

/// A list of a declared feature as code holds it; each access reads the current list.
final class ListObject: LuaDynamicObject {
  let listClass: DeclaredListClass
  fileprivate let source: DeclaredSource
  /// The records of a store that scripts hold.
  private var objects: [Int: WeakRecord] = [:]

  private struct WeakRecord {
    weak var record: RecordObject?
  }

  init(_ listClass: DeclaredListClass, _ source: DeclaredSource) {
    (self.listClass, self.source) = (listClass, source)
  }

  static var luaTypeName: String { "list" }

  var luaClass: LuaObjectClass { listClass.luaClass }

  fileprivate var list: DeclaredList { listClass.list }

  fileprivate var records: RecordList<DeclaredRecord> {
    get throws { try source.list(at: list.index) }
  }

  /// The object of the record with an id; in a store, the same for as long as a script holds it.
  func record(_ id: Int) -> RecordObject {
    guard case .store = source else { return RecordObject(id, of: self) }
    if let record = objects[id]?.record { return record }
    let record = RecordObject(id, of: self)
    objects[id] = WeakRecord(record: record)
    return record
  }

  fileprivate func forget(_ id: Int) {
    // A new object may have taken its place already.
    if objects[id]?.record == nil { objects[id] = nil }
  }

  fileprivate static func makeClass(
    of list: DeclaredList, _ recordClass: LuaObjectClass, at path: String, changesLists: Bool
  ) -> LuaObjectClass {
    LuaObjectClass(path, of: ListObject.self) { members in
      members.sequence(
        of: { .object(recordClass) }, count: { try $0.records.count },
        element: { $0.record(try $0.records[$1].id) })
      members.text { "\(path) (\(try $0.records.count))" }
      if changesLists {
        members.addChanges(of: list)
      } else {
        members.addGet(recordClass, example: "\(path):get(1)")
      }
    }
  }
}

// MARK: - Methods

extension LuaClass<ListObject> {
  /// Adds the method by which scripts find records.
  fileprivate func addGet(_ recordClass: LuaObjectClass, example: String) {
    method(
      LuaMember(
        function: "get", parameters: [LuaParameter(name: "id", type: Int.luaType)],
        types: [.object(recordClass)], help: "The record with an id.", example: example)
    ) { list, arguments in
      let id: Int = try arguments.read(1)
      guard try list.records.contains(id: id) else { throw RecordListError.notFound(id) }
      try list.record(id).push(to: arguments.stack)
      return 1
    }
  }

  /// Adds the methods by which actions change lists and find records.
  fileprivate func addChanges(of list: DeclaredList) {
    method(.method("append", "record")) { object, arguments in
      try object.insert(arguments.value(1, object.listClass.values), at: nil)
        .push(to: arguments.stack)
      return 1
    }
    method(.method("insert", "position", "record")) { object, arguments in
      try object.checkUnsorted("append to it")
      let position = try object.position(arguments.read(1), beyondLast: 1)
      try object.insert(arguments.value(2, object.listClass.values), at: position)
        .push(to: arguments.stack)
      return 1
    }
    method(.method("move", "id", "position")) { object, arguments in
      try object.checkUnsorted("change what it is sorted by")
      let id = try object.id(arguments)
      let position = try object.position(arguments.read(2), beyondLast: 0)
      _ = try object.draft.move(id, to: position, in: list)
      return 0
    }
    method(.method("remove", "id")) { object, arguments in
      let id = try object.id(arguments)
      _ = try object.draft.remove(id, from: list)
      return 0
    }
    method(.method("clear")) { object, _ in
      try object.draft.removeAll(from: list)
      return 0
    }
    method(.method("get", "id")) { object, arguments in
      let id = try object.givenID(arguments)
      if try object.records.contains(id: id) {
        try object.record(id).push(to: arguments.stack)
      } else {
        arguments.stack.pushNil()
      }
      return 1
    }
    method(.method("find", "fn")) { object, arguments in
      let isMatch: LuaFunction = try arguments.read(1)
      for record in try object.records {
        let candidate = object.record(record.id)
        let result = try isMatch.call(candidate).first
        guard result == nil || result == .nil || result == false else {
          try candidate.push(to: arguments.stack)
          return 1
        }
      }
      arguments.stack.pushNil()
      return 1
    }
  }
}

extension ListObject {
  fileprivate var draft: DeclaredDraft {
    get throws { try source.draft(at: listClass.path) }
  }

  fileprivate func checkUnsorted(_ remedy: String) throws {
    guard list.type.sortingPart != nil else { return }
    throw DeclarationError("bad_position", "\(listClass.path) is sorted: \(remedy)")
  }

  fileprivate func insert(_ value: StateValue, at position: Int?) throws -> RecordObject {
    guard case .record(let members) = value else {
      throw DeclarationError(
        "bad_value", "\(listClass.path): a record is a table of its fields")
    }
    let draft = try draft
    let values = try list.type.record.values(
      from: members,
      at: "\(listClass.path)[\((position ?? (try? records.count) ?? 0) + 1)]")
    return record(try draft.insert(values, at: position, in: list))
  }

  /// A position from 0, of one counted from 1.
  fileprivate func position(_ number: Int, beyondLast: Int) throws -> Int {
    let count = try records.count + beyondLast
    guard (1...max(1, count)).contains(number), count > 0 else {
      throw DeclarationError(
        "bad_position",
        "\(listClass.path) has no position \(number): it has \(try records.count) records")
    }
    return number - 1
  }

  /// The id of a record, which is given by itself or by its id.
  fileprivate func givenID(_ arguments: LuaArguments) throws -> Int {
    if case .userdata(let object) = arguments.stack.value(at: arguments.index(of: 1)),
      let record = try object.hostObject() as? RecordObject,
      record.luaClass === listClass.recordClass
    {
      record.id
    } else {
      try arguments.read(1) as Int
    }
  }

  /// The id of a record of the list, which is given by itself or by its id.
  fileprivate func id(_ arguments: LuaArguments) throws -> Int {
    let id = try givenID(arguments)
    guard try records.contains(id: id) else { throw source.notFound(id, in: listClass) }
    return id
  }
}

extension LuaArguments {
  /// The value of an argument.
  fileprivate func value(_ position: Int, _ values: DeclaredValues) throws -> StateValue {
    guard position <= count else { throw badArgument(position, expected: "table") }
    return try values.read(stack, at: index(of: position))
  }
}

extension LuaMember {
  /// The documentation of a method of an action's code, which nobody reads.
  static func method(_ function: String, _ parameters: String...) -> LuaMember {
    LuaMember(
      function: function,
      parameters: parameters.map { LuaParameter(name: $0, type: LuaValue.luaType) }, types: [],
      help: "", example: "")
  }
}

// MARK: - Records

/// A record of a declared list as code holds it: bound to the record's id, whatever its position and contents.
final class RecordObject: LuaDynamicObject {
  let id: Int
  private let list: ListObject

  fileprivate init(_ id: Int, of list: ListObject) { (self.id, self.list) = (id, list) }

  deinit { list.forget(id) }

  static var luaTypeName: String { "record" }

  var luaClass: LuaObjectClass { list.listClass.recordClass }

  /// The place of the list in the state.
  var listPlace: Int { list.list.index }

  private func record() throws -> DeclaredRecord {
    try list.source.record(id, in: list.listClass)
  }

  /// The record as a value, without its id.
  func value() throws -> StateValue {
    let record = try record()
    return .record(record.type.members(of: record.values))
  }

  fileprivate static func makeClass(
    of list: DeclaredList, named name: String, comparesByID: Bool
  ) -> LuaObjectClass {
    let example = list.name.asSingular
    return LuaObjectClass(name, of: RecordObject.self) { members in
      members.property(
        LuaMember(
          property: "id", type: Int.luaType, isWritable: false,
          help: "The id, which its list gave it.", example: "print(\(example).id)"),
        get: { $0.id },
        assign: { object, _ in
          throw DeclarationError(
            "read_only", "\(object.list.listClass.path): ids can't be assigned")
        })
      for (index, part) in list.type.record.parts.enumerated() {
        members.property(
          LuaMember(
            property: part.name, type: part.type.luaType(at: "\(name).\(part.name)"),
            isWritable: part.isEditable, help: part.name.asHelp,
            example: part.isEditable
              ? "\(example).\(part.name) = \(part.type.example)" : "print(\(example).\(part.name))"),
          get: { try $0.value(ofPart: index) }, assign: { try $0.assign($1, toPart: index) })
      }
      members.entries { object -> [(String, AnyPushable)] in
        let record = try object.record()
        let parts = record.type.parts.indices.filter { record.values[$0] != .none }
        return [("id", AnyPushable(record.id))]
          + (try parts.map { (record.type.parts[$0].name, try object.value(ofPart: $0)) })
      }
      if comparesByID {
        // In a store, each record has one object.
        members.operator(.equal) { (left: RecordObject, right: RecordObject) in
          left.id == right.id && left.luaClass === right.luaClass
        }
      }
      members.text { object in
        // Printing names the object, even if the record no longer exists to say more.
        guard let record = try? object.record() else { return "\(name) \(object.id) (removed)" }
        let title = record.stateValue.title.map { ": \($0)" } ?? ""
        return "\(name) \(object.id)\(title)"
      }
    }
  }

  private func value(ofPart index: Int) throws -> AnyPushable {
    let listClass = list.listClass
    guard let partClass = listClass.partClasses[index] else {
      return listClass.values.pushable(try record().values[index])
    }
    return try listClass.values.pushable(
      ValuePlace(
        ofPart: index, ofRecord: id, in: listClass, list.source, path: partClass.path), partClass)
  }

  private func assign(_ stack: LuaStack, toPart index: Int) throws {
    let listClass = list.listClass
    let part = listClass.list.type.record.parts[index]
    try list.source.checkAssignable(
      part.isEditable, at: "\(listClass.recordName).\(part.name)")
    let new = try part.type.checked(
      listClass.values.read(stack, at: 3), at: place(of: part.name))
    try list.source.set(new, toPart: index, ofRecord: id, in: listClass)
  }

  /// The path of a part by the record's position.
  private func place(of part: String) -> String {
    let position = try? list.records.position(ofID: id)
    return "\(list.listClass.path)[\(position.map { "\($0 + 1)" } ?? "?")].\(part)"
  }
}

extension RecordObject: ShownRecord {
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
