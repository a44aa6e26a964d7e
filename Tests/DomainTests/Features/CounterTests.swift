import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("Counter")
struct CounterTests {
  let store = Store()

  private var count: Int { store.state(of: Counter.self).count }

  private func send(_ action: Counter.Action) throws { try store.send(action, to: Counter.self) }

  @Test("the count starts at 0")
  func startsAtZero() {
    #expect(count == 0)
  }

  @Test("incrementing adds the amount")
  func increments() throws {
    try send(.increment(by: 1))
    try send(.increment(by: 10))
    #expect(count == 11)
  }

  @Test("decrementing subtracts the amount, below 0 too")
  func decrements() throws {
    try send(.decrement(by: 1))
    try send(.decrement(by: 10))
    #expect(count == -11)
  }

  @Test("the count can be set to any integer", arguments: [7, 0, -3, Int.max, Int.min])
  func sets(count: Int) throws {
    try send(.set(count: count))
    #expect(self.count == count)
  }

  @Test("past the largest integer is an overflow, and nothing changes")
  func overflowsAbove() throws {
    try send(.set(count: Int.max))
    #expect(code { try send(.increment(by: 1)) } == "overflow")
    #expect(code { try send(.decrement(by: -1)) } == "overflow")
    #expect(count == Int.max)
  }

  @Test("below the smallest integer is an overflow, and nothing changes")
  func overflowsBelow() throws {
    try send(.set(count: Int.min))
    #expect(code { try send(.decrement(by: 1)) } == "overflow")
    #expect(code { try send(.increment(by: -1)) } == "overflow")
    #expect(count == Int.min)
  }

  @Test("decrementing by the smallest integer isn't mistaken for incrementing by its negation")
  func decrementsBySmallest() throws {
    try send(.set(count: -1))
    try send(.decrement(by: Int.min))
    #expect(count == Int.max)
    try send(.set(count: 0))
    #expect(code { try send(.decrement(by: Int.min)) } == "overflow")
  }

  @Test("the count survives moving between features: all read the one store")
  func survivesOtherFeatures() throws {
    try send(.set(count: 17))
    try store.send(.add(number: 3), to: FavoritePrimes.self)
    try store.addItem("milk")
    #expect(count == 17)
    try send(.increment(by: 1))
    #expect(count == 18)
  }

  @Test(
    "ordinals have their English endings, and negative ones keep the sign",
    arguments: [
      (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"),
      (21, "21st"), (101, "101st"), (111, "111th"), (112, "112th"), (1002, "1002nd"), (0, "0th"),
      (-1, "-1st"), (-12, "-12th"), (Int.min, "-9223372036854775808th"),
    ])
  func ordinals(count: Int, ordinal: String) throws {
    try send(.set(count: count))
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
    try send(.set(count: count))
    #expect(store.state(of: Counter.self).isPrime == isPrime)
  }
}
