import Console
import Foundation
import Testing
import TestSupport

/// The guide to the kit: its code is that of the example, and its commands print what it says.
@Suite("The guide to an app of one's own")
struct OwnAppGuideTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Document.repository.appendingPathComponent(path), encoding: .utf8)
  }

  @Test("contains code that is built: from the example, or from this test")
  func code() throws {
    let built =
      try Self.text("Examples/Notes/Notes.swift")
      + Self.text(
        "Tests/CommandTests/OwnAppGuideTests.swift")
    let lines = built.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let blocks = try Document("Documentation/your-own-app.md").blocks.filter { $0.kind == "swift" }
    #expect(blocks.count >= 8)
    for block in blocks {
      for line in block.lines where !line.isEmpty {
        let line = line.trimmingCharacters(in: .whitespaces)
        #expect(lines.contains(line), "\(line)")
      }
    }
  }

  private struct Note: EvolvingRecord, FieldRecord {
    let id: Int
    var text: String
    var isPinned = false

    static let initial = Note(id: 0, text: "")
    static let fields: [RecordField<Note>] = [
      .constant("id", \.id), .field("text", \.text), .field("is_pinned", \.isPinned),
    ]
  }

  private enum Notes: Feature {
    struct State: Codable, Equatable, Sendable {
      var notes = RecordList<Note>()
    }
    enum Action: Codable, Equatable, Sendable {
      case add(Note)
      case rename(id: Int, text: String)
      case pin(id: Int)
    }
    enum ErrorCode: String, FeatureErrorCode { case notFound }
    typealias Services = DocumentAccess

    static let name = "notes"
    static var initial: State { State() }
    static let fields: [Field<Notes>] = [.list("", \.notes), .request(load)]

    static let load = Request<Notes, String, [Note]>(
      "load", isLocal: DocumentSource.isLocal,
      ask: { request in
        try await request.services.records(of: String.self, from: request.question)
      },
      answer: { texts, _, newID in texts.map { Note(id: newID(), text: $0) } },
      reply: { $0.map(\.text) },
      done: { state, notes in try state.notes.replaceAll(with: notes) })

    static func reduce(_ state: inout State, _ action: Action) throws {
      switch action {
      case .add(let note): try state.notes.append(note)
      case .rename(let id, let text): state.notes.update(id: id) { $0.text = text }
      case .pin(let id):
        guard state.notes.update(id: id, { $0.isPinned = true }) else {
          throw FeatureError<Notes>(.notFound, "No note has the id \(id).")
        }
      }
    }

    static let version = 2

    static func migrate(_ state: inout JSONValue, from version: Int) {
      // The query was called `search`.
      if version < 2 { state.rename("search", to: "query") }
    }
  }

  @MainActor
  @Test("describes a store that works without Lua")
  func store() async throws {
    let folder = try TemporaryFolder()
    var printed: [String] = []
    func print(_ value: Any) { printed.append("\(value)") }

    let store = try Store(features: [Notes.self])
    store.observe(\.notes.count, of: Notes.self) { new, old in print("\(old) -> \(new)") }
    try store.send(to: Notes.self) { id in .add(Note(id: id, text: "milk")) }
    try store.group {
      try store.send(.rename(id: 1, text: "oat milk"), to: Notes.self)
      try store.send(.pin(id: 1), to: Notes.self)
    }
    try store.undo()
    print(store.state(of: Notes.self).notes[0].text)
    #expect(printed == ["0 -> 1", "milk"])

    let services = ServiceContext(DocumentAccess())
    await #expect(throws: SourceError.self) {
      try await store.ask(Notes.load, "more.json", in: services)
    }

    let path = folder.path(of: "notes.sqlite")
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

  @Test("describes tests in Swift, which must mention every change")
  func testStore() throws {
    let test = try TestStore(Notes.self)
    let milk = Note(id: 1, text: "milk")
    try test.send(.add(milk)) { try $0.notes.append(milk) }
    try test.fails(.pin(id: 5), with: .notFound)
    #expect(throws: TestStore<Notes>.Failure.self) { try test.send(.pin(id: 1)) }
  }

  /// The services of the guide's shop.
  private final class Payments: Sendable {
    func charge(_ card: String) async throws -> String { "paid by \(card.suffix(4))" }
  }

  private enum Shop: ScriptableFeature {
    struct State: Codable, Equatable, Sendable {
      var card = Secret.empty
      var receipt = ""
    }
    enum Action: Codable, Equatable, Sendable {
      case setCard(Secret)
    }
    typealias Services = Payments

    static let name = "shop"
    static let help = "A shop."
    static var initial: State { State() }
    static let fields: [Field<Shop>] = [
      .value("card", \.card) { .setCard($0) }, .value("receipt", \.receipt), .request(charge),
    ]

    static let charge = Request<Shop, NoQuestion, String>(
      "charge",
      ask: { shop in
        let services = shop.services
        return try await shop.state.card.withText { card in try await services.charge(card) }
      },
      done: { state, receipt in state.receipt = receipt })

    static func reduce(_ state: inout State, _ action: Action) throws {
      switch action {
      case .setCard(let card): state.card = card
      }
    }

    static func describe(_ module: FeatureModule<Shop>) {
      module.request(charge, help: "Pays.", example: "shop.charge()") { () in NoQuestion() }
    }
  }

  @MainActor
  @Test("describes a service that gets the text of a secret")
  func secret() async throws {
    let state = try LuaState()
    let app = try ScriptedApp(
      in: state, store: Store(features: [Shop.self]), modules: [ScriptModule(Shop.self)],
      environment: ScriptEnvironment(app: Payments()))
    let code = "shop.card = '4111 1111' shop.charge() return shop.receipt, shop.card"
    let results = try await state.run(state.load(code, name: .text("test")))
    #expect(results == [.string("paid by 1111"), .string("•••••••••")])
    #expect(app.store.position == 3)
  }
}
