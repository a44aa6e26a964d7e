import Foundation
import TestSupport
import Testing

@testable import Domain
@testable import StateStore

@Suite("A file of another kind is refused and left unchanged")
struct RefusedFileTests {
  private func expectRefused(_ file: SQLiteFile, code expected: String) throws {
    let (names, bytes) = (try file.files, try file.bytes())
    #expect(code { _ = try file.open() } == expected)
    #expect(try file.files == names)
    #expect(try file.bytes() == bytes)
  }

  @Test("a text", arguments: ["a", "print(1)\n", String(repeating: "text ", count: 1_000)])
  func text(content: String) throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    try Data(content.utf8).write(to: URL(fileURLWithPath: file.path))
    try expectRefused(file, code: "state_foreign")
  }

  @Test(
    "a database of another program",
    arguments: [
      "CREATE TABLE t (a)", "PRAGMA application_id = 17; CREATE TABLE entries (number)",
      "PRAGMA journal_mode = WAL; CREATE TABLE t (a)", "PRAGMA user_version = 1",
    ])
  func database(sql: String) throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    try file.execute(sql)
    try expectRefused(file, code: "state_foreign")
  }

  @Test("a state file of a newer version")
  func newer() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    try file.open().append([.numbered(1)], expecting: 0)
    try file.execute("PRAGMA user_version = 3")
    try expectRefused(file, code: "state_newer")
  }

  @Test("a state file of a newer version, whose version is only in its log")
  func newerInLog() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let journal = try file.open()
    _ = try journal.load()
    try file.execute("PRAGMA user_version = 3")
    #expect(try file.files.contains("session.sqlite-wal"))
    let copy = try SQLiteFile()
    defer { withExtendedLifetime(copy) {} }
    for name in ["session.sqlite", "session.sqlite-wal"] {
      try file.bytes(name).write(to: copy.folder.url.appendingPathComponent(name))
    }
    withExtendedLifetime(journal) {}
    let log = try copy.bytes("session.sqlite-wal")
    #expect(code { _ = try copy.open() } == "state_newer")
    #expect(try copy.bytes("session.sqlite-wal") == log)
  }

  @Test("a folder, and other things that aren't files", arguments: ["folder", "/dev/null"])
  func notAFile(name: String) throws {
    let folder = try TemporaryFolder()
    let path = name.hasPrefix("/") ? name : folder.url.path
    #expect(
      code { _ = try SQLiteJournal(of: App.schema, program: App.program, path: path) }
        == "state_foreign")
  }
}
