import Foundation
import SampleFeatures
import Testing

@testable import StateFile
@testable import StateStore

@Suite("A damaged state file")
struct DamagedFileTests {
  private let file: SQLiteFile

  init() throws { file = try SQLiteFile() }

  /// Saves notes, one for each action.
  private func addNotes(_ count: Int = 5) throws {
    let session = try file.session()
    for id in 1...count { try session.store.send(.add(id: id, text: "note \(id)"), to: Notes.self) }
    try session.save()
  }

  /// Expects that opening the file is refused in words, with advice, and changes nothing.
  private func expectRefused(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let bytes = try file.bytes()
    let error = #expect(throws: JournalError.self, sourceLocation: sourceLocation) {
      _ = try file.session()
    }
    #expect(error?.code == "state_damaged", sourceLocation: sourceLocation)
    let message = error?.message ?? ""
    #expect(message.hasPrefix("\(file.path): damaged: "), sourceLocation: sourceLocation)
    #expect(
      message.hasSuffix(
        ". Nothing was changed; put a copy of it in its place, or move it away to begin with an "
          + "empty session; sqlite3's .recover shows what can be read."),
      "\(message)", sourceLocation: sourceLocation)
    #expect(try file.bytes() == bytes, sourceLocation: sourceLocation)
    #expect(try file.files == ["session.sqlite"], sourceLocation: sourceLocation)
  }

  @Test(
    "is refused if it has lost a table",
    arguments: ["session", "writes", "history", "identifiers", "fields", "lists", "records"])
  func lostTable(name: String) throws {
    try addNotes()
    try file.execute("DROP TABLE \(name)")
    try expectRefused()
  }

  @Test(
    "is refused if its session or its history isn't whole",
    arguments: [
      "DELETE FROM session", "UPDATE session SET identity = 'x'",
      "UPDATE session SET sequence = 'x'", "UPDATE session SET sequence = 77",
      "UPDATE session SET position = 'x'", "UPDATE session SET position = -1",
      "UPDATE session SET position = 77", "UPDATE session SET position = \(Int.max)",
      "DELETE FROM writes", "UPDATE writes SET id = 'x'",
      "DELETE FROM history WHERE number = 3", "UPDATE history SET number = number - 77",
      "UPDATE history SET number = number + 77", "UPDATE history SET text = x'ff'",
      "UPDATE history SET number = \(Int.max) WHERE number = 5",
      "UPDATE history SET number = 1000000000000 WHERE number = 5",
      "UPDATE history SET time = 'noon'", "UPDATE history SET sequence = 'x'",
      "UPDATE history SET sequence = 1e300", "UPDATE fields SET value = x'ff'",
      "UPDATE records SET value = x'ff'",
    ])
  func notWhole(sql: String) throws {
    try addNotes()
    try file.execute(sql)
    try expectRefused()
  }

  @Test("is refused while it is open, too, when another program has removed a record")
  func tampering() throws {
    try addNotes()
    let session = try file.session()
    try file.execute("DELETE FROM records WHERE id = 3")
    let bytes = try file.bytes()
    try session.store.send(.finish(id: 3), to: Notes.self)
    #expect(code { try session.save() } == "state_damaged")
    #expect(try file.bytes() == bytes)
    #expect(session.hasUnsavedEntries)
  }

  @Test("is refused when it has more records than another program's changes let it count")
  func addedRecords() throws {
    try addNotes(1)
    try file.execute(
      """
      INSERT INTO records (list, id, ordinal, value)
      SELECT list, id + 1, ordinal + 1, replace(value, '"id":1', '"id":2') FROM records
      """)
    let session = try file.session()
    for id in 1...2 { try session.store.send(.remove(id: id), to: Notes.self) }
    try session.store.send(.add(id: 3, text: "new"), to: Notes.self)
    #expect(code { try session.save() } == "state_damaged")
    #expect(session.hasUnsavedEntries)
  }

  @Test("is opened if only the next identifiers aren't as they were")
  func identifiers() throws {
    try addNotes()
    _ = try file.open().reserveIdentifiers(5, of: .note)
    try file.execute(
      """
      UPDATE identifiers SET next = 'x' WHERE kind = 'note';
      INSERT INTO identifiers VALUES ('person', 9223372036854775807)
      """)
    #expect(try file.open().reserveIdentifiers(2, of: .note).count == 2)
    #expect(try file.open().reserveIdentifiers(2, of: .person).count == 2)
    let store = try file.session().store
    #expect(store.identifiers.next(.note, after: 5) { $0 <= 5 } > 5)
  }

  @Test(
    "is opened if what an action changed can't be read, which then can't be undone",
    arguments: ["", "x", "{}", "[{}]", #"[{"field":"notes.query"}]"#, #"[[],7]"#])
  func unreadableChanges(changes: String) throws {
    try addNotes()
    try file.execute("UPDATE history SET changes = '\(changes)' WHERE number = 3")
    let session = try file.session()
    let store = session.store
    try store.undo(2)
    let error = #expect(throws: (any Error).self) { try store.undo() }
    #expect((error as? any CodedError)?.code == "unreadable_change")
    #expect(
      error?.userMessage.hasPrefix("What action 3 changed can't be read: ") == true,
      "\(error?.userMessage ?? "")")
    #expect(code { try store.jump(to: 0) } == "unreadable_change")
    #expect(code { _ = try store.history() } == "unreadable_change")
    #expect(store.position == 3)
    #expect(store.state(of: Notes.self).items.count == 3)
    try store.redo(2)
    try store.send(.increment(by: 1), to: Counter.self)
    try session.save()
    #expect(try file.session().store.states == store.states)
  }

  @Test(
    "is opened if an action's change doesn't fit the state, which then can't be undone",
    arguments: [
      #"[{"list":"notes.items","id":77,"position":0,"to":{"id":77,"text":"x","done":false}}]"#:
        "changed_since",
      #"[{"list":"notes.items","id":77,"position":0,"from":{"id":77},"to":{"id":77}}]"#:
        "changed_since",
      #"[{"list":"notes.items","id":3,"position":0,"from":{"id":3,"text":7},"to":{"id":3}}]"#:
        "unreadable_change",
      #"[{"list":"notes.items","id":33,"position":0,"from":{"id":33}}]"#: "unreadable_change",
      #"[{"field":"notes.query","from":7,"to":""}]"#: "unreadable_change",
      #"[{"field":"notes.query","from":"x","to":""},{"field":"counter.count","from":"x","to":5}]"#:
        "unreadable_change",
    ])
  func unfitChanges(changes: String, expected: String) throws {
    try addNotes()
    try file.execute("UPDATE history SET changes = '\(changes)' WHERE number = 5")
    let store = try file.session().store
    let states = store.states
    #expect(code { try store.undo() } == expected)
    #expect(store.states == states)
    #expect(store.position == 5)
  }

  @Test("keeps an action that can't be read as its text", arguments: ["", "x", "{}", "[]"])
  func unreadableAction(action: String) throws {
    try addNotes()
    try file.execute("UPDATE history SET action = '\(action)', text = 'add()' WHERE number = 5")
    let store = try file.session().store
    let entry = try #require(store.history().last)
    #expect(entry.recorded.action.savedText == "add()")
    #expect(entry.changes.map(\.path) == ["notes.items", "notes.last_text"])
    try store.undo(5)
    #expect(store.states == States())
  }

  @Test("takes the changes of an action that can't be read back, before others")
  func takingBack() throws {
    try file.session().save(
      doing: .counter(.set(count: 5)), .notes(.add(id: 1, text: "milk")))
    try file.execute("UPDATE history SET action = 'x' WHERE number = 1")
    let store = try file.session().store
    try store.takeBack(1...1)
    #expect(store.state(of: Counter.self).count == 0)
    #expect(store.state(of: Notes.self).items.count == 1)
  }

  @Test("that has lost its end is refused, or opened with everything", arguments: [1, 4, 8])
  func truncated(eighths: Int) throws {
    try addNotes(2_000)
    let states = try file.session().store.states
    let whole = try file.bytes()
    let bytes = whole.prefix(whole.count * eighths / 8 - 5)
    try file.overwrite(with: bytes)
    if eighths < 8 { return try expectRefused() }
    // SQLite reads zeros in place of a part of the last page, which may be empty, or a value.
    do {
      #expect(try file.session().store.states == states)
    } catch is JournalError {
      #expect(try file.bytes() == bytes)
    }
  }

  @Test("whose pages were overwritten is refused", arguments: ["records_in_order", "history"])
  func overwritten(table: String) throws {
    try addNotes(2_000)
    let root = try #require(
      Int(file.rows("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")[0][0]))
    var bytes = try file.bytes()
    let start = (root - 1) * 4096
    bytes.replaceSubrange(start..<start + 4096, with: Data(repeating: 0x55, count: 4096))
    try file.overwrite(with: bytes)
    try expectRefused()
  }
}
