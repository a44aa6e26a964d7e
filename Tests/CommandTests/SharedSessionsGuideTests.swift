import Foundation
import PostgresJournal
import StateStore
import Testing
import TestSupport

/// The guide to shared sessions, tried on a server that the tests start.
@Suite(
  "The guide to shared sessions",
  .enabled(if: DatabaseServer.isInstalled, "\(DatabaseServer.missingReason)"))
struct SharedSessionsGuideTests {
  private static let path = "Documentation/shared-sessions.md"

  /// The server's address in the document.
  private static let host = "db.example.org"

  /// The users and hosts in the document; here, all are the same.
  private static var authors: Regex<Substring> { #/anna@laptop|ben@desk/# }

  private static var author: String {
    let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "\(getuid())"
    return "\(user)@\(ProcessInfo.processInfo.hostName.prefix { $0 != "." })"
  }

  @Test("shows sessions, commands and queries as they are")
  func examples() async throws {
    let server = try await DatabaseServer(usesTCP: true)
    let place = "127.0.0.1:\(try #require(server.port))"
    let blocks = try Document(Self.path).blocks.map { block in
      var block = block
      block.lines = block.lines.map { line in
        line.replacing(Self.host, with: place).replacing(Self.authors, with: Self.author)
      }
      return block
    }
    try await setUp(server, by: blocks.filter { $0.kind == "sql" }.map(\.text).joined())
    var examples = try DocumentExamples(blocks)
    examples.ownCommands = [
      "sudo systemctl stop postgresql": { try await server.stop() },
      "sudo systemctl start postgresql": { try await server.start() },
    ]
    examples.normalized = Self.normalized
    try await examples.check()
  }

  /// Runs the document's SQL as the superuser does.
  private func setUp(_ server: DatabaseServer, by script: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(script, to: "setup.sql")
    let address = server.address(database: "postgres")
    let shell = CommandRunner(program: "/bin/sh")
    let result = try await shell.run(
      ["-c", "psql -q -v ON_ERROR_STOP=1 -f '\(file)' '\(address)' 2>&1"])
    try #require(result.status == .exited(0), "\(result.output)")
  }

  /// The text with the same times everywhere, and columns that don't depend on the lengths of authors.
  private static func normalized(_ text: String) -> String {
    text.replacing(#/\d{4}-\d\d-\d\d \d\d:\d\d/#, with: "2026-01-01 00:00")
      .replacing(#/\d\d:\d\d:\d\d/#, with: "00:00:00")
      .replacing(#/ {2,}/#, with: "  ")
  }

  // MARK: - In Swift

  @Test("contains code that is built, in this test or in the program")
  func code() throws {
    let files = [
      "Sources/primerepl/Primerepl.swift", "Tests/CommandTests/SharedSessionsGuideTests.swift",
    ]
    let built = try files.map {
      try String(contentsOf: Document.repository.appendingPathComponent($0), encoding: .utf8)
    }.joined()
    let lines = built.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let blocks = try Document(Self.path).blocks.filter { $0.kind == "swift" }
    #expect(blocks.count == 2)
    for line in blocks.flatMap(\.lines) where !line.isEmpty {
      #expect(lines.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
    }
  }

  private enum Counter: Feature {
    struct State: Codable, Equatable, Sendable {
      var count = 0
    }
    enum Action: Codable, Equatable, Sendable {
      case increment
    }

    static let name = "counter"
    static var initial: State { State() }
    static let fields: [Field<Counter>] = [.value("count", \.count)]

    static func reduce(_ state: inout State, _ action: Action) { state.count += 1 }
  }

  @MainActor
  @Test("describes a journal that works without Console")
  func journal() async throws {
    let server = try await DatabaseServer.shared()
    let address = server.address(database: try await server.newDatabase())
    let schema = try Store(features: [Counter.self]).schema

    let journal = try PostgresJournal(of: schema, program: Program("counter"), address: address)
    let session = try JournaledSession(schema, in: journal)
    try session.store.send(.increment, to: Counter.self)
    try session.save()

    let other = try JournaledSession(
      schema, in: PostgresJournal(of: schema, program: Program("counter"), address: address))
    #expect(other.store.state(of: Counter.self).count == 1)
  }
}
