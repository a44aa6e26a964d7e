import Foundation
import Testing
import TestSupport

/// A shared session in a database of its own, and what tests check in it.
struct SharedSessionFixture: Sendable {
  let server: DatabaseServer
  private let database: String
  private let home: TemporaryFolder

  /// - Parameter server: The server; by default, the one that all tests share.
  /// - Throws: Why there is no database.
  init(on server: DatabaseServer? = nil) async throws {
    self.server = if let server { server } else { try await DatabaseServer.shared() }
    database = try await self.server.newDatabase()
    home = try TemporaryFolder()
  }

  /// The session's address on the server's Unix socket.
  var address: String { server.address(database: database) }

  /// The session's address at a port of 127.0.0.1: the server's own, or a proxy's.
  func address(port: UInt16) -> String { DatabaseServer.address(port: port, database: database) }

  @discardableResult
  func query(_ sql: String) async throws -> [[String]] {
    try await server.query(sql, database: database)
  }

  /// Ends the connections of all processes.
  func endConnections() async throws {
    try await query(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
  }

  /// The state of the session, opened again, as `store.export` writes it.
  func exportedState() async throws -> String {
    let file = home.path(of: "state.json")
    let result = try await CommandRunner(home: home).run([
      "--state", address, "-e", "store.export('\(file)')",
    ])
    try #require(result.status == .exited(0), "\(result.error)")
    return try home.read("state.json")
  }

  /// Expects that the tables for people show a state, which is given as `store.export` writes it.
  func expectTables(_ document: String) async throws {
    let state = try #require(Self.value(document) as? [String: Any])
    // Those with a # aren't values of fields.
    for row in try await query("SELECT path, value FROM fields WHERE path NOT LIKE '%#%'") {
      let (path, value) = (row[0], try Self.value(row[1]))
      // The export leaves out whether a request for a list is under way.
      let expected = Self.field(path, of: state) ?? NSNumber(false)
      #expect(value.isEqual(expected), "\(path): \(value)")
    }
    for row in try await query("SELECT path, count FROM lists") {
      let path = row[0]
      let values = try await query(
        "SELECT value FROM records WHERE list = '\(path)' ORDER BY ordinal"
      ).map { try Self.value($0[0]) }
      let expected = try #require(Self.field(path, of: state))
      #expect(NSArray(array: values).isEqual(expected), "\(path)")
      #expect(row[1] == "\(values.count)", "\(path)")
    }
  }

  private static func value(_ text: String) throws -> NSObject {
    let value = try JSONSerialization.jsonObject(
      with: Data(text.utf8), options: .fragmentsAllowed)
    return try #require(value as? NSObject ?? (value as AnyObject) as? NSObject)
  }

  /// A field in an exported state; nil if it is left out.
  private static func field(_ path: String, of state: [String: Any]) -> Any? {
    if let value = state[path] { return value }
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    return (state[parts[0]] as? [String: Any]).flatMap { $0[parts.last ?? ""] }
  }
}
