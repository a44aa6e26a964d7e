public import Lua
public import StateStore

/// The records of one list that scripts hold: a record is the same object for as long as a script holds it.
///
/// It keeps no object alive, and forgets those that are no longer held.
public final class LiveRecords<Record: ScriptableRecord> {
  /// Reads the record with an id; throws if there is none.
  let read: (_ id: Int) throws -> Record
  /// Replaces the record with an id; nil if each field has its own action.
  fileprivate let write: ((_ id: Int, Record) throws -> Void)?
  /// The setters of the fields that can be assigned, by the fields' indexes.
  private let setters: [Int: any FieldSetting]

  let count: () -> Int
  /// The id of the record at a position, counted from 0.
  let id: (_ position: Int) -> Int

  private var objects: [Int: WeakReference] = [:]

  init(
    read: @escaping (Int) throws -> Record, write: ((Int, Record) throws -> Void)? = nil,
    setters: [Int: any FieldSetting] = [:], count: @escaping () -> Int, id: @escaping (Int) -> Int
  ) {
    (self.read, self.write, self.setters) = (read, write, setters)
    (self.count, self.id) = (count, id)
  }

  /// The setter of the field at an index; nil for one that can't be assigned.
  fileprivate func setter(at index: Int) -> (any FieldSetting)? { setters[index] }

  fileprivate static func readOnly(_ field: String) -> LuaError {
    LuaError(.readOnlyField, "\(Record.luaTypeName).\(field) is read-only and can't be assigned")
  }

  package var heldCount: Int { objects.count }

  /// The object of the record with an id, even if there is no such record now.
  public subscript(id: Int) -> LiveRecord<Record> {
    if let record = objects[id]?.object as? LiveRecord<Record> { return record }
    let record = LiveRecord(id: id, in: self)
    objects[id] = WeakReference(object: record)
    return record
  }

  /// The object of an existing record.
  ///
  /// - Throws: The feature's error if no record has the id.
  public func existing(_ id: Int) throws -> LiveRecord<Record> {
    _ = try read(id)
    return self[id]
  }

  fileprivate func forget(_ id: Int) {
    // A new object may have taken its place already.
    if objects[id]?.object == nil { objects[id] = nil }
  }
}

/// Not generic, because a dictionary of a type that isn't known until run time would take three times as long.
private struct WeakReference {
  weak var object: AnyObject?
}

/// Sends the action that assigning a field of a record sends.
protocol FieldSetting {
  /// - Returns: Whether the field has values of that type.
  func set<Value>(_ id: Int, to new: Value) throws -> Bool
}

private struct AssignmentSetter<F: Feature, Element>: FieldSetting {
  let assignment: RecordAssignment<F, Element>
  let store: Store

  func set<Value>(_ id: Int, to new: Value) throws -> Bool {
    guard let action = assignment.action(of: Value.self) else { return false }
    try store.send(action(id, new), to: F.self)
    return true
  }
}

extension LiveRecords where Record: StateStore.Record {
  /// The records of a list of a feature.
  convenience init<F>(_ list: RecordListAccess<F, Record>, in store: Store) {
    var setters: [Int: any FieldSetting] = [:]
    for assignment in list.assignments {
      guard let index = assignment.index, setters[index] == nil else { continue }
      setters[index] = AssignmentSetter(assignment: assignment, store: store)
    }
    self.init(
      read: { id in
        guard let record = list.record(store, id) else { throw list.missing(id) }
        return record
      }, setters: setters, count: { list.count(store) }, id: { list.id(store, $0) })
  }
}

/// A record of the state as scripts hold it: bound to the record's id, whatever its position and contents.
///
/// While no record has the id, using a field raises the feature's `not_found`.
public final class LiveRecord<Record: ScriptableRecord>: LuaExposed {
  let id: Int
  private let records: LiveRecords<Record>

  /// Only `LiveRecords` calls it, so that each record has one object.
  fileprivate init(id: Int, in records: LiveRecords<Record>) {
    self.id = id
    self.records = records
  }

  /// Makes the only record of its kind.
  ///
  /// - Parameter binding: Reads the record, and sends the action that replaces it.
  public init(_ binding: StateBinding<Record>) {
    id = 0
    records = LiveRecords(
      read: { _ in try binding.get() }, write: { try binding.set($1) }, count: { 1 }, id: { _ in 0 }
    )
  }

  deinit { records.forget(id) }

  /// The objects for parts that are more than values, made when first read.
  private var parts: [PartialKeyPath<Record>: AnyObject] = [:]

  /// The object for a part of a record that was made from a binding: always the same one.
  ///
  /// - Parameters:
  ///   - path: The part.
  ///   - make: Makes the object from a binding to the part.
  /// - Returns: The object.
  public func object<Part, Object: AnyObject>(
    for path: WritableKeyPath<Record, Part>, _ make: (StateBinding<Part>) -> Object
  ) -> Object {
    if let object = parts[path] as? Object { return object }
    // Capture these instead of the record, which keeps the object.
    let (id, records) = (id, records)
    let binding = StateBinding(
      get: { try records.read(id) },
      set: { record in
        guard let write = records.write else {
          throw LiveRecords<Record>.readOnly(
            Record.fieldIndex(of: path).map { Record.fields[$0].name } ?? "field")
        }
        try write(id, record)
      })
    let object = make(binding[path])
    parts[path] = object
    return object
  }

  func get() throws -> Record { try records.read(id) }

  /// Whether scripts can assign the field at an index.
  func isAssignable(at index: Int) -> Bool {
    records.write != nil || records.setter(at: index) != nil
  }

  /// Assigns a field, unless it already has that value.
  fileprivate func set<Value>(
    _ new: Value, _ part: RecordPart<Record, Value>, at index: Int
  ) throws {
    var record = try get()
    let isSame = part.read(record).stateValue == new.stateValue
    if let write = records.write, let path = part.path {
      record[keyPath: path] = new
      if !isSame { try write(id, record) }
    } else if isSame, records.setter(at: index) != nil {
      return
    } else if try records.setter(at: index)?.set(id, to: new) != true {
      throw LiveRecords<Record>.readOnly(Record.fields[index].name)
    }
  }

  /// The type's name in signatures.
  public static var luaTypeName: String { Record.luaTypeName }

  /// Adds the fields of the record.
  public static func describe(_ members: LuaClass<LiveRecord<Record>>) {
    var arePlain = true
    for (index, field) in Record.fields.enumerated() {
      if !members.add(field, at: index) { arePlain = false }
    }
    Record.describe(members)
    if arePlain {
      members.entries { record -> [(String, StateValue)] in
        let value = try record.get()
        return Record.fields.map { ($0.name, $0.value(in: value)) }
      }
    } else {
      // Read as scripts read them: a copy of a part that is more than a value would pass for the part.
      members.entries(ofProperties: Record.fields.map(\.name))
    }
    members.text(\.text)
  }

  private var text: String {
    do {
      return try get().luaText
    } catch {
      // Printing names the object, even if the record no longer exists to say more.
      return "\(Record.luaTypeName) \(id) (removed)"
    }
  }
}

extension LuaClass {
  /// Adds a field.
  ///
  /// - Returns: Whether its values are plain ones, which scripts can assign if the field can be assigned.
  fileprivate func add<Record>(_ field: RecordField<Record>, at index: Int) -> Bool
  where Object == LiveRecord<Record> {
    if let type = field.swiftType as? any ScriptableValue.Type {
      add(field, of: type, at: index)
      return true
    }
    property(
      field.name, help: field.help, example: "\(Record.luaExampleName).\(field.name)",
      get: { try field.value(in: $0.get()) })
    return false
  }

  private func add<Record, Value: ScriptableValue>(
    _ field: RecordField<Record>, of type: Value.Type, at index: Int
  ) where Object == LiveRecord<Record> {
    guard let part = field.part(of: type) else { return }
    let example = "\(Record.luaExampleName).\(field.name)"
    if part.path == nil {
      property(
        field.name, help: field.help, example: example,
        get: { try part.read($0.get()).luaForm })
    } else {
      property(
        field.name, help: field.help, example: "\(example) = \(Value.luaExample)",
        get: { try part.read($0.get()).luaForm },
        set: { try $0.set(Value(luaForm: $1), part, at: index) })
    }
  }
}

/// A list of live records; each access reads the current list.
public final class LiveList<Record: ScriptableRecord>: LuaExposed {
  let records: LiveRecords<Record>

  /// Makes a list of records.
  public init(_ records: LiveRecords<Record>) { self.records = records }

  /// The type's name in signatures.
  public static var luaTypeName: String { Record.luaListName }

  /// Adds the elements.
  public static func describe(_ members: LuaClass<LiveList<Record>>) {
    members.sequence(
      count: { $0.records.count() }, element: { $0.records[$0.records.id($1)] })
    members.method(
      "get", "id", help: "The record with an id.", example: "\(Record.luaListName):get(1)"
    ) { (list, id: Int) in try list.records.existing(id) }
  }
}
