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
  /// The setters of the fields, each a `FieldSetter` of its type; nil for those that can't be assigned.
  private let setters: [AnyObject?]

  let count: () -> Int
  /// The id of the record at a position, counted from 0.
  let id: (_ position: Int) -> Int

  private var objects: [Int: WeakReference] = [:]

  @usableFromInline init(
    read: @escaping (Int) throws -> Record, write: ((Int, Record) throws -> Void)? = nil,
    setters: [AnyObject?] = [], count: @escaping () -> Int, id: @escaping (Int) -> Int
  ) {
    (self.read, self.write, self.setters) = (read, write, setters)
    (self.count, self.id) = (count, id)
  }

  /// The setter of the field at an index; nil for one that can't be assigned.
  fileprivate func setter(at index: Int) -> AnyObject? {
    setters.indices.contains(index) ? setters[index] : nil
  }

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

/// The action that assigning a field of a record sends.
public struct FieldAssignment<F: ScriptableFeature, Record> {
  private let part: PartialKeyPath<Record>
  private let setter: (Store) -> AnyObject

  /// Makes an assignment.
  ///
  /// - Parameters:
  ///   - part: The field's key path in the record, as in its declaration.
  ///   - action: The action that gives the record with an id a new value there.
  /// - Returns: The assignment.
  public static func assign<Value: ScriptableValue>(
    _ part: KeyPath<Record, Value>, _ action: @escaping (_ id: Int, _ new: Value) -> F.Action
  ) -> Self {
    Self(part: part) { store in
      FieldSetter<Value> { id, new in try store.send(action(id, new), to: F.self) }
    }
  }

}

extension FieldAssignment where Record: FieldRecord {
  /// The setters of a record's fields, in their order; nil for fields without an assignment.
  @usableFromInline static func setters(_ assignments: [Self], in store: Store) -> [AnyObject?] {
    var setters = [AnyObject?](repeating: nil, count: Record.fields.count)
    for assignment in assignments {
      guard let index = Record.fieldIndex(of: assignment.part) else { continue }
      if setters[index] == nil { setters[index] = assignment.setter(store) }
    }
    return setters
  }

  /// Why an action can't be sent by assigning its field; nil if it can.
  @usableFromInline var problem: ScriptError? {
    guard Record.fieldIndex(of: part) == nil else { return nil }
    return .notAssignable(
      part.propertyName ?? "a computed part", of: "\(Record.self)", in: F.name)
  }
}

private final class FieldSetter<Value> {
  let set: (_ id: Int, _ new: Value) throws -> Void

  init(_ set: @escaping (Int, Value) throws -> Void) { self.set = set }
}

extension FeatureModule {
  /// The records of a list, as objects for scripts.
  ///
  /// It is inlinable because lists are several times as fast if their types are known.
  ///
  /// - Parameters:
  ///   - list: The list's key path in the state.
  ///   - missing: The error for an id that no record has.
  ///   - assignments: The actions that assigning fields sends; other fields are read-only.
  /// - Returns: The records.
  @inlinable public func records<Element: Record & ScriptableRecord>(
    _ list: KeyPath<F.State, RecordList<Element>>, missing: @escaping (_ id: Int) -> any Error,
    assigning assignments: FieldAssignment<F, Element>...
  ) -> LiveRecords<Element> {
    note(records: LiveRecord<Element>.self)
    for assignment in assignments { note(assignment.problem) }
    return LiveRecords(
      read: { [store] id in
        guard let record = store.read(F.self, { $0[keyPath: list][id: id] }) else {
          throw missing(id)
        }
        return record
      },
      setters: FieldAssignment.setters(assignments, in: store),
      count: { [store] in store.read(F.self) { $0[keyPath: list].count } },
      id: { [store] position in store.read(F.self) { $0[keyPath: list][position].id } })
  }

  /// Adds the records as the module's elements: `#persons`, `persons[1]`.
  public func sequence<Element>(of records: LiveRecords<Element>) {
    sequence(count: records.count, element: { records[records.id($0)] })
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
  public init(_ binding: Binding<Record>) {
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
    for path: WritableKeyPath<Record, Part>, _ make: (Binding<Part>) -> Object
  ) -> Object {
    if let object = parts[path] as? Object { return object }
    // Capture these instead of the record, which keeps the object.
    let (id, records) = (id, records)
    let binding = Binding(
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

  /// Assigns a field, unless it already has that value.
  fileprivate func set<Value>(
    _ new: Value, _ part: RecordPart<Record, Value>, at index: Int
  ) throws {
    var record = try get()
    let isSame = part.read(record).stateValue == new.stateValue
    if let write = records.write, let path = part.path {
      record[keyPath: path] = new
      if !isSame { try write(id, record) }
    } else if let setter = records.setter(at: index) as? FieldSetter<Value> {
      if !isSame { try setter.set(id, new) }
    } else {
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
    if let type = field.valueType as? any ScriptableValue.Type {
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
  private let records: LiveRecords<Record>

  /// Makes a list of records.
  public init(_ records: LiveRecords<Record>) { self.records = records }

  /// The type's name in signatures.
  public static var luaTypeName: String { Record.luaListName }

  /// Adds the elements.
  public static func describe(_ members: LuaClass<LiveList<Record>>) {
    members.sequence(
      count: { $0.records.count() }, element: { $0.records[$0.records.id($1)] })
  }
}
