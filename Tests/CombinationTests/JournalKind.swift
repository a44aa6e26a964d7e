import Foundation
import PostgresJournal
import SampleFeatures
import StateStore
import TestSupport

@testable import PostgresJournal
@testable import StateFile
@testable import StateStore

/// The kinds of journal, each of which must keep every kind of value: add a new one here.
enum JournalKind: String, CaseIterable, Sendable {
  case memory, sqlite, postgres

  /// The type of the journals.
  var type: any Journal.Type {
    switch self {
    case .memory: InMemoryJournal.self
    case .sqlite: SQLiteJournal.self
    case .postgres: PostgresJournal.self
    }
  }

  /// Those that can be used on this machine.
  static var available: [JournalKind] {
    allCases.filter { $0 != .postgres || DatabaseServer.isInstalled }
  }
}

/// An empty place for a session, which several processes can open.
struct JournalPlace {
  static let program = Program("combinations")

  /// Opens the session, as another process would.
  let open: (StoreSchema) throws -> any Journal
  /// The current values that the journal's tables have, by the paths of their fields; nil for a journal without tables.
  let tables: (() throws -> [String: JSONValue])?

  /// The address of the session, for `--state`; nil for a journal in memory.
  let address: String?

  private static let database = Task { try await DatabaseServer.shared().newDatabase() }

  init(_ kind: JournalKind) async throws {
    switch kind {
    case .memory:
      let journal = InMemoryJournal()
      (open, tables, address) = ({ _ in journal }, nil, nil)
    case .sqlite:
      let folder = try TemporaryFolder()
      let path = folder.path(of: "session.sqlite")
      open = { schema in
        try withExtendedLifetime(folder) {
          try SQLiteJournal(of: schema, program: Self.program, path: path)
        }
      }
      tables = {
        let database = try Database(path)
        func rows(_ sql: String) throws -> [[String]] {
          try database.rows(sql).map { $0.map { $0.text ?? "" } }
        }
        return try Self.values(
          fields: rows("SELECT path, value FROM fields"),
          lists: rows("SELECT path, CAST(count AS TEXT) FROM lists"),
          records: rows("SELECT list, value FROM records ORDER BY list, ordinal"))
      }
      address = path
    case .postgres:
      let server = try await DatabaseServer.shared()
      let address = server.address(
        database: try await Self.database.value, session: UUID().uuidString)
      open = { try PostgresJournal(of: $0, program: Self.program, address: address) }
      let place = try PostgresAddress(address, session: "")
      tables = {
        let database = try SessionDatabase(place, program: Self.program.name)
        let session = "session = (SELECT id FROM sessions WHERE name = $1)"
        func rows(_ sql: String) throws -> [[String]] {
          try database.run(sql, place.session).map { $0.map { $0 ?? "" } }
        }
        return try Self.values(
          fields: rows("SELECT path, value FROM fields WHERE \(session)"),
          lists: rows("SELECT path, count::text FROM lists WHERE \(session)"),
          records: rows(
            "SELECT list, value FROM records WHERE \(session) ORDER BY list, ordinal"))
      }
      self.address = address
    }
  }

  private struct WrongCount: Error {
    let list: String
  }

  private static func values(
    fields: [[String]], lists: [[String]], records: [[String]]
  ) throws -> [String: JSONValue] {
    func json(_ text: String) throws -> JSONValue {
      try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }
    // A request in its initial state may be there or not.
    let fields = fields.filter { !($0[0].hasSuffix("#request") && $0[1] == "{}") }
    var values = Dictionary(
      uniqueKeysWithValues: try fields.map { ($0[0], try json($0[1])) })
    let elements = Dictionary(grouping: records, by: \.[0])
    for list in lists {
      let found = elements[list[0]] ?? []
      guard found.count == Int(list[1]) else { throw WrongCount(list: list[0]) }
      values[list[0]] = .list(try found.map { try json($0[1]) })
    }
    return values
  }

  /// The values that tables must have for states: all that is saved.
  static func expected(_ states: States, _ schema: StoreSchema) throws -> [String: JSONValue] {
    let saved = SavedState(try schema.savedChanges(of: states))
    return try values(
      fields: saved.values.map { [$0, $1] }, lists: saved.lists.map { [$0, "\($1.count)"] },
      records: saved.lists.flatMap { path, records in records.map { [path, $0] } })
  }
}
