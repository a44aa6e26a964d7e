import StateStore
public import Lua

/// A list of live records, as it is at each access.
public final class LiveList<Record: ScriptableRecord>: LuaExposed {
  private let count: () -> Int
  private let id: (Int) -> Int
  private let records: LiveRecords<Record>

  /// Makes a list.
  ///
  /// - Parameters:
  ///   - records: Its records, as objects.
  ///   - count: The number of records.
  ///   - id: The id of the record at a position from 0.
  public init(
    of records: LiveRecords<Record>, count: @escaping () -> Int, id: @escaping (Int) -> Int
  ) {
    self.records = records
    self.count = count
    self.id = id
  }

  /// What signatures call it.
  public static var luaTypeName: String { Record.luaListName }

  /// Adds the elements.
  public static func describe(_ members: LuaClass<LiveList<Record>>) {
    members.sequence(count: { $0.count() }, element: { $0.records[$0.id($1)] })
  }
}
