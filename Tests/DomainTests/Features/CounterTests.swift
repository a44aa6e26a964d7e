import Testing

@testable import Domain
@testable import StateStore

@Suite("Counter")
struct CounterTests {
  let store = Store()
  let counter: CounterLogic
  let favorites: FavoritePrimesLogic

  init() {
    counter = CounterLogic(store: store)
    favorites = FavoritePrimesLogic(store: store)
  }

  @Test("the count starts at 0")
  func startsAtZero() {
    #expect(store.state(of: Counter.self).count == 0)
  }

  @Test("incrementing adds 1, or the given amount, and returns the count")
  func increments() throws {
    #expect(try counter.increment() == 1)
    #expect(try counter.increment(by: 10) == 11)
    #expect(store.state(of: Counter.self).count == 11)
  }

  @Test("decrementing subtracts 1, or the given amount, and returns the count, below 0 too")
  func decrements() throws {
    #expect(try counter.decrement() == -1)
    #expect(try counter.decrement(by: 10) == -11)
    #expect(store.state(of: Counter.self).count == -11)
  }

  @Test("the count can be set to any integer", arguments: [7, 0, -3, Int.max, Int.min])
  func sets(count: Int) throws {
    try store.send(.set(count: count), to: Counter.self)
    #expect(store.state(of: Counter.self).count == count)
  }

  @Test("past the largest integer is an overflow, and nothing changes")
  func overflowsAbove() throws {
    try store.send(.set(count: Int.max), to: Counter.self)
    #expect(code { try counter.increment() } == "overflow")
    #expect(code { try counter.decrement(by: -1) } == "overflow")
    #expect(store.state(of: Counter.self).count == Int.max)
  }

  @Test("below the smallest integer is an overflow, and nothing changes")
  func overflowsBelow() throws {
    try store.send(.set(count: Int.min), to: Counter.self)
    #expect(code { try counter.decrement() } == "overflow")
    #expect(code { try counter.increment(by: -1) } == "overflow")
    #expect(store.state(of: Counter.self).count == Int.min)
  }

  @Test("decrementing by the smallest integer isn't mistaken for incrementing by its negation")
  func decrementsBySmallest() throws {
    try store.send(.set(count: -1), to: Counter.self)
    #expect(try counter.decrement(by: Int.min) == Int.max)
    try store.send(.set(count: 0), to: Counter.self)
    #expect(code { try counter.decrement(by: Int.min) } == "overflow")
  }

  @Test("the count survives moving between features: all read the one store")
  func survivesOtherFeatures() throws {
    try store.send(.set(count: 17), to: Counter.self)
    try favorites.add(3)
    try store.addItem("milk")
    #expect(store.state(of: Counter.self).count == 17)
    #expect(try CounterLogic(store: store).increment() == 18)
  }

  @Test(
    "ordinals have their English endings, and negative ones keep the sign",
    arguments: [
      (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"),
      (21, "21st"), (101, "101st"), (111, "111th"), (112, "112th"), (1002, "1002nd"), (0, "0th"),
      (-1, "-1st"), (-12, "-12th"), (Int.min, "-9223372036854775808th"),
    ])
  func ordinals(count: Int, ordinal: String) throws {
    try store.send(.set(count: count), to: Counter.self)
    #expect(store.state(of: Counter.self).ordinal == ordinal)
  }

  @Test(
    "whether the count is prime is right beyond the precision of 32-bit floats",
    arguments: [
      (17, true), (18, false), (1, false), (0, false), (-7, false),
      // 16777259 and 67108879 are the first primes above 2^24 and 2^26.
      (16_777_259, true), (16_777_259 * 16_777_259, false), (67_108_879, true),
      (67_108_879 * 67_108_879, false), (299_210_837, true),
    ])
  func isPrime(count: Int, isPrime: Bool) throws {
    try store.send(.set(count: count), to: Counter.self)
    #expect(store.state(of: Counter.self).isPrime == isPrime)
  }
}
