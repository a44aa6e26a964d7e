import Foundation
import SampleFeatures
import Testing

@testable import StateFile
@testable import StateStore

/// A shop whose reducer looks at secrets in every way that it can.
private enum Shop: Feature {
  struct State: Codable, Equatable, Sendable {
    var card = Secret.empty
    var confirmation = Secret.empty
    var isPaid = false
    var note = ""
  }

  enum Action: Codable, Equatable, Sendable {
    case setCard(Secret)
    case confirm(Secret)
    case pay
    /// Depends on what isn't saved.
    case describe
  }

  struct Refusal: Error {}

  static let name = "shop"
  static var initial: State { State() }
  static let fields: [Field<Shop>] = [
    .value("card", \.card), .value("confirmation", \.confirmation), .value("is_paid", \.isPaid),
    .value("note", \.note),
  ]

  static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .setCard(let card):
      guard !card.isEmpty, card != state.card else { throw Refusal() }
      state.card = card
      state.note = "\(card)"
    case .confirm(let confirmation):
      state.confirmation = confirmation
    case .pay:
      guard !state.card.isEmpty, state.card == state.confirmation else { throw Refusal() }
      state.isPaid = true
    case .describe:
      state.note = state.card.isForgotten ? "forgotten" : "known"
    }
  }
}

@Suite("A session whose reducer looks at secrets")
struct SavedSecretTests {
  private let schema: StoreSchema
  private let file: SQLiteFile

  init() throws {
    schema = try StoreSchema(features: [Shop.self])
    file = try SQLiteFile(name: "shop.sqlite")
  }

  private func open() throws -> JournaledSession {
    try JournaledSession(
      schema, in: SQLiteJournal(of: schema, program: Program("shop"), path: file.path))
  }

  /// A session with a known card that was paid with.
  private func paid() throws -> JournaledSession {
    let session = try open()
    try session.store.send(.setCard(Secret("4111 1111")), to: Shop.self)
    #expect(throws: Shop.Refusal.self) { try session.store.send(.pay, to: Shop.self) }
    try session.store.send(.confirm(Secret("4111 1111")), to: Shop.self)
    try session.store.send(.describe, to: Shop.self)
    try session.store.send(.pay, to: Shop.self)
    try session.save()
    return session
  }

  @Test("has what the reducer made of them when it is reopened, but not the secrets")
  func reopened() throws {
    _ = try paid()
    let reopened = try open()
    let state = reopened.store.state(of: Shop.self)
    #expect(state.isPaid && state.note == "known")
    #expect(state.card.isForgotten && state.confirmation.isForgotten)
    try reopened.store.send(.setCard(Secret("4222 2222")), to: Shop.self)
    try reopened.save()
    #expect(try open().store.state(of: Shop.self).card.isForgotten)
  }

  @Test("is the same when it is saved and reopened in memory, as no text of them is part of it")
  func differences() throws {
    #expect(try paid().store.differencesWhenReopened().isEmpty)
  }
}
