import Foundation
import TestSupport
import SampleFeatures
import Testing

@testable import StateFile
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
    try file.execute("PRAGMA user_version = 4")
    try expectRefused(file, code: "state_newer")
  }

  @Test("a state file of format 1, which was never released")
  func formatOne() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    try file.open().append([.numbered(1)], expecting: 0)
    try file.execute("PRAGMA user_version = 1")
    try expectRefused(file, code: "state_foreign")
  }

  @Test("a database of another program with its log beside it")
  func openDatabase() throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let queue = try file.connect()
    try queue.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    }
    #expect(try file.files.contains("session.sqlite-wal"))
    try expectRefused(file, code: "state_foreign")
    try queue.close()
  }

  @Test("a folder, and other things that aren't files", arguments: ["folder", "/dev/null"])
  func notAFile(name: String) throws {
    let folder = try TemporaryFolder()
    let path = name.hasPrefix("/") ? name : folder.url.path
    #expect(
      code { _ = try SQLiteJournal(of: Sample.schema, program: Sample.program, path: path) }
        == "state_foreign")
  }
}
