import Foundation
import SampleFeatures
import Testing

@testable import StateStore

@Suite("States saved by another version")
struct StoredFormTests {
  private func loaded(_ saved: SavedState) throws -> StoreSchema.LoadedStates {
    try Sample.schema.loadedStates(from: saved)
  }

  @Test("have initial values for missing features and fields, and parts of records")
  func missingParts() throws {
    var expected = States()
    expected[Notes.self].query = "x"
    try expected[People.self].list.append(.init(id: 1, name: "Ann", age: 18))
    let saved = SavedState(
      values: ["notes.query": #""x""#], lists: ["people": [#"{"id": 1, "name": "Ann"}"#]])
    #expect(try loaded(saved).states == expected)
  }

  @Test("have initial values for missing properties that no field shows")
  func missingProperties() throws {
    let saved = SavedState(values: ["counter#state": "{}", "counter.count": "5"])
    #expect(try loaded(saved).states[Counter.self].count == 5)
    #expect(try !loaded(saved).states[Counter.self].isCardOpen)
    let other = SavedState(values: ["counter#state": #"{"isCardOpen": true}"#])
    #expect(try loaded(other).states[Counter.self].isCardOpen)
  }

  @Test("keep what this version lacks, and write it again as it was")
  func unknown() throws {
    let saved = SavedState(
      values: [
        "later.x": "[1,2]", "notes.color": #""red""#, "later#version": "7",
        "later.get#request": #"{"pending":3}"#,
      ],
      lists: ["later.things": [#"{"id":1}"#, #"{"id":2}"#], "notes.tags": []])
    let loaded = try loaded(saved)
    #expect(loaded.states.unused == saved)
    let written = SavedState(try Sample.schema.savedChanges(of: loaded.states))
    for (path, value) in saved.values { #expect(written.values[path] == value) }
    for (path, elements) in saved.lists { #expect(written.lists[path] == elements) }
  }

  @Test("keep it in all that happens to the rest")
  func unknownStays() throws {
    let unused = SavedState(values: ["later.x": "1"])
    let store = Store(states: try loaded(unused).states)
    try store.send(.set(count: 1), to: Counter.self)
    try store.reset()
    try store.send(.restore(States(), source: "x.json"))
    try store.jump(to: 1)
    #expect(store.states.unused == unused)
    try store.jump(to: 3)
    #expect(store.states.unused == unused)
  }

  @Test("don't keep what follows from the rest, which earlier formats have")
  func derived() throws {
    let saved = SavedState(values: ["notes.filtering": "true", "counter.loading": "true"])
    #expect(try loaded(saved).states == States())
  }

  @Test("have why a request failed, which earlier formats have as a field alone")
  func failedRequest() throws {
    let saved = SavedState(values: ["people.error": #""no people""#, "people.loading": "true"])
    let store = Store(states: try loaded(saved).states)
    #expect(store.error(of: People.fetch) == "no people")
    #expect(!store.isPending(People.fetch))
  }

  @Test(
    "are refused with their place if a value has another type",
    arguments: [
      (SavedState(values: ["notes.query": "7"]), "notes.query: expected text, found a number"),
      (
        SavedState(values: ["counter.count": #""x""#]),
        "counter.count: expected a whole number, found text"
      ),
      (
        SavedState(values: ["counter#state": #"{"isCardOpen": 7}"#]),
        "counter.isCardOpen: expected true or false"
      ),
      (
        SavedState(lists: ["people": [#"{"id": 1, "name": "Ann"}"#, #"{"id": "x"}"#]]),
        "people[2].id: expected a whole number, found text"
      ),
      (
        SavedState(lists: ["notes.items": [#"{"id": 1, "text": "a"}"#]]),
        "notes.items[1].done: is missing"
      ),
    ])
  func refusal(saved: SavedState, expected: String) {
    let error = #expect(throws: StoredFormError.self) { try loaded(saved) }
    #expect(error?.code == "other_type")
    #expect(error?.message.hasPrefix(expected) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("needs version = 2 and migrate") == true)
  }

  @Test("are refused if a newer version has saved them")
  func newer() {
    let saved = SavedState(values: ["notes#version": "2"])
    let error = #expect(throws: StoredFormError.newer("notes", found: 2, known: 1)) {
      try loaded(saved)
    }
    #expect(error?.message == "notes was saved by version 2 of the app, and this is version 1")
  }
}

/// Prices, which were texts under another name in version 1, and had no currency; no field shows a draft.
private enum Prices: Feature {
  struct State: Codable, Equatable, Sendable {
    var amount = 0
    var currency = "EUR"
    var offers = RecordList<Offer>()
    var draft = ""
  }

  struct Offer: Record, FieldRecord {
    let id: Int
    var amount: Int

    static let fields: [RecordField<Offer>] = [.constant("id", \.id), .field("amount", \.amount)]
  }

  enum Action: Codable, Equatable, Sendable { case set(Int) }

  struct Refusal: Error, CustomStringConvertible { let description = "no price" }

  static let name = "prices"
  static var initial: State { State() }
  static let fields: [Field<Prices>] = [
    .value("amount", \.amount), .value("currency", \.currency), .list("offers", \.offers),
    .hidden(\.draft),
  ]
  static var version: Int { 3 }

  static func reduce(_ state: inout State, _ action: Action) {
    if case .set(let amount) = action { state.amount = amount }
  }

  static func validate(_ state: inout State) throws {
    guard state.amount >= 0 else { throw DocumentError("amount", "is negative") }
  }

  static func migrate(_ state: inout JSONValue, from version: Int) throws {
    guard case .text(let price)? = state["price"] else { throw Refusal() }
    state["price"] = nil
    state["amount"] = Int(price).map { .integer($0 * (version == 1 ? 100 : 1)) } ?? .text(price)
  }
}

@Suite("A state saved by an earlier version of its feature")
struct MigrationTests {
  private let schema: StoreSchema

  init() throws { schema = try StoreSchema(features: [Prices.self, Notes.self]) }

  private func loaded(
    _ price: String, version: Int?, _ more: [String: String] = [:]
  ) throws -> StoreSchema.LoadedStates {
    var values = more
    values["prices.price"] = "\"\(price)\""
    values["prices#state"] = #"{"draft":"x"}"#
    values["prices#version"] = version.map { "\($0)" }
    return try schema.loadedStates(
      from: SavedState(values: values, lists: ["prices.offers": [#"{"id":1,"amount":5}"#]]))
  }

  @Test("is converted once, from the version that saved it", arguments: [nil, 1, 2])
  func converted(version: Int?) throws {
    let loaded = try loaded("7", version: version, ["notes.query": #""x""#])
    let state = loaded.states.state(of: Prices.self, at: 0)
    #expect(state.amount == (version == 2 ? 7 : 700))
    #expect(state.currency == "EUR" && state.draft == "x")
    #expect(Array(state.offers) == [Prices.Offer(id: 1, amount: 5)])
    #expect(loaded.migrations == ["prices"])
    #expect(loaded.states.state(of: Notes.self, at: 1).query == "x")
    #expect(loaded.states.unused.isEmpty)
    let saved = SavedState(try schema.savedChanges(of: loaded.states))
    #expect(saved.values["prices#version"] == "3")
    #expect(saved.values["prices.price"] == nil)
    let reopened = try schema.loadedStates(from: saved)
    #expect(reopened.migrations.isEmpty)
    #expect(reopened.states == loaded.states)
  }

  @Test("isn't converted if it has the current version, or nothing was saved")
  func current() throws {
    let saved = SavedState(values: ["prices#version": "3", "prices.amount": "7"])
    #expect(try schema.loadedStates(from: saved).migrations.isEmpty)
    #expect(try schema.loadedStates(from: SavedState()).migrations.isEmpty)
  }

  @Test(
    "is refused if it can't be converted, or isn't a state afterwards",
    arguments: [
      "": "prices's migrate fails for a state of version 1: no price",
      "many":
        "what prices's migrate gives isn't a state: amount: expected a whole number, found text",
      "-1": "what prices's migrate gives isn't a state: amount: is negative",
    ])
  func refused(price: String, message: String) {
    let error = #expect(throws: StoredFormError.self) {
      if price.isEmpty {
        _ = try schema.loadedStates(from: SavedState(values: ["prices.amount": "7"]))
      } else {
        _ = try loaded(price, version: 1)
      }
    }
    #expect(error?.code == "failed_migration")
    #expect(error?.message == message)
  }
}
