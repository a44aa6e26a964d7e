import Foundation
import Testing

@testable import PrimereplDomain
@testable import StateStore

/// Properties that each of the app's features must have for any actions in any order.
@Suite("Random sessions of the app")
struct RandomSessionTests {
  private static let seeds = 0..<12

  /// Sends random actions to a store.
  private func act(
    seed: Int, on store: Store, steps: Int = 700, check: () throws -> Void = {}
  ) throws {
    var actions = RandomActions(seed: seed)
    for _ in 0..<steps {
      let before = store.states
      do {
        try store.send(actions.next())
      } catch is any CodedError {
        #expect(store.states == before)
      }
      try check()
    }
  }

  @Test("give the same state when their actions are stored and replayed", arguments: seeds)
  func replay(seed: Int) throws {
    let store = Store()
    try act(seed: seed, on: store)
    let recorded = try store.history().map(\.recorded.action)
    let decoded = try StateCoding.decoder(for: App.schema).decode(
      [StoreAction].self, from: JSONEncoder().encode(recorded))
    #expect(decoded == recorded)
    let other = Store()
    for action in decoded { try other.send(action) }
    #expect(other.states == store.states)
  }

  @Test("keep the set of favorites equal to the list", arguments: seeds)
  func favorites(seed: Int) throws {
    let store = Store()
    try act(seed: seed, on: store) {
      let favorites = store.states.favorites
      #expect((0..<60).filter(favorites.contains) == favorites.list.sorted())
    }
  }

  @Test(
    "are restored from a document, without secrets and pending requests", arguments: 0..<60)
  func document(seed: Int) throws {
    let store = Store()
    try act(seed: seed, on: store, steps: 300)
    let json = StateDocument.json(of: store.states, App.schema)
    let read = try StateDocument.states(from: Data(json.utf8), App.schema)
    #expect(StateDocument.json(of: read, App.schema) == json)
    #expect(read == exported(store.states))
  }

  /// The part of the states that a document contains.
  private func exported(_ states: States) -> States {
    var states = states
    states.signUp.data.removeSecrets()
    states.removePendingRequests()
    states.removeError(of: Counter.askNthPrime)
    states.removeError(of: Landmarks.load)
    return states
  }
}
