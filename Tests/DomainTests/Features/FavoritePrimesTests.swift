import Testing

@testable import Domain
@testable import StateStore

@Suite("Favorite primes")
struct FavoritePrimesTests {
  let store = Store()
  let favorites: FavoritePrimesLogic

  init() throws {
    favorites = FavoritePrimesLogic(store: store)
    for prime in [17, 2, 5, 3] { try favorites.add(prime) }
  }

  private var list: [Int] { store.state(of: FavoritePrimes.self).list }

  @Test("they are in the order they were added")
  func ordered() {
    #expect(list == [17, 2, 5, 3])
  }

  @Test("adding a new number returns true")
  func addsNew() throws {
    #expect(try favorites.add(7))
    #expect(list == [17, 2, 5, 3, 7])
  }

  @Test("adding an existing number returns false, and changes nothing")
  func addsKnown() throws {
    let before = store.states
    #expect(try !favorites.add(2))
    #expect(store.states == before)
  }

  @Test("only primes can be added", arguments: [8, 1, 0, -7])
  func refusesOthers(number: Int) throws {
    let before = store.states
    #expect(code { try favorites.add(number) } == "not_prime")
    #expect(code { try favorites.toggle(number) } == "not_prime")
    #expect(store.states == before)
  }

  @Test("the error names the number")
  func namesNumber() {
    #expect(throws: FavoritePrimesError.notPrime(8)) { try favorites.add(8) }
    #expect("\(FavoritePrimesError.notPrime(8))" == "8 is not prime")
  }

  @Test("removing returns whether the number was there")
  func removes() throws {
    #expect(try favorites.remove(2))
    #expect(list == [17, 5, 3])
    #expect(try !favorites.remove(2))
    #expect(list == [17, 5, 3])
  }

  @Test("toggling adds or removes, and returns whether it is a favorite now")
  func toggles() throws {
    #expect(try favorites.toggle(7))
    #expect(list == [17, 2, 5, 3, 7])
    #expect(try !favorites.toggle(17))
    #expect(list == [2, 5, 3, 7])
  }

  @Test(
    "removing at positions in any order removes those items",
    arguments: [[0, 2], [2, 0], [0, 2, 0], [2, 2, 0]])
  func removesAtPositions(positions: [Int]) throws {
    try favorites.remove(atPositions: positions)
    #expect(list == [2, 3])
  }

  @Test("removing at no positions changes nothing")
  func removesAtNoPositions() throws {
    try favorites.remove(atPositions: [])
    #expect(list == [17, 2, 5, 3])
  }

  @Test(
    "a position out of range is an error, and nothing is removed",
    arguments: [[4], [0, 4], [-1], [1, Int.max], [Int.min]])
  func refusesPositions(positions: [Int]) throws {
    #expect(code { try favorites.remove(atPositions: positions) } == "position_out_of_range")
    #expect(list == [17, 2, 5, 3])
  }

  @Test("an empty list has no positions")
  func refusesPositionsOfEmpty() throws {
    try favorites.clear()
    #expect(code { try favorites.remove(atPositions: [0]) } == "position_out_of_range")
  }

  @Test("contains tests whether a number is a favorite")
  func contains() throws {
    #expect(store.state(of: FavoritePrimes.self).contains(5))
    #expect(!store.state(of: FavoritePrimes.self).contains(7))
    try favorites.remove(5)
    #expect(!store.state(of: FavoritePrimes.self).contains(5))
  }

  @Test("clearing removes all")
  func clears() throws {
    try favorites.clear()
    #expect(list == [])
    #expect(!store.state(of: FavoritePrimes.self).contains(17))
  }
}
