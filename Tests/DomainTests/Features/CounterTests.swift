import Testing

@testable import PrimereplDomain
@testable import StateStore

/// What `Examples/scenarios/counter.scenario.lua` doesn't show.
@Suite("Counter")
struct CounterTests {
  @Test("decrementing by the smallest integer isn't mistaken for incrementing by its negation")
  func decrementsBySmallest() throws {
    let store = Store()
    try store.send(.set(count: -1), to: Counter.self)
    try store.send(.decrement(by: Int.min), to: Counter.self)
    #expect(store.state(of: Counter.self).count == Int.max)
  }

  @Test("the smallest integer has an ordinal")
  func smallestOrdinal() {
    #expect(Counter.State(count: .min).ordinal == "-9223372036854775808th")
  }
}
