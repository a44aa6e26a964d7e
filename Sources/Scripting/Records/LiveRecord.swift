import StateStore
public import Lua

/// A record of the state as scripts hold it: bound to the record's id, wherever that stands, whatever it has become.
///
/// While no record has the id, using a field raises the feature's `not_found`.
public final class LiveRecord<Record: ScriptableRecord>: LuaExposed {
  let id: Int

  // Not the record's binding, which is larger: a script may hold as many as there are records.
  private let records: LiveRecords<Record>

  /// Only `LiveRecords` makes one, so that each record has one.
  init(id: Int, in records: LiveRecords<Record>) {
    self.id = id
    self.records = records
  }

  deinit { records.forget(id) }

  /// What its fields are read from and set by.
  var binding: Binding<Record> { records.binding(id) }

  /// What signatures call it.
  public static var luaTypeName: String { Record.luaTypeName }

  /// Adds the fields of the record.
  public static func describe(_ members: LuaClass<LiveRecord<Record>>) {
    Record.describe(members)
    members.entries { record -> [(String, StateValue)] in
      guard case .record(let fields) = try record.binding.get().stateValue else { return [] }
      return fields.map { ($0.name, $0.value) }
    }
    members.text(\.text)
  }

  private var text: String {
    do {
      return try binding.get().luaText
    } catch {
      // Printing says what the object is, even where the record isn't there to say more.
      return "\(Record.luaTypeName) \(id) (removed)"
    }
  }
}

extension LuaClass {
  /// Adds a field of a live record, which scripts can read.
  public func field<Record: ScriptableRecord, Value: LuaPushable>(
    _ name: String, help: String, example: String, get: @escaping (Record) -> Value
  ) where Object == LiveRecord<Record> {
    property(name, help: help, example: example, get: { try get($0.binding.get()) })
  }

  /// Adds a field of a live record, which scripts can read and assign.
  public func field<Record: ScriptableRecord, Value: LuaPushable & LuaReadable>(
    _ name: String, _ path: WritableKeyPath<Record, Value>, help: String, example: String
  ) where Object == LiveRecord<Record> {
    property(
      name, help: help, example: example, get: { try $0.binding[path].get() },
      set: { try $0.binding[path].set($1) })
  }
}
