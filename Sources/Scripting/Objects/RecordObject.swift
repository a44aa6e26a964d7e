package import Lua
package import StateStore

/// The class of records of a type, with those of the records in them.
final class RecordClass {
  let type: RecordType
  let luaClass: LuaObjectClass
  /// The classes of the parts that are records, by the indexes of the parts.
  let parts: [RecordClass?]
  /// The text of a record that isn't in a list.
  fileprivate let text: (StateValue) throws -> String

  var name: String { luaClass.name }

  /// Describes the class of records that have no name of their own.
  ///
  /// The name is the path of a value, or that of a list's record; the example is a variable for such an object. Objects
  /// that compare by id are equal if their records have the same one; in a store, each record has one object.
  convenience init(
    _ type: RecordType, named name: String, example: String? = nil, comparesByID: Bool = false
  ) {
    self.init(
      type, named: name, example: example ?? name, comparesByID: comparesByID,
      text: { _ in name })
  }

  convenience init<Record: ScriptableRecord>(of type: Record.Type) {
    self.init(
      type.valueType.record ?? RecordType([]), named: type.luaTypeName,
      example: type.luaExampleName, standingFor: LiveRecord<Record>.self,
      text: { try Record(stateValue: $0).luaText }
    ) { Record.describe(RecordMembers(members: $0)) }
  }

  private init(
    _ type: RecordType, named name: String, example: String, comparesByID: Bool = false,
    standingFor handle: Any.Type? = nil, text: @escaping (StateValue) throws -> String,
    describe: @escaping (LuaClass<RecordObject>) -> Void = { _ in }
  ) {
    (self.type, self.text) = (type, text)
    parts = type.parts.map { part in
      part.type.record.map { RecordClass($0, named: "\(name).\(part.name)") }
    }
    luaClass = LuaObjectClass(name, of: RecordObject.self, standingFor: handle) { members in
      if type.hasID { members.addID(example: example) }
      for (index, part) in type.parts.enumerated() {
        members.add(part, at: index, in: name, example: "\(example).\(part.name)")
      }
      describe(members)
      members.entries(ofProperties: { object in
        try object.members.filter { $0.value != .none }.map(\.name)
      })
      if comparesByID {
        members.operator(.equal) { (left: RecordObject, right: RecordObject) in
          left.id == right.id && left.luaClass === right.luaClass
        }
      }
      members.text { try $0.text }
    }
  }
}

extension LuaClass<RecordObject> {
  fileprivate func addID(example: String) {
    property(
      LuaMember(
        property: "id", type: Int.luaType, isWritable: false,
        help: "The id, which its list gave it.", example: "print(\(example).id)"),
      get: { $0.id },
      assign: { object, _ in throw object.refuseID() })
  }

  fileprivate func add(
    _ part: RecordType.Part, at index: Int, in name: String, example: String
  ) {
    let value = part.type == .secret ? "io.read()" : part.type.example
    property(
      LuaMember(
        property: part.name, type: part.type.luaType(at: "\(name).\(part.name)"),
        isWritable: part.isEditable, help: part.help.isEmpty ? part.name.asHelp : part.help,
        example: part.isEditable ? "\(example) = \(value)" : "print(\(example))"),
      get: { try $0.pushable(part: index) }, assign: { try $0.assign($1, toPart: index) })
  }
}

/// A record of the state as code holds it: bound to its place, or to the id of a list's record, whatever its position and
/// contents.
package final class RecordObject: LuaDynamicObject, JSONRepresentable {
  enum Place {
    /// In a list.
    case element(ListObject, id: Int)
    /// In a list, as a function of a query gets it.
    case snapshot(RecordSnapshot, of: ListClass)
    /// In a list, to which a record refers that a function of a query gets: only its id is known.
    case referred(id: Int, of: ListClass)
    /// The value of a field.
    case field(FieldClass, ObjectSource)
    /// The part at an index of another record.
    case part(Int, of: RecordObject)
  }

  private let recordClass: RecordClass
  private let place: Place
  /// The objects for parts that aren't only values, made when they are first read.
  private var objects: [Int: AnyObject] = [:]

  init(_ recordClass: RecordClass, _ place: Place) {
    (self.recordClass, self.place) = (recordClass, place)
  }

  deinit { if case .element(let list, let id) = place { list.forget(ObjectIdentifier(self), id) } }

  package static var luaTypeName: String { "record" }

  package var luaClass: LuaObjectClass { recordClass.luaClass }

  /// The id of a list's record; nil for another record.
  package var id: Int? {
    switch place {
    case .element(_, let id): id
    case .snapshot(let snapshot, _): snapshot.id
    case .referred(let id, _): id
    case .field, .part: nil
    }
  }

  /// The store with the record; nil for one that code of a feature gets.
  var store: Store? {
    switch place {
    case .element(let list, _): list.source.store
    case .field(_, let source): source.store
    case .part(_, let owner): owner.store
    case .snapshot, .referred: nil
    }
  }

  /// The path of the list that the record is in; nil for another record.
  var listPath: String? {
    switch place {
    case .element(let list, _): list.listClass.path
    case .snapshot(_, let listClass), .referred(_, let listClass): listClass.path
    case .field, .part: nil
    }
  }

  /// Whether the record is a key of a map with its value.
  package var isOfMap: Bool {
    if case .element(let list, _) = place { list.listClass.list.isMap } else { false }
  }

  /// The index of the list's field, and the id, of a list's record.
  var element: (field: Int, id: Int)? {
    if case .element(let list, let id) = place { (list.listClass.field.index, id) } else { nil }
  }

  private var rules: ObjectRules {
    switch place {
    case .element(let list, _): list.listClass.rules
    case .snapshot(_, let listClass), .referred(_, let listClass): listClass.rules
    case .field(let field, _): field.rules
    case .part(_, let owner): owner.rules
    }
  }

  /// The path of the record, for messages.
  private var path: String {
    guard case .element(let list, let id) = place else { return recordClass.name }
    let position = (try? list.source.state).flatMap { list.listClass.records.position($0, id) }
    return "\(list.listClass.path)[\(position.map { "\($0 + 1)" } ?? "?")]"
  }

  // MARK: - Reading

  /// The record of a list; nil for another record, and for one that is gone.
  private var record: (any Record)? {
    get throws {
      guard case .element(let list, let id) = place else { return nil }
      return list.listClass.records.record(try list.source.state, id)
    }
  }

  /// Whether the record is no longer in its list.
  package var isRemoved: Bool {
    get throws { if case .element = place { try record == nil } else { false } }
  }

  /// The members, with the id that the record's list gave it.
  ///
  /// - Throws: The error for a record that is gone.
  fileprivate var members: [StateValue.Member] {
    get throws {
      let value: StateValue? =
        switch place {
        case .element: try record?.stateValue
        case .snapshot(let snapshot, _): try snapshot.current.stateValue
        case .referred(_, let listClass): throw listClass.notRead()
        case .field(let field, let source): field.field.value(in: try source.state)
        case .part(let index, let owner): try owner.value(ofPart: index)
        }
      if case .record(let members)? = value { return members }
      if case .element(let list, let id) = place { throw list.missing(id) }
      throw ObjectError("not_found", "\(recordClass.name) is nil now")
    }
  }

  /// The record as a value, without the id that its list gave it.
  private var value: StateValue {
    get throws {
      .record(recordClass.type.hasID ? Array(try members.dropFirst()) : try members)
    }
  }

  private func value(ofPart index: Int) throws -> StateValue {
    switch place {
    case .element(let list, let id):
      guard let value = list.listClass.records.part(try list.source.state, id, index) else {
        throw list.missing(id)
      }
      return value
    case .snapshot(let snapshot, _): return try snapshot.current.values[index]
    case .referred(_, let listClass): throw listClass.notRead()
    case .field(let field, let source):
      if let parts = field.field.parts { return parts.read(try source.state, index) }
      return try members[index].value
    case .part: return try members[index].value
    }
  }

  func pushable(part index: Int) throws -> AnyPushable {
    let value = try value(ofPart: index)
    if !recordClass.type.references.isEmpty,
      let reference = recordClass.type.parts[index].type.reference
    {
      return try record(value, of: reference)
    }
    guard case .record = value, let part = recordClass.parts[index] else {
      return rules.values.pushable(value)
    }
    return AnyPushable(RecordObject(part, .part(index, of: self)))
  }

  /// The record of another list, to which this one refers by its id.
  private func record(_ id: StateValue, of reference: ReferenceType) throws -> AnyPushable {
    switch place {
    case .element(let list, _): return try list.list(of: reference).element(withID: id)
    case .snapshot(_, let listClass):
      guard case .integer(let id) = id, let target = listClass.field.listClass(of: reference) else {
        return AnyPushable(StateValue.none)
      }
      return AnyPushable(RecordObject(target.record, .referred(id: id, of: target)))
    case .referred, .field, .part: return rules.values.pushable(id)
    }
  }

  fileprivate var text: String {
    get throws {
      guard let id else { return try recordClass.text(.record(members)) }
      // Printing names the object, even if the record no longer exists to say more.
      guard let record = try record else { return "\(recordClass.name) \(id) (removed)" }
      return (record as? any ScriptableRecord)?.luaText
        ?? "\(recordClass.name) \(id)" + (record.stateValue.title.map { ": \($0)" } ?? "")
    }
  }

  // MARK: - Assigning

  fileprivate func assign(_ stack: LuaStack, toPart index: Int) throws {
    let part = recordClass.type.parts[index]
    try checkAssignable(part: index)
    let new = try rules.read(
      stack, as: part.type, "\(recordClass.name).\(part.name)", at: "\(path).\(part.name)",
      in: store)
    try set(new, part: index)
  }

  fileprivate func refuseID() -> ObjectError {
    let path = if case .element(let list, _) = place { list.listClass.path } else { path }
    return ObjectError("read_only", "\(path): ids can't be assigned")
  }

  private func isAssignable(part index: Int) -> Bool {
    switch place {
    case .element(let list, _): list.listClass.records.assignment(ofPart: index) != nil
    case .snapshot, .referred: false
    case .field(let field, _): field.field.assign != nil
    case .part(let own, let owner): owner.isAssignable(part: own)
    }
  }

  private func checkAssignable(part index: Int) throws {
    switch place {
    case .field(let field, let source): try field.checkAssignable(in: source)
    case .part(let own, let owner): try owner.checkAssignable(part: own)
    case .snapshot(_, let listClass), .referred(_, let listClass):
      throw ObjectError("read_only", "\(listClass.path): a function of a query only reads records")
    case .element(let list, _):
      let path = "\(recordClass.name).\(recordClass.type.parts[index].name)"
      guard case .store = list.source else { return _ = try list.source.draft(at: path) }
      if !isAssignable(part: index) { throw rules.readOnly(path) }
    }
  }

  /// Assigns a value of its type to a part; in a store, unless it has that value already.
  private func set(_ new: StateValue, part index: Int) throws {
    if case .element(let list, let id) = place {
      return try list.set(new, part: index, ofRecord: id)
    }
    if case .field(let field, .store(let store, _)) = place {
      if try value(ofPart: index).isSame(as: new) { return }
      if let parts = field.field.parts { return try parts.assign(store, index, new) }
    }
    var members = try members
    members[index] = StateValue.Member(name: members[index].name, value: new)
    switch place {
    case .element, .snapshot, .referred: break
    case .field(let field, let source): try field.set(.record(members), in: source)
    case .part(let own, let owner): try owner.set(.record(members), part: own)
    }
  }

  /// The object for a part, which is always the same one.
  func object<Part: FieldValue, Object: AnyObject>(
    forPart index: Int, _ make: (StateBinding<Part>) -> Object
  ) -> Object {
    if let object = objects[index] as? Object { return object }
    // Not this object, which keeps the one for the part.
    let record = RecordObject(recordClass, place)
    let object = make(
      StateBinding(
        get: { try Part(stateValue: record.value(ofPart: index)) },
        set: { new in
          try record.checkAssignable(part: index)
          try record.set(new.stateValue, part: index)
        }))
    objects[index] = object
    return object
  }
}

extension ListClass {
  /// The error for reading a record of the list by a function of a query over another one.
  fileprivate func notRead() -> ObjectError {
    ObjectError(
      "not_available",
      "\(path): a function of a query reads its own record, and only the ids of others; write a derived function"
    )
  }
}

/// A record as it is while a function of a query is called with it.
final class RecordSnapshot {
  let id: Int
  private var record: DeclaredRecord?

  init(_ record: DeclaredRecord) { (id, self.record) = (record.id, record) }

  var current: DeclaredRecord {
    get throws {
      guard let record else {
        throw ObjectError(
          "not_available", "a record that a query's function gets can be used only while it runs")
      }
      return record
    }
  }

  func end() { record = nil }
}

// MARK: - Contents

extension RecordObject {
  /// The contents of a record at one time.
  package struct Contents {
    /// See ``ScriptableRecord/summary``.
    package let summary: String?
    /// The members in display order; secrets are among them.
    package let fields: [Field]

    package struct Field {
      package let name: String
      /// The type; nil for a member that isn't a part.
      package let type: ValueType?
      package let value: StateValue
      package let isAssignable: Bool
      /// The text by which people know the record to which it refers; nil if it refers to none.
      package let referredLabel: String?
    }

    package var stateValue: StateValue {
      .record(fields.map { .init(name: $0.name, value: $0.value) })
    }
  }

  /// The text by which people know the record of another list to which a part refers; nil if it is gone.
  private func label(of id: StateValue, _ reference: ReferenceType) throws -> String? {
    guard case .element(let list, _) = place, case .integer(let id) = id,
      let target = try list.list(of: reference), let record = try target.value(ofRecord: id)
    else { return nil }
    return target.listClass.record.type.labelText(of: record, id: id)
  }

  /// The record for a state, without the id that its list gave it, and as JSON with the ids of the records to which it
  /// refers; nil if it refers to none.
  func jsonValue(isForState: Bool) throws -> StateValue? {
    if isForState {
      if case .referred(let id, _) = place { return .integer(id) }
      return try value
    }
    guard !recordClass.type.references.isEmpty else { return nil }
    return StateValue.record(
      try members.filter { $0.value != .none }.sorted { $0.name.isBefore($1.name) }
    ).withBullets
  }

  /// The contents now, for tools that show the record without running scripts' code.
  ///
  /// - Throws: The feature's error if the record was removed.
  package func contents() throws -> Contents {
    let (members, record) = (try members, try record)
    let fields = try members.map { member in
      let index = recordClass.type.index(of: member.name)
      let type = index.map { recordClass.type.parts[$0].type }
      return Contents.Field(
        name: member.name, type: type, value: member.value,
        isAssignable: index.map { isAssignable(part: $0) } ?? false,
        referredLabel: try type?.reference.flatMap { try label(of: member.value, $0) })
    }
    return Contents(summary: record?.stateValue.recordSummary, fields: fields)
  }
}
