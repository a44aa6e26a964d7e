import Lua
import StateStore

/// A list of records with the classes of its objects.
final class ListClass {
  let field: FieldClass
  let list: StateList
  let records: StateRecords
  let record: RecordClass
  /// The list in drafts, for code that changes them.
  let draft: DeclaredList?
  let luaClass: LuaObjectClass
  private var selectionClasses: [String: LuaObjectClass] = [:]

  var rules: ObjectRules { field.rules }

  var path: String { field.path }

  /// The type is that of the records; nil for those of a declared feature.
  init(
    of field: FieldClass, _ list: StateList, _ records: StateRecords, _ record: RecordClass,
    _ type: (any ScriptableRecord.Type)? = nil
  ) {
    (self.field, self.list, self.records, self.record) = (field, list, records, record)
    draft = field.draft?.list
    luaClass =
      type?.listClass
      ?? ListObject.makeClass(
        named: field.path, record.luaClass, changing: draft)
  }
}

extension ListClass {
  /// The class of selections with a name: that of a query, or of the list.
  fileprivate func selectionClass(named name: String) -> LuaObjectClass {
    if let known = selectionClasses[name] { return known }
    let made = ListObject.makeSelectionClass(named: name, record.luaClass)
    selectionClasses[name] = made
    return made
  }
}

/// A list of records, or a selection of those of one, as code holds it; each access reads the current list.
final class ListObject: LuaDynamicObject {
  let listClass: ListClass
  let source: ObjectSource
  /// The records of a store that scripts hold.
  private var objects: [Int: HeldRecord] = [:]

  /// The other objects of a feature in a store, which hold this one; nil for a list that code of the feature gets.
  weak var siblings: FeatureObjects?

  /// The selected records; nil for a whole list.
  private let selection: Selection?

  /// A record that scripts hold, and which `forget` removes as it ends, before anybody else on the thread of Lua can ask for it.
  ///
  /// With a weak reference, a query over a list takes half as long again.
  private struct HeldRecord {
    unowned let record: RecordObject
    let identity: ObjectIdentifier

    init(_ record: RecordObject) { (self.record, identity) = (record, ObjectIdentifier(record)) }
  }

  private struct Selection {
    let luaClass: LuaObjectClass
    /// The whole list.
    let list: ListObject
    let ids: () throws -> ListElements<Int>
  }

  init(_ listClass: ListClass, _ source: ObjectSource) {
    (self.listClass, self.source, selection) = (listClass, source, nil)
  }

  /// Selects records of a list, or of another selection of its records.
  ///
  /// The name is that of the selection's query, or the list's. The ids are asked for whenever the selection is used.
  init(selecting name: String, from list: ListObject, ids: @escaping () throws -> ListElements<Int>)
  {
    (listClass, source) = (list.listClass, list.source)
    selection = Selection(
      luaClass: listClass.selectionClass(named: name), list: list.selection?.list ?? list, ids: ids)
  }

  static var luaTypeName: String { "list" }

  var luaClass: LuaObjectClass {
    selection?.luaClass ?? listClass.luaClass
  }

  var name: String { selection?.luaClass.name ?? listClass.path }

  var count: Int {
    get throws {
      if let selection { return try selection.ids().count }
      return try listClass.list.count(source.state)
    }
  }

  var ids: ListElements<Int> {
    get throws {
      if let selection { return try selection.ids() }
      let (state, records) = (try source.state, listClass.records)
      return ListElements((0..<listClass.list.count(state)).map { records.id(state, $0) })
    }
  }

  /// The number of records that scripts hold.
  var heldCount: Int { objects.count }

  /// The record at a position, counted from 0.
  func element(at position: Int) throws -> RecordObject {
    if let selection { return record(try selection.ids()[position]) }
    return record(listClass.records.id(try source.state, position))
  }

  func contains(_ id: Int) throws -> Bool { try listClass.records.contains(source.state, id) }

  /// The object of the record with an id; in a store, the same for as long as a script holds it.
  func record(_ id: Int) -> RecordObject {
    if let selection { return selection.list.record(id) }
    guard case .store = source else {
      return RecordObject(listClass.record, .element(self, id: id))
    }
    if let held = objects[id] { return held.record }
    let record = RecordObject(listClass.record, .element(self, id: id))
    objects[id] = HeldRecord(record)
    return record
  }

  func existing(_ id: Int) throws -> RecordObject {
    guard try contains(id) else { throw missing(id) }
    return record(id)
  }

  /// The record with an id as a value; nil if there is none.
  func value(ofRecord id: Int) throws -> StateValue? {
    try listClass.records.record(source.state, id)?.stateValue
  }

  /// The list to whose records those of this one refer; nil if there is none.
  func list(of reference: ReferenceType) throws -> ListObject? {
    guard let siblings else { return try listClass.field.list(of: reference, in: source) }
    return siblings.list(named: reference.list)
  }

  /// Forgets a record that ends, unless it is the second object of one that `RecordObject.object(forPart:)` makes.
  func forget(_ record: ObjectIdentifier, _ id: Int) {
    if objects[id]?.identity == record { objects[id] = nil }
  }

  func missing(_ id: Int) -> any Error {
    if case .store = source { return listClass.records.missing(id) }
    return ObjectError("not_found", "\(listClass.path) has no record with the id \(id)")
  }

  static func makeClass(
    named name: String, _ recordClass: LuaObjectClass, changing draft: DeclaredList?,
    standingFor handle: Any.Type? = nil
  ) -> LuaObjectClass {
    LuaObjectClass(name, of: ListObject.self, standingFor: handle) { members in
      members.addRecords(recordClass, named: name)
      if let draft {
        members.addChanges(of: draft)
      } else {
        members.addGet(recordClass, example: "\(name):get(1)")
      }
    }
  }

  fileprivate static func makeSelectionClass(
    named name: String, _ recordClass: LuaObjectClass
  ) -> LuaObjectClass {
    LuaObjectClass(name, of: ListObject.self) { $0.addRecords(recordClass, named: name) }
  }
}

extension ListObject {
  private static let loops = CompiledChunk(
    PackageResources.ipairs_lua, name: .text("ipairs"), .optional)

  /// Lets `ipairs` refuse loops that remove elements of their list.
  static func checkLoops(in state: LuaState) throws(LuaError) {
    try loops.function(in: state).call()
  }
}

// MARK: - Methods

extension LuaClass<ListObject> {
  /// Adds what lists and selections have: their records, and what can be asked of these.
  fileprivate func addRecords(_ recordClass: LuaObjectClass, named name: String) {
    sequence(
      of: { .object(recordClass) }, count: { try $0.count }, element: { try $0.element(at: $1) })
    text { "\(name) (\(try $0.count))" }
    addQueries(recordClass, named: name)
  }

  fileprivate func addGet(_ recordClass: LuaObjectClass, example: String) {
    method(
      LuaMember(
        function: "get", parameters: [LuaParameter(name: "id", type: Int.luaType)],
        types: [.object(recordClass)], help: "The record with an id.", example: example)
    ) { list, arguments in
      try list.existing(arguments.read(1)).push(to: arguments.stack)
      return 1
    }
  }

  /// Adds the methods by which actions change lists and find records.
  fileprivate func addChanges(of list: DeclaredList) {
    method(.method("append", "record")) { object, arguments in
      try object.insert(arguments.record(1, of: object.listClass), at: nil, in: list)
        .push(to: arguments.stack)
      return 1
    }
    method(.method("insert", "position", "record")) { object, arguments in
      try object.checkUnsorted(list, "append to it")
      let position = try object.position(arguments.read(1), beyondLast: 1)
      try object.insert(arguments.record(2, of: object.listClass), at: position, in: list)
        .push(to: arguments.stack)
      return 1
    }
    method(.method("move", "id", "position")) { object, arguments in
      try object.checkUnsorted(list, "change what it is sorted by")
      let id = try object.id(arguments)
      let position = try object.position(arguments.read(2), beyondLast: 0)
      _ = try object.draft.move(id, to: position, in: list)
      return 0
    }
    method(.method("remove", "id")) { object, arguments in
      let id = try object.id(arguments)
      try object.draft.remove([id], from: list)
      return 0
    }
    method(.method("clear")) { object, _ in
      try object.draft.removeAll(from: list)
      return 0
    }
    method(.method("get", "id")) { object, arguments in
      let id = try object.givenID(arguments)
      if try object.contains(id) {
        try object.record(id).push(to: arguments.stack)
      } else {
        arguments.stack.pushNil()
      }
      return 1
    }
    method(.method("remove_where", "fn")) { object, arguments in
      // Asked before the first one is removed: the function sees the list as it was.
      let ids = try object.query(.selection, arguments.read(1)).ids
      try object.draft.remove(Array(ids), from: list)
      arguments.stack.push(Int64(ids.count))
      return 1
    }
  }
}

extension ListObject {
  fileprivate var draft: DeclaredDraft {
    get throws { try source.draft(at: listClass.path) }
  }

  fileprivate func checkUnsorted(_ list: DeclaredList, _ remedy: String) throws {
    guard list.sortingPart != nil else { return }
    throw ObjectError("bad_position", "\(listClass.path) is sorted: \(remedy)")
  }

  fileprivate func insert(
    _ value: StateValue, at position: Int?, in list: DeclaredList
  ) throws -> RecordObject {
    guard case .record(let members) = value else {
      throw ObjectError(
        "bad_value", "\(listClass.path): a record is a table of its fields")
    }
    let draft = try draft
    let values = try list.record.values(
      from: members,
      at: "\(listClass.path)[\((position ?? (try? count) ?? 0) + 1)]")
    return record(try draft.insert(values, at: position, in: list))
  }

  /// A position from 0, of one counted from 1.
  fileprivate func position(_ number: Int, beyondLast: Int) throws -> Int {
    let count = try self.count + beyondLast
    guard (1...max(1, count)).contains(number), count > 0 else {
      throw ObjectError(
        "bad_position",
        "\(listClass.path) has no position \(number): it has \(try self.count) records")
    }
    return number - 1
  }

  /// The id of a record, which is given by itself or by its id.
  fileprivate func givenID(_ arguments: LuaArguments) throws -> Int {
    if case .userdata(let object) = arguments.stack.value(at: arguments.index(of: 1)),
      let record = try object.hostObject() as? RecordObject,
      let id = record.id, record.luaClass === listClass.record.luaClass
    {
      id
    } else {
      try arguments.read(1) as Int
    }
  }

  /// The id of a given record, which has to be in the list.
  fileprivate func id(_ arguments: LuaArguments) throws -> Int {
    let id = try givenID(arguments)
    guard try contains(id) else { throw missing(id) }
    return id
  }
}

extension ListObject? {
  /// The object of the record with an id; Lua's nil if there is none, or if the id is `.none`.
  func element(withID id: StateValue) throws -> AnyPushable {
    guard let list = self, case .integer(let id) = id, try list.contains(id) else {
      return AnyPushable(StateValue.none)
    }
    return AnyPushable(list.record(id))
  }
}

extension RecordType {
  /// The records of lists that arguments refer to, by the indexes of these.
  ///
  /// - Throws: The error for one that isn't there.
  func records(
    _ arguments: [StateValue], _ list: (ReferenceType) throws -> ListObject?
  ) throws -> [Int: AnyPushable] {
    var records: [Int: AnyPushable] = [:]
    for index in references {
      guard let reference = parts[index].type.reference, case .integer(let id) = arguments[index],
        let list = try list(reference)
      else { continue }
      records[index] = AnyPushable(try list.existing(id))
    }
    return records
  }
}

extension LuaArguments {
  /// The fields of a record of a list, which an argument gives.
  fileprivate func record(_ position: Int, of list: ListClass) throws -> StateValue {
    guard position <= count else { throw badArgument(position, expected: "table") }
    return try list.rules.values.read(
      stack, at: index(of: position), as: .record(list.record.type))
  }
}

extension ListObject {
  /// Assigns a value of its type to a part of the record with an id; in a store, unless it has that value already.
  func set(_ new: StateValue, part index: Int, ofRecord id: Int) throws {
    guard case .store(let store, _) = source else {
      let draft = try source.draft(at: listClass.path)
      guard let list = listClass.draft, try draft.set(new, at: index, ofRecord: id, in: list)
      else { throw missing(id) }
      return
    }
    guard let current = listClass.records.part(try source.state, id, index) else {
      throw missing(id)
    }
    guard !current.isSame(as: new), let part = listClass.records.assignment(ofPart: index)
    else { return }
    try part.assign(store, id, new)
  }
}

extension StateValue {
  /// Whether another value of the same type is the same; a date that is a whole number of seconds is shown as an integer.
  func isSame(as other: StateValue) -> Bool {
    if case .number = other { self == other || self == other.asStored } else { self == other }
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
