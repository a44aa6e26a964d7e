import Foundation
import Lua
import StateStore
import Testing

@testable import Scripting

/// A record with fields of every kind that scripts can assign, and one whose field has another name than its property.
private struct Ticket: Record, FieldRecord, ScriptableRecord {
  enum Priority: String, CaseIterable, Codable, FieldValue {
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
  static let fields: [Field<Tickets>] = [
    .list(
      "", \.list, .set(\.priority) { .setPriority(id: $0, $1) },
      .set(\.owner) { .setOwner(id: $0, $1) }, .set(\.isOpen) { .setOpen(id: $0, $1) })
  ]

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
      _ = try module.add(to: module.records(\.list)) { .add(id: $0) }
    }
  }
}

/// A feature whose description has a mistake.
private enum Mistaken<Described: Mistake>: ScriptableFeature {
  struct State: Codable, Equatable, Sendable {
    var list = RecordList<Ticket>()
    var archive = RecordList<Ticket>()
  }

  enum Action: Codable, Equatable, Sendable {
    case none
  }

  static var name: String { "mistaken" }
  static var help: String { "Mistaken." }
  static var initial: State { State() }
  static var fields: [Field<Self>] {
    [.list("all", \.list), .hidden(\.archive), .request(request("fetch_all"))]
  }

  static func request(_ name: String) -> Request<Self, NoQuestion, Int> {
    Request(name, ask: { _ in 1 }, done: { _, _ in })
  }

  static func reduce(_ state: inout State, _ action: Action) throws {}

  static func describe(_ module: FeatureModule<Self>) { Described.describe(module) }
}

private protocol Mistake: SendableMetatype {
  static func describe(_ module: FeatureModule<Mistaken<Self>>)
}

private enum MisspelledRequest: Mistake {
  static func describe(_ module: FeatureModule<Mistaken<Self>>) {
    module.request(Mistaken.request("fetch_al")) { () in NoQuestion() }
  }
}

private enum UnlistedRequest: Mistake {
  static func describe(_ module: FeatureModule<Mistaken<Self>>) {
    module.request(Mistaken.request("order")) { () in NoQuestion() }
  }
}

private enum RepeatedRequest: Mistake {
  static func describe(_ module: FeatureModule<Mistaken<Self>>) {
    for _ in 0..<2 { module.request(Mistaken.request("fetch_all")) { () in NoQuestion() } }
  }
}

private enum RepeatedFunction: Mistake {
  static func describe(_ module: FeatureModule<Mistaken<Self>>) {
    module.action("send") { () in .none }
    module.function("send") { () in 1 }
  }
}

private enum UnlistedList: Mistake {
  static func describe(_ module: FeatureModule<Mistaken<Self>>) {
    let records = module.records(\.archive)
    module.function("last") { () in records[1] }
  }
}

/// A feature that assigns a field of records which is declared as a constant.
private enum Constant: ScriptableFeature {
  struct Label: Record, FieldRecord {
    let id: Int
    var text = ""

    static let fields: [RecordField<Label>] = [.constant("id", \.id), .constant("text", \.text)]
  }

  struct State: Codable, Equatable, Sendable {
    var list = RecordList<Label>()
  }

  enum Action: Codable, Equatable, Sendable {
    case rename(id: Int, text: String)
  }

  static let name = "constant"
  static let help = "Constant."
  static var initial: State { State() }
  static let fields: [Field<Constant>] = [
    .list("", \.list, .set(\.text) { .rename(id: $0, text: $1) })
  ]
  static func reduce(_ state: inout State, _ action: Action) throws {}
  static func describe(_ module: FeatureModule<Constant>) {}
}

/// A feature that needs services, which it knows by a protocol.
private enum Paid: ScriptableFeature {
  typealias Services = any Payments

  struct State: Codable, Equatable, Sendable {
    var receipt: String?
  }

  enum Action: Codable, Equatable, Sendable {
    case none
  }

  static let name = "paid"
  static let help = "Paid."
  static var initial: State { State() }
  static let pay = Request<Paid, Int, String>(
    "pay", ask: { context in try await context.services.pay(context.question) },
    done: { state, receipt in state.receipt = receipt })
  static let fields: [Field<Paid>] = [.value("receipt", \.receipt), .request(pay)]
  static func reduce(_ state: inout State, _ action: Action) throws {}

  static func describe(_ module: FeatureModule<Paid>) {
    module.request(pay, "amount") { (amount: Int) in amount }
  }
}

private protocol Payments: Sendable {
  func pay(_ amount: Int) async throws -> String
}

private struct Bank: Payments {
  func pay(_ amount: Int) async throws -> String { "paid \(amount)" }
}

private struct Post: Sendable {}

@MainActor
@Suite("An app's description")
struct AppCheckTests {
  @Test("is refused if a feature has no module")
  func noModule() {
    let error = #expect(throws: ScriptError.self) {
      try FeatureFixture([Tickets.self, Paid.self], modules: [ScriptModule(Tickets.self)])
    }
    #expect(error?.code == "no_module")
    #expect(error?.message.contains("paid") == true)
  }

  @Test("is refused if an assignment is of a part that can't be assigned")
  func constant() {
    let error = #expect(throws: SchemaError.self) { try FeatureFixture([Constant.self]) }
    #expect(error?.code == "not_assignable")
    #expect(error?.message.contains("text") == true)
  }

  @Test(
    "is refused with what to do",
    arguments: [
      (
        Mistaken<MisspelledRequest>.self as any ScriptableFeature.Type,
        "The request fetch_al isn't among the fields of mistaken; did you mean 'fetch_all'?"
      ),
      (
        Mistaken<UnlistedRequest>.self,
        "The request order isn't among the fields of mistaken: add .request to them."
      ),
      (
        Mistaken<RepeatedRequest>.self,
        "Two members are called mistaken.fetch_all: give each its own name."
      ),
      (
        Mistaken<RepeatedFunction>.self,
        "Two members are called mistaken.send: give each its own name."
      ),
      (
        Mistaken<UnlistedList>.self,
        #"The list archive isn't among the fields of mistaken: add .list("archive", \.archive) to them."#
      ),
    ])
  func mistakes(feature: any ScriptableFeature.Type, message: String) {
    let error = #expect(throws: ScriptError.self) { try FeatureFixture([feature]) }
    #expect(error?.message == message)
  }

  @Test("is refused if a module asks the services by a function of another module")
  func wrongModule() {
    let send = ServiceFunction<Post, String, String>("letters.send") { _, text in text }
    let error = #expect(throws: ScriptError.self) {
      try FeatureFixture(
        [],
        modules: [
          ScriptModule("post", services: Post.self, help: "Letters.") { $0.function(send, "text") }
        ], environment: ScriptEnvironment(app: Post()))
    }
    #expect(
      error?.message
        == "The module post has the function letters.send: its name begins with \"post.\".")
  }

  @Test("is refused, with the names of both, if a feature needs other services than there are")
  func wrongServices() {
    let error = #expect(throws: ScriptError.self) {
      try FeatureFixture([Paid.self], environment: ScriptEnvironment(app: Post()))
    }
    #expect(
      error?.message
        == "paid needs the services Payments, but the program has Post: give those to the Console."
    )
  }

  @Test("lets a feature know its services by a protocol, and another need none")
  func services() async throws {
    let app = try FeatureFixture(
      [Paid.self, Tickets.self], environment: ScriptEnvironment(app: Bank()))
    #expect(try await app.run("tickets.add() paid.pay(5) return paid.receipt") == "paid 5")
    #expect(app.scripted.stubbable.first == "paid.pay")
  }

  @Test("has names, texts and classes of records by default")
  func recordNames() async throws {
    let app = try FeatureFixture([Tickets.self])
    #expect(try await app.run("tickets.add() return tickets[1]") == "ticket 1")
    #expect(
      [Ticket.luaTypeName, Ticket.luaListName, Ticket.luaExampleName]
        == ["ticket", "tickets", "ticket"])
    #expect(app.scripted.help.reference.classes.map(\.name).contains("ticket"))
  }

  @Test("lets optional fields and enums of names be assigned")
  func assigned() async throws {
    let app = try FeatureFixture([Tickets.self])
    let results = try await app.run(
      """
      tickets.add()
      local ticket = tickets[1]
      ticket.owner, ticket.priority, ticket.open = "Ann", "high", false
      local first = ticket.owner .. " " .. ticket.priority
      ticket.owner = nil
      return first, ticket.owner
      """)
    #expect(results == "Ann high nil")
    #expect(
      await app.failure("tickets[1].priority = 'urgent'")?.message
        .contains(#""low"|"high" expected, got "urgent""#) == true)
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
