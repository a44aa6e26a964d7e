import Foundation
import PrimereplPlatform
import SampleFeatures
import Testing
import TestSupport

@testable import StateFile
@testable import StateStore

@Suite("A state file")
struct StateFileTests {
  private let file: SQLiteFile

  init() throws { file = try SQLiteFile() }

  private func mode(_ path: String) throws -> Int {
    var status = stat()
    #expect(stat(path, &status) == 0, "\(path)")
    return Int(status.st_mode & 0o777)
  }

  @Test("can be read only by its owner, and so can the folders created for it")
  func accessRights() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("a/b/session.sqlite").path
    let old = umask(0)
    defer { umask(old) }
    let journal = try SQLiteJournal(at: path)
    try journal.append()
    #expect(try mode(path) == 0o600)
    for name in ["a", "a/b"] {
      #expect(try mode(folder.url.appendingPathComponent(name).path) == 0o700)
    }
  }

  @Test("loses other users' access when it is opened")
  func restriction() throws {
    try file.open().append()
    #expect(chmod(file.path, 0o644) == 0)
    let journal = try file.open()
    try journal.append()
    #expect(try mode(file.path) == 0o600)
  }

  @Test("identifies its program, and is a single file")
  func settings() throws {
    let journal = try file.open()
    #expect(try file.rows("PRAGMA application_id") == [["\(Sample.program.fileIdentifier)"]])
    #expect(try file.rows("PRAGMA user_version") == [["5"]])
    #expect(try file.rows("PRAGMA journal_mode") == [["delete"]])
    #expect(try file.files == ["session.sqlite"])
    withExtendedLifetime(journal) {}
  }

  @Test("contains no secrets, and doesn't reveal their length")
  func secrets() throws {
    let secret = "correct horse battery staple"
    let session = try file.session()
    for name in ["Doe", "Lovelace"] {
      try session.store.send(
        .edit(.init(lastName: name, password: Secret(secret))), to: Account.self)
      try session.save()
    }
    try session.store.undo()
    try session.save()
    for name in try file.files {
      let bytes = try file.bytes(name)
      for text in [secret, "•"] {
        #expect(bytes.range(of: Data(text.utf8)) == nil, "\(name)")
      }
    }
    #expect(try file.bytes().range(of: Data("Lovelace".utf8)) != nil)
  }

  @Test("has a path of any bytes, which is a URI for SQLite")
  func address() {
    #expect("/a b".databaseAddress == "file:/a%20b")
    #expect(
      String(systemBytes: Array("/a?#%".utf8) + [0xFF]).databaseAddress == "file:/a%3F%23%25%FF")
  }

  @Test("is unchanged after an interrupted write")
  func interruptedWrite() throws {
    try file.open().append()
    let database = try file.connect()
    // Some of it is written before it is committed.
    try database.run(
      script: """
        PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM history;
        CREATE TABLE large (content); INSERT INTO large VALUES (zeroblob(1000000));
        """)
    #expect(try file.files.contains("session.sqlite-journal"))
    let copy = try SQLiteFile()
    defer { withExtendedLifetime(copy) {} }
    for name in try file.files {
      try file.bytes(name).write(to: copy.folder.url.appendingPathComponent(name))
    }
    try database.run("ROLLBACK")
    let journal = try copy.open()
    #expect(try journal.load().entries.count == 1)
    #expect(journal.takeNotices().isEmpty)
    #expect(try copy.rows("SELECT * FROM sqlite_schema WHERE name = 'large'") == [])
  }

  @Test("is busy while another program writes for too long, but not afterwards")
  func busy() throws {
    let journal = try file.open(busyTimeout: 0.05)
    let other = try file.connect()
    try other.run("BEGIN IMMEDIATE")
    let error = #expect(throws: JournalError.busy(journal.path)) { try journal.append() }
    #expect(error?.code == "state_busy")
    #expect(try journal.load().entries.isEmpty)
    try other.run("ROLLBACK")
    #expect(try journal.append() == 1)
  }

  @Test("is the session, whoever has written to its tables")
  func editedByPeople() throws {
    let session = try file.session()
    try session.save(doing: .counter(.set(count: 5)), .notes(.add(id: 1, text: "milk")))
    try file.execute(
      """
      UPDATE fields SET value = '7' WHERE path = 'counter.count';
      UPDATE records SET value = json_set(value, '$.text', 'bread') WHERE list = 'notes.items'
      """)
    let store = try file.session().store
    #expect(store.state(of: Counter.self).count == 7)
    #expect(store.state(of: Notes.self).items.map(\.text) == ["bread"])
    try store.undo(2)
    #expect(store.states == States())
  }
}
