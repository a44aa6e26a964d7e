import Foundation
import Lua
import StateStore
import Testing

@testable import Scripting

/// A record with fields of every kind that scripts can assign, and one whose field has another name than its property.
private struct Ticket: Record, FieldRecord, ScriptableRecord {
  enum Priority: String, CaseIterable, Codable, ScriptableValue {
    case low, high
  }

  let id: Int
  var priority = Priority.low
  var owner: String?
  var isOpen = true

  static let fields: [RecordField<Ticket>] = [
    .constant("id", \.id), .field("priority", \.priority), .field("owner", \.owner),
    .field("open", \.isOpen),
  ]
  static let luaTypeName = "ticket"
  static let luaListName = "tickets"
  var luaText: String { "ticket \(id)" }
}

private enum Tickets: ScriptableFeature {
  struct State: Codable, Equatable, Sendable {
    var list = RecordList<Ticket>()
  }

  enum Action: Codable, Equatable, Sendable {
    case add(id: Int)
    case setPriority(id: Int, Ticket.Priority)
    case setOwner(id: Int, String?)
    case setOpen(id: Int, Bool)
  }

  static let name = "tickets"
  static let help = "Tickets."
  static var initial: State { State() }
  static let fields: [Field<Tickets>] = [.list("", \.list)]

  static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let id): try state.list.append(Ticket(id: id))
    case .setPriority(let id, let priority): state.list.update(id: id) { $0.priority = priority }
    case .setOwner(let id, let owner): state.list.update(id: id) { $0.owner = owner }
    case .setOpen(let id, let isOpen): state.list.update(id: id) { $0.isOpen = isOpen }
    }
  }

  static func describe(_ module: FeatureModule<Tickets>) {
    module.function("add", help: "Adds one.", example: "tickets.add()") { () in
      try module.sendWithNewID { .add(id: $0) }
    }
    module.sequence(
      of: module.records(
        \.list, missing: { PlainError<Tickets>("not_found", "No ticket has the id \($0).") },
        assigning: .assign(\.priority) { .setPriority(id: $0, $1) },
        .assign(\.owner) { .setOwner(id: $0, $1) }, .assign(\.isOpen) { .setOpen(id: $0, $1) }))
  }
}

/// A feature whose description assigns a constant, or declares a stub for a function that it doesn't have.
private enum Mistaken: ScriptableFeature {
  typealias State = Tickets.State
  typealias Action = Tickets.Action

  static let name = "mistaken"
  static let help = "Mistaken."
  static var initial: State { State() }
  static let fields: [Field<Mistaken>] = [.list("", \.list)]
  static func reduce(_ state: inout State, _ action: Action) throws {}

  static func describe(_ module: FeatureModule<Mistaken>) {
    module.sequence(
      of: module.records(
        \.list, missing: { _ in PlainError<Mistaken>("not_found", "None.") },
        assigning: .assign(\.id) { id, _ in .add(id: id) }))
  }
}

private enum Misspelled: ScriptableFeature {
  typealias State = Tickets.State
  typealias Action = Tickets.Action

  static let name = "misspelled"
  static let help = "Misspelled."
  static var initial: State { State() }
  static let fields: [Field<Misspelled>] = [.list("", \.list)]
  static func reduce(_ state: inout State, _ action: Action) throws {}
  static let stubbable = ["fecth"]

  static func describe(_ module: FeatureModule<Misspelled>) {
    module.asyncFunction("fetch", help: "Asks.", example: "misspelled.fetch()") { () in { 1 } }
  }
}

private struct NoServices: ScriptServices {
  var identifiers: any IdentifierSource = SequentialIdentifiers()
  var clock: any Clock<Duration> = ContinuousClock()
  var stubs: any ServiceStubs = NoStubs()
  func checkWaiting() throws {}
  func export(_ text: String, to path: String) throws {}
  func importStates(
    of schema: Schema, from path: String
  ) async throws -> (states: States, source: String?) { throw CancellationError() }
}

@MainActor
@Suite("An app's description")
struct AppCheckTests {
  private func app(
    _ features: [any ScriptableFeature.Type], modules: [any ScriptableFeature.Type]? = nil
  ) throws -> (LuaState, ScriptedApp) {
    let state = try LuaState()
    let app = try ScriptedApp(
      in: state, store: Store(features: features),
      modules: (modules ?? features).map { ScriptModule($0) }, services: NoServices())
    return (state, app)
  }

  private func error(
    _ features: [any ScriptableFeature.Type], modules: [any ScriptableFeature.Type]? = nil
  ) throws -> ScriptError? {
    let (state, app) = try app(features, modules: modules)
    defer { state.close() }
    do {
      try app.check()
      return nil
    } catch {
      return error
    }
  }

  @Test("is refused if a feature has no module")
  func noModule() throws {
    let error = try error([Tickets.self, Misspelled.self], modules: [Tickets.self])
    #expect(error?.code == "no_module")
    #expect(error?.message.contains("misspelled") == true)
  }

  @Test("is refused if an assignment is of a part that can't be assigned")
  func constant() throws {
    let error = try error([Mistaken.self])
    #expect(error?.code == "not_assignable")
    #expect(error?.message.contains("the part id of Ticket") == true)
  }

  @Test("is refused if a stub is declared for a function that doesn't exist")
  func stub() throws {
    let error = try error([Misspelled.self])
    #expect(
      error?.message
        == "No function is called misspelled.fecth, which is declared as stubbable; did you mean 'fetch'?"
    )
  }

  @Test("has the classes of its records without naming them")
  func recordTypes() throws {
    let (state, app) = try app([Tickets.self])
    defer { state.close() }
    #expect(app.help.reference.classes.map(\.name).contains("ticket"))
  }

  @Test("lets optional fields and enums of names be assigned")
  func assigned() async throws {
    let (state, app) = try app([Tickets.self])
    try app.check()
    let results = try await state.run(
      state.load(
        """
        tickets.add()
        local ticket = tickets[1]
        ticket.owner, ticket.priority, ticket.open = "Ann", "high", false
        local first = ticket.owner .. " " .. ticket.priority
        ticket.owner = nil
        local ok, problem = pcall(function() ticket.priority = "urgent" end)
        return first, ticket.owner, ok, tostring(problem)
        """, name: .text("test")))
    #expect(Array(results.prefix(3)) == [.string("Ann high"), .nil, .boolean(false)])
    #expect("\(results[3])".contains(#""low"|"high" expected, got "urgent""#))
    let ticket = app.store.state(of: Tickets.self).list[0]
    #expect(ticket == Ticket(id: 1, priority: .high, owner: nil, isOpen: false))
  }

  @Test("gives documents the names of fields, whatever those of the properties are")
  func document() throws {
    let store = try Store(features: [Tickets.self])
    try store.send(.add(id: 4), to: Tickets.self)
    try store.send(.setOpen(id: 4, false), to: Tickets.self)
    let json = StateDocument.json(of: store.states, store.schema)
    #expect(json.contains(#""open":false"#) || json.contains(#""open": false"#))
    let states = try StateDocument.states(from: Data(json.utf8), store.schema)
    try store.send(.restore(states, source: nil))
    #expect(store.state(of: Tickets.self).list[0] == Ticket(id: 4, isOpen: false))
  }
}
