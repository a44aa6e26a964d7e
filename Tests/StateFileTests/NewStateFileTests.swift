import Foundation
import SampleFeatures
import Testing
import TestSupport

@testable import StateFile
@testable import StateStore

@Suite("A new state file", .serialized)
struct NewStateFileTests {
  private let file: SQLiteFile

  init() throws {
    file = try SQLiteFile()
  }

  /// Expects that there is a file which is in order, with nothing beside it, or nothing at all.
  private func expectWholeOrNothing(_ names: [String], at path: String) throws {
    guard !names.isEmpty else { return }
    #expect(names == ["session.sqlite"])
    let journal = try SQLiteJournal(at: path)
    _ = try journal.load()
    #expect(journal.takeNotices().isEmpty)
  }

  @Test(
    "is created completely or not at all with a limit of file sizes",
    arguments: (0...6).map { $0 * 16_384 })
  func limitOfSize(bytes: Int) async throws {
    let lines = try await WriterProcess.run(
      file.path, "limit=\(max(1, bytes))", "load=1", "limit=0", "append=10")
    #expect(lines == ["0", "10"])
    let other = try SQLiteFile()
    defer { withExtendedLifetime(other) {} }
    _ = try await WriterProcess.run(other.path, "limit=\(max(1, bytes))", "load=1")
    try expectWholeOrNothing(other.files, at: other.path)
  }

  @Test(
    "is created completely or not at all on a disk with little room",
    .enabled(if: FullFileSystem.canBeMade), arguments: (0...6).map { $0 * 16 + 8 })
  func fullDisk(kilobytes: Int) async throws {
    let fileSystem = try FullFileSystem(size: "\(kilobytes)k")
    let path = fileSystem.path + "/session.sqlite"
    #expect(try await WriterProcess.run(path, "load=1") == ["0"])
    try expectWholeOrNothing(
      FileManager.default.contentsOfDirectory(atPath: fileSystem.path), at: path)
    try fileSystem.resize(to: "1m")
    #expect(try await WriterProcess.run(path, "append=10") == ["10"])
  }

  @Test("replaces an empty one")
  func empty() throws {
    try Data().write(to: URL(fileURLWithPath: file.path))
    #expect(try file.open().append() == 1)
    #expect(try file.files == ["session.sqlite"])
  }

  @Test(
    "that an earlier version left incomplete is an empty session",
    arguments: [
      "PRAGMA application_id = \(Sample.program.fileIdentifier)",
      "PRAGMA application_id = \(Sample.program.fileIdentifier); CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
    ])
  func halfMade(sql: String) throws {
    try file.execute(sql)
    let journal = try file.open()
    #expect(try journal.load().state == SavedState())
    #expect(try journal.load().entries.isEmpty)
    #expect(try journal.append() == 1)
    #expect(journal.takeNotices().isEmpty)
  }

  @Test("is created once by several processes that start together, and has all that each adds")
  func several() async throws {
    let path = file.path
    let lines = try await withThrowingTaskGroup(of: [Substring].self) { group in
      for _ in 0..<12 { group.addTask { try await WriterProcess.run(path, "append=100") } }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(lines.count == 120 && lines.allSatisfy { Int($0) != nil }, "\(lines)")
    #expect(try file.files == ["session.sqlite"])
    let store = try file.session().store
    #expect(store.position == 1_200)
    #expect(store.states[Notes.self].items.count == 1_200)
    try file.expectViews(store.states)
    try store.undo(1_200)
    #expect(store.states == States())
  }
}
