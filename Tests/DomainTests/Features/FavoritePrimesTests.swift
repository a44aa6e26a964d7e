import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("Favorite primes")
struct FavoritePrimesTests {
  let store = Store()

  init() throws { for prime in [17, 2, 5, 3] { try send(.add(number: prime)) } }

  private func send(_ action: FavoritePrimes.Action) throws {
    try store.send(action, to: FavoritePrimes.self)
  }

  private var list: [Int] { store.state(of: FavoritePrimes.self).list }

  @Test("they are in the order they were added")
  func ordered() {
    #expect(list == [17, 2, 5, 3])
  }

  @Test("a new number is added last")
  func addsNew() throws {
    try send(.add(number: 7))
    #expect(list == [17, 2, 5, 3, 7])
  }

  @Test("adding an existing number changes nothing")
  func addsKnown() throws {
    let before = store.states
    try send(.add(number: 2))
    #expect(store.states == before)
  }

  @Test("only primes can be added", arguments: [8, 1, 0, -7])
  func refusesOthers(number: Int) throws {
    let before = store.states
    #expect(code { try send(.add(number: number)) } == "not_prime")
    #expect(code { try send(.toggle(number: number)) } == "not_prime")
    #expect(store.states == before)
  }

  @Test("the error names the number")
  func namesNumber() {
    #expect(throws: FavoritePrimesError.notPrime(8)) { try send(.add(number: 8)) }
    #expect("\(FavoritePrimesError.notPrime(8))" == "8 is not prime")
  }

  @Test("removing takes that number only, if it is there")
  func removes() throws {
    try send(.remove(number: 2))
    #expect(list == [17, 5, 3])
    try send(.remove(number: 2))
    #expect(list == [17, 5, 3])
  }

  @Test("toggling adds or removes")
  func toggles() throws {
    try send(.toggle(number: 7))
    #expect(list == [17, 2, 5, 3, 7])
    try send(.toggle(number: 17))
    #expect(list == [2, 5, 3, 7])
  }

  @Test(
    "removing at positions in any order removes those items",
    arguments: [[0, 2], [2, 0], [0, 2, 0], [2, 2, 0]])
  func removesAtPositions(positions: [Int]) throws {
    try send(.removeAt(positions: positions))
    #expect(list == [2, 3])
  }

  @Test("removing at no positions changes nothing")
  func removesAtNoPositions() throws {
    try send(.removeAt(positions: []))
    #expect(list == [17, 2, 5, 3])
  }

  @Test(
    "a position out of range is an error, and nothing is removed",
    arguments: [[4], [0, 4], [-1], [1, Int.max], [Int.min]])
  func refusesPositions(positions: [Int]) throws {
    #expect(code { try send(.removeAt(positions: positions)) } == "position_out_of_range")
    #expect(list == [17, 2, 5, 3])
  }

  @Test("an empty list has no positions")
  func refusesPositionsOfEmpty() throws {
    try send(.clear)
    #expect(code { try send(.removeAt(positions: [0])) } == "position_out_of_range")
  }

  @Test("contains tests whether a number is a favorite")
  func contains() throws {
    #expect(store.state(of: FavoritePrimes.self).contains(5))
    #expect(!store.state(of: FavoritePrimes.self).contains(7))
    try send(.remove(number: 5))
    #expect(!store.state(of: FavoritePrimes.self).contains(5))
  }

  @Test("clearing removes all")
  func clears() throws {
    try send(.clear)
    #expect(list == [])
    #expect(!store.state(of: FavoritePrimes.self).contains(17))
  }
}
