import Foundation
import SampleFeatures
import Testing
import TestSupport

@testable import StateFile
@testable import StateStore

@Suite("A state file that can't be written", .serialized)
struct UnwritableFileTests {
  private let file: SQLiteFile

  init() throws { file = try SQLiteFile() }

  /// A user to whom root's tests give the file, since root may write everywhere.
  private static let nobody: uid_t = 65_534

  /// Runs a process that has only the rights that the file and its folder give.
  private func write(_ steps: String...) async throws -> [Substring] {
    guard geteuid() == 0 else { return try await WriterProcess.run(file.path, steps) }
    for name in [""] + (try file.files) {
      let path = file.folder.url.appendingPathComponent(name).path
      #expect(chown(path, Self.nobody, Self.nobody) == 0)
    }
    return try await WriterProcess.run(file.path, ["user=\(Self.nobody)"] + steps)
  }

  private func setMode(_ mode: mode_t, _ path: String) {
    #expect(chmod(path, mode) == 0)
  }

  @Test(
    "for its access rights, those of its folder or both says so, and can be written again later",
    arguments: [(0o400, 0o700), (0o600, 0o500), (0o400, 0o500)] as [(mode_t, mode_t)])
  func accessRights(mode: mode_t, modeOfFolder: mode_t) async throws {
    try file.open().append()
    setMode(mode, file.path)
    setMode(modeOfFolder, file.folder.path)
    #expect(try await write("load=1", "append=1") == ["1", "state_unwritable"])
    setMode(0o700, file.folder.path)
    setMode(0o600, file.path)
    #expect(try await write("append=1") == ["2"])
    #expect(try file.open().load().entries.count == 2)
  }

  @Test(
    "as its file system can only be read says so, and can be read",
    .enabled(if: FullFileSystem.canBeMade))
  func readOnlyFileSystem() throws {
    let fileSystem = try FullFileSystem(size: "1m")
    let path = fileSystem.path + "/session.sqlite"
    try SQLiteJournal(at: path).append()
    try fileSystem.makeReadOnly()
    let journal = try SQLiteJournal(at: path)
    #expect(journal.writeFailure?.code == "state_unwritable")
    #expect(try journal.load().entries.count == 1)
    #expect(code { try journal.append() } == "state_unwritable")
  }

  @Test(
    "as its file system has no room at all says so, and can be read",
    .enabled(if: FullFileSystem.canBeMade))
  func noRoom() throws {
    let fileSystem = try FullFileSystem(size: "300k")
    let path = fileSystem.path + "/session.sqlite"
    try SQLiteJournal(at: path).append()
    fileSystem.fill()
    let journal = try SQLiteJournal(at: path)
    #expect(try journal.load().entries.count == 1)
    #expect(code { try journal.append() } == "state_unwritable")
    try fileSystem.resize(to: "16m")
    #expect(try journal.append() == 2)
  }

  @Test("nor read says so")
  func unreadable() async throws {
    try file.open().append()
    setMode(0, file.path)
    #expect(try await write("append=1") == ["state_unreadable"])
  }

  @Test("nor made says so")
  func readOnlyFolderOfNone() async throws {
    setMode(0o500, file.folder.url.path)
    #expect(try await write("load=1", "append=1") == ["0", "state_unwritable"])
    setMode(0o700, file.folder.url.path)
    #expect(try await write("append=1") == ["1"])
  }

  @Test("nor made, as its folder is a file, says so")
  func folderThatIsAFile() throws {
    try Data("text".utf8).write(to: URL(fileURLWithPath: file.path))
    let journal = try SQLiteJournal(at: file.path + "/session.sqlite")
    #expect(journal.writeFailure?.code == "state_unwritable")
    #expect(try journal.load().entries.isEmpty)
  }

  @Test("on a full disk keeps its contents, and accepts more once there is room")
  func full() async throws {
    let lines = try await WriterProcess.run(
      file.path, "append=20", "limit=60000", "append=1000", "limit=0", "append=20")
    // Something failed, and all else is there.
    let positions = lines.compactMap { Int($0) }
    #expect(lines.filter { Int($0) == nil } == ["state_unwritable"])
    #expect(positions == positions.sorted() && positions.allSatisfy { $0 % 10 == 0 })
    let journal = try file.open()
    #expect(try journal.load().extent.position == positions.last)
    // Those that couldn't be saved were saved with the next ones.
    let store = try journal.openSession().store
    #expect(store.state(of: Notes.self).items.count == positions.last)
    #expect(journal.takeNotices().isEmpty)
  }
}
