internal import Domain
internal import StateStore
internal import Lua

/// A list of live records, as it is at each access.
final class LiveList<Record: LiveRecordContent>: LuaExposed {
  private let count: () -> Int
  private let id: (Int) -> Int
  private let records: LiveRecords<Record>

  /// Makes a list.
  ///
  /// - Parameters:
  ///   - records: Its records, as objects.
  ///   - count: The number of records.
  ///   - id: The id of the record at a position from 0.
  init(of records: LiveRecords<Record>, count: @escaping () -> Int, id: @escaping (Int) -> Int) {
    self.records = records
    self.count = count
    self.id = id
  }

  static var luaTypeName: String { Record.luaListName }

  static func describe(_ members: LuaClass<LiveList<Record>>) {
    members.sequence(count: { $0.count() }, element: { $0.records[$0.id($1)] })
  }
}
