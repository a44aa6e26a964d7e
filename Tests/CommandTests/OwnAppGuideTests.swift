import Console
import Foundation
import TestSupport
import Testing

/// The guide to the kit: its code is that of the example, and its commands print what it says.
@Suite("The guide to an app of one's own")
struct OwnAppGuideTests {
  private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..")

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: repository.appendingPathComponent(path), encoding: .utf8)
  }

  /// The blocks of a kind.
  private static func blocks(_ kind: String) throws -> [String] {
    try text("Documentation/your-own-app.md").components(separatedBy: "```")
      .filter { $0.hasPrefix(kind + "\n") }.map { String($0.dropFirst(kind.count + 1)) }
  }

  @Test("contains code that is built: from the example, or from this test")
  func code() throws {
    let built =
      try Self.text("Examples/Notes/Notes.swift")
      + Self.text(
        "Tests/CommandTests/OwnAppGuideTests.swift")
    let lines = built.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let blocks = try Self.blocks("swift")
    #expect(blocks.count >= 8)
    for block in blocks {
      for line in block.split(separator: "\n") {
        let line = line.trimmingCharacters(in: .whitespaces)
        #expect(lines.contains(line), "\(line)")
      }
    }
  }

  @Test("shows the real output of commands")
  func commands() async throws {
    let session = try Self.blocks("console").joined()
    let folder = try TemporaryFolder()
    var runner = CommandRunner()
    runner.program = "/bin/sh"
    runner.workingDirectory = folder.url.path
    let path = URL(fileURLWithPath: try BuiltExecutable.path(of: "notes"))
      .deletingLastPathComponent().path
    let examples = session.components(separatedBy: "\n$ ").map {
      $0.hasPrefix("$ ") ? String($0.dropFirst(2)) : $0
    }
    #expect(examples.count == 5)
    for example in examples {
      let lines = example.split(separator: "\n", omittingEmptySubsequences: false)
      let result = try await runner.run(["-c", "PATH=\(path):$PATH; \(lines[0])"])
      let expected = lines.dropFirst().joined(separator: "\n")
      #expect(
        result.output.trimmingCharacters(in: .newlines)
          == expected.trimmingCharacters(in: .newlines), "\(lines[0]): \(result.error)")
    }
  }

  private struct Note: Record, FieldRecord {
    let id: Int
    let text: String
    var isPinned = false

    static let fields: [RecordField<Note>] = [
      .constant("id", \.id), .constant("text", \.text), .field("is_pinned", \.isPinned),
    ]
  }

  private enum Notes: Feature {
    struct State: Codable, Equatable, Sendable {
      var notes = RecordList<Note>()
      var lastID = 0
    }
    enum Action: Codable, Equatable, Sendable {
      case add(Note)
      case pin(id: Int)
    }

    static let name = "notes"
    static var initial: State { State() }
    static let fields: [Field<Notes>] = [.list("all", \.notes).inView("notes")]

    static func reduce(_ state: inout State, _ action: Action) throws {
      switch action {
      case .add(let note):
        try state.notes.append(note)
        state.lastID = note.id
      case .pin(let id): state.notes.update(id: id) { $0.isPinned = true }
      }
    }
  }

  @Test("describes a store that works without Lua")
  func store() throws {
    var printed: [String] = []
    func print(_ value: Any) { printed.append("\(value)") }

    let store = try Store(features: [Notes.self])
    store.observe(\.lastID, of: Notes.self) { new, old in print("\(old) -> \(new)") }
    try store.send(.add(Note(id: 1, text: "milk")), to: Notes.self)
    try store.send(.pin(id: 1), to: Notes.self)
    try store.undo()
    print(store.state(of: Notes.self).notes[0].isPinned)
    #expect(printed == ["0 -> 1", "false"])

    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("notes.sqlite").path
    do {
      let journal = try SQLiteJournal(of: store.schema, program: Program("notes"), path: path)
      let session = try JournaledSession(store.schema, in: journal)
      try session.store.send(.add(Note(id: 1, text: "milk")), to: Notes.self)
      try session.save()
    }
    let reopened = try JournaledSession(
      store.schema,
      in: SQLiteJournal(of: store.schema, program: Program("notes"), path: path))
    #expect(reopened.store.state(of: Notes.self).notes.map(\.text) == ["milk"])
  }
}
