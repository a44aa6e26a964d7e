internal import Foundation
internal import PrimereplBridge
internal import PrimereplDomain
internal import StateFile
internal import StateStore

/// A state file with a session of many things to do, in a folder that goes away with this.
///
/// Nobody has it open, and the session was closed as it should be.
struct TodoFile {
  let path: String
  private let folder: TemporaryFolder

  /// How many things to do there are, of which the first has the id 1.
  static let count = 100_000

  /// Makes a file by actions, each of which adds one thing to do.
  ///
  /// - Throws: `JournalError`.
  init() throws {
    try self.init(folder: TemporaryFolder())
    let journal = try SQLiteJournal(of: App.schema, program: App.program, path: path)
    let session = try JournaledSession(App.schema, in: journal)
    for id in try journal.reserveIdentifiers(Self.count, of: IdentifierKind(Todo.name)) {
      try session.store.send(.add(id: id, text: "something to do, \(id)"), to: Todo.self)
    }
    try session.save()
  }

  /// Makes a copy of a file, to change it.
  ///
  /// - Throws: when the file can't be copied.
  init(copying original: TodoFile) throws {
    try self.init(folder: TemporaryFolder())
    try FileManager.default.copyItem(atPath: original.path, toPath: path)
    // Else the first who writes to it waits until all of it is on disk.
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.synchronize()
    try file.close()
  }

  private init(folder: TemporaryFolder) {
    self.folder = folder
    path = folder.path(of: "session.sqlite")
  }

  /// The things to do in the session.
  ///
  /// - Throws: `JournalError`.
  func items() throws -> [Todo.Item] {
    let journal = try SQLiteJournal(of: App.schema, program: App.program, path: path)
    return Array(try JournaledSession(App.schema, in: journal).store.state(of: Todo.self).items)
  }

  /// Opens the session, and closes it.
  ///
  /// - Returns: how long it took to open it.
  /// - Throws: `JournalError`, or ``BenchmarkError`` if it isn't the whole session.
  func open() throws -> Duration {
    let start = ContinuousClock.now
    let session = try JournaledSession(
      App.schema, in: SQLiteJournal(of: App.schema, program: App.program, path: path))
    let duration = ContinuousClock.now - start
    guard session.store.state(of: Todo.self).items.count == Self.count else {
      throw BenchmarkError.wrongResult(benchmark: "a session of \(Self.count) things to do")
    }
    return duration
  }
}
