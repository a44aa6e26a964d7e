public import Lua
public import StateStore

/// The records of one list, as objects for scripts: a record is the same object for as long as a script holds it.
public struct LiveRecords<Record: ScriptableRecord> {
  /// Nil for a list that isn't among the feature's fields: then there is no module that could use it.
  let list: ListObject?

  /// The object of the record with an id, even if there is no such record now.
  public subscript(id: Int) -> LiveRecord<Record> { LiveRecord(object: list?.record(id)) }

  /// The object of an existing record.
  ///
  /// - Throws: The feature's error if no record has the id.
  public func existing(_ id: Int) throws -> LiveRecord<Record> {
    LiveRecord(object: try list?.existing(id))
  }
}

/// A record of the state as scripts get it: bound to the record's id, whatever its position and contents.
///
/// While no record has the id, using a field raises the feature's `not_found`.
public struct LiveRecord<Record: ScriptableRecord>: LuaPushable {
  let object: RecordObject?

  /// The type's name in signatures.
  public static var luaTypeName: String { Record.luaTypeName }

  /// An object of the records' class.
  public static var luaType: LuaValueType { .object(Record.recordClass) }

  /// Pushes the object, which is the same for as long as a script holds it.
  public func push(to stack: LuaStack) throws(LuaError) { try object.push(to: stack) }
}

extension ScriptableRecord {
  /// The class of the records, for documentation.
  static var recordClass: LuaObjectClass { RecordClass(of: Self.self).luaClass }

  static var listClass: LuaObjectClass {
    ListObject.makeClass(
      named: luaListName, recordClass, changing: nil, standingFor: LiveRecords<Self>.self)
  }
}

/// A part of a record of the state, which can be read, and replaced by sending an action.
public struct StateBinding<Value> {
  /// Reads the current value, or throws why there is none: for example, because the record was removed.
  public let get: () throws -> Value
  /// Replaces the value, or throws why it can't be replaced; nothing has then changed.
  public let set: (Value) throws -> Void
}

/// The members of the objects for records of a type, besides their fields.
public struct RecordMembers<Record: ScriptableRecord> {
  let members: LuaClass<RecordObject>

  /// Replaces a field by an object of its own, such as a sequence that scripts can change.
  ///
  /// - Parameters:
  ///   - part: The field's key path in the record.
  ///   - example: A line of Lua that uses it.
  ///   - make: Makes the object from a binding to the part: once for each object of a record.
  ///   - set: Assigns a value that scripts give.
  public func object<Part: FieldValue, Object: LuaExposed, NewValue: LuaReadable>(
    for part: KeyPath<Record, Part>, example: String = "",
    _ make: @escaping (StateBinding<Part>) -> Object,
    set: @escaping (Object, NewValue) throws -> Void
  ) {
    guard let index = Record.fieldIndex(of: part) else { return }
    let field = Record.fields[index]
    members.property(
      field.name, help: field.help, example: example, get: { $0.object(forPart: index, make) },
      assigning: NewValue.self, set: { try set($0.object(forPart: index, make), $1) })
  }
}
