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

  private struct Note: EvolvingRecord, FieldRecord {
    let id: Int
    let text: String
    var isPinned = false

    static let initial = Note(id: 0, text: "")
    static let fields: [RecordField<Note>] = [
      .constant("id", \.id), .constant("text", \.text), .field("is_pinned", \.isPinned),
    ]
  }

  private enum Notes: Feature {
    struct State: Codable, Equatable, Sendable {
      var notes = RecordList<Note>()
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
      case .add(let note): try state.notes.append(note)
      case .pin(let id): state.notes.update(id: id) { $0.isPinned = true }
      }
    }

    static func migrate(_ json: inout JSONValue, _ part: StoredPart) {
      // The action was called `tick`.
      if part == .action { json.rename("tick", to: "pin") }
    }
  }

  /// The service of the guide's shop.
  private final class Payments: Sendable {
    func charge(_ card: String) async throws -> String { "paid by \(card.suffix(4))" }
  }

  private enum Shop: ScriptableFeature {
    struct State: Codable, Equatable, Sendable {
      var card = Secret.empty
    }
    enum Action: Codable, Equatable, Sendable {
      case setCard(Secret)
    }

    static let name = "shop"
    static let help = "A shop."
    static var initial: State { State() }
    static let fields: [Field<Shop>] = [.value("card", \.card)]
    static let payments = Payments()
    static let stubbable = ["charge"]

    static func reduce(_ state: inout State, _ action: Action) throws {
      switch action {
      case .setCard(let card): state.card = card
      }
    }

    static func describe(_ module: FeatureModule<Shop>) {
      module.asyncFunction("charge", help: "Pays.", example: "shop.charge()") { () in
        { () async throws -> String in
          try await module.answer(to: "charge") {
            try await module.state.card.withText { card in try await payments.charge(card) }
          }
        }
      }
    }
  }

  private struct NoFiles: ScriptServices {
    var identifiers: any IdentifierSource = SequentialIdentifiers()
    var clock: any Clock<Duration> = ContinuousClock()
    var stubs: any ServiceStubs = NoStubs()
    func checkWaiting() throws {}
    func export(_ text: String, to path: String) throws { throw CancellationError() }
    func importStates(
      of schema: Schema, from path: String
    ) async throws -> (states: States, source: String?) { throw CancellationError() }
  }

  @MainActor
  @Test("describes a service that gets the text of a secret")
  func service() async throws {
    let state = try LuaState()
    let store = try Store(features: [Shop.self])
    let app = try ScriptedApp(
      in: state, store: store, modules: [ScriptModule(Shop.self)], services: NoFiles())
    try app.check()
    try store.send(.setCard(Secret("4111 1111")), to: Shop.self)
    let results = try await state.run(state.load("return shop.charge()", name: .text("test")))
    #expect(results == [.string("paid by 1111")])
  }

  @Test("describes a store that works without Lua")
  func store() throws {
    var printed: [String] = []
    func print(_ value: Any) { printed.append("\(value)") }

    let store = try Store(features: [Notes.self])
    store.observe(\.notes.count, of: Notes.self) { new, old in print("\(old) -> \(new)") }
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
