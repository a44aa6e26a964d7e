import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("Prime-check modal")
struct PrimeCardTests {
  let store = Store()

  /// Opens the card for a count, and returns it.
  @discardableResult
  private func open(_ count: Int) throws -> PrimeCard {
    try store.send(.set(count: count), to: Counter.self)
    try store.send(.askIsPrime, to: Counter.self)
    return try #require(store.primeCard)
  }

  /// Presses the card's button, and returns the card.
  @discardableResult
  private func pressButton() throws -> PrimeCard {
    try store.send(store.cardButtonAction, to: FavoritePrimes.self)
    return try #require(store.primeCard)
  }

  private func addFavorite(_ number: Int) throws {
    try store.send(.add(number: number), to: FavoritePrimes.self)
  }

  @Test("no card is open at first")
  func closedAtFirst() {
    #expect(store.primeCard == nil)
  }

  @Test("asking opens the card for the current count")
  func opensForPrime() throws {
    let card = try open(17)
    #expect(card.number == 17)
    #expect(card.isPrime)
    #expect(card.text == "17 is prime 🎉")
    #expect(!card.isFavorite)
    #expect(card.button == "Save to favorite primes")
    #expect(store.cardForCount == card)
  }

  @Test("the card of a number that isn't prime says so, and has no button")
  func opensForComposite() throws {
    let card = try open(18)
    #expect(!card.isPrime)
    #expect(card.text == "18 is not prime :(")
    #expect(card.button == nil)
  }

  @Test("the card of a favorite offers to remove it")
  func offersToRemove() throws {
    try addFavorite(17)
    let card = try open(17)
    #expect(card.isFavorite)
    #expect(card.button == "Remove from favorite primes")
  }

  @Test("pressing the button adds or removes the favorite, and the card follows")
  func pressesButton() throws {
    try open(17)

    let saved = try pressButton()
    #expect(store.state(of: FavoritePrimes.self).list == [17])
    #expect(saved.isFavorite)
    #expect(saved.button == "Remove from favorite primes")

    let removed = try pressButton()
    #expect(store.state(of: FavoritePrimes.self).list == [])
    #expect(!removed.isFavorite)
    #expect(store.primeCard == removed)
  }

  @Test("the open card follows the count")
  func followsCount() throws {
    try open(17)
    try store.send(.increment(by: 1), to: Counter.self)
    #expect(store.primeCard?.number == 18)
    #expect(store.primeCard?.text == "18 is not prime :(")
  }

  @Test("the open card follows the favorites")
  func followsFavorites() throws {
    try open(17)
    try addFavorite(17)
    #expect(store.primeCard?.isFavorite == true)
  }

  @Test("after dismissing, changing the count doesn't bring the card back")
  func staysDismissed() throws {
    try open(17)
    try store.send(.dismissModal, to: Counter.self)
    #expect(store.primeCard == nil)
    try store.send(.increment(by: 1), to: Counter.self)
    try addFavorite(19)
    #expect(store.primeCard == nil)
  }

  @Test("without an open card there is no button to press")
  func needsOpenCard() throws {
    try store.send(.set(count: 17), to: Counter.self)
    #expect(code { try pressButton() } == "no_modal")
    #expect(store.state(of: FavoritePrimes.self).list == [])
  }

  @Test("a card without a button can't have it pressed")
  func needsButton() throws {
    try open(18)
    #expect(code { try pressButton() } == "no_button")
    #expect(store.state(of: FavoritePrimes.self).list == [])
  }
}
