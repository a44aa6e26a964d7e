import Testing

@testable import Domain
@testable import StateStore

@Suite("Prime-check modal")
struct PrimeCardTests {
  let store = Store()
  let counter: CounterLogic
  let favorites: FavoritePrimesLogic

  init() {
    counter = CounterLogic(store: store)
    favorites = FavoritePrimesLogic(store: store)
  }

  @Test("no card is open at first")
  func closedAtFirst() {
    #expect(store.primeCard == nil)
  }

  @Test("asking opens the card for the current count, and returns it")
  func opensForPrime() throws {
    try store.send(.set(count: 17), to: Counter.self)
    let card = try counter.askIsPrime()
    #expect(card.number == 17)
    #expect(card.isPrime)
    #expect(card.text == "17 is prime 🎉")
    #expect(!card.isFavorite)
    #expect(card.button == "Save to favorite primes")
    #expect(store.primeCard == card)
  }

  @Test("the card of a number that isn't prime says so, and has no button")
  func opensForComposite() throws {
    try store.send(.set(count: 18), to: Counter.self)
    let card = try counter.askIsPrime()
    #expect(!card.isPrime)
    #expect(card.text == "18 is not prime :(")
    #expect(card.button == nil)
  }

  @Test("the card of a favorite offers to remove it")
  func offersToRemove() throws {
    try favorites.add(17)
    try store.send(.set(count: 17), to: Counter.self)
    let card = try counter.askIsPrime()
    #expect(card.isFavorite)
    #expect(card.button == "Remove from favorite primes")
  }

  @Test("pressing the button adds or removes the favorite, and the card follows")
  func pressesButton() throws {
    try store.send(.set(count: 17), to: Counter.self)
    try counter.askIsPrime()

    let saved = try #require(try counter.pressModalButton())
    #expect(store.state(of: FavoritePrimes.self).list == [17])
    #expect(saved.isFavorite)
    #expect(saved.button == "Remove from favorite primes")

    let removed = try #require(try counter.pressModalButton())
    #expect(store.state(of: FavoritePrimes.self).list == [])
    #expect(!removed.isFavorite)
    #expect(store.primeCard == removed)
  }

  @Test("the open card follows the count")
  func followsCount() throws {
    try store.send(.set(count: 17), to: Counter.self)
    try counter.askIsPrime()
    try counter.increment()
    #expect(store.primeCard?.number == 18)
    #expect(store.primeCard?.text == "18 is not prime :(")
  }

  @Test("the open card follows the favorites")
  func followsFavorites() throws {
    try store.send(.set(count: 17), to: Counter.self)
    try counter.askIsPrime()
    try favorites.add(17)
    #expect(store.primeCard?.isFavorite == true)
  }

  @Test("after dismissing, changing the count doesn't bring the card back")
  func staysDismissed() throws {
    try store.send(.set(count: 17), to: Counter.self)
    try counter.askIsPrime()
    try counter.dismissModal()
    #expect(store.primeCard == nil)
    try counter.increment()
    try favorites.add(19)
    #expect(store.primeCard == nil)
  }

  @Test("without an open card there is no button to press")
  func needsOpenCard() throws {
    try store.send(.set(count: 17), to: Counter.self)
    #expect(code { try counter.pressModalButton() } == "no_modal")
    #expect(store.state(of: FavoritePrimes.self).list == [])
  }

  @Test("a card without a button can't have it pressed")
  func needsButton() throws {
    try store.send(.set(count: 18), to: Counter.self)
    try counter.askIsPrime()
    #expect(code { try counter.pressModalButton() } == "no_button")
    #expect(store.state(of: FavoritePrimes.self).list == [])
  }

  @Test("an observer that closes the card when its button is pressed leaves none to return")
  func closedByObserver() throws {
    try store.send(.set(count: 17), to: Counter.self)
    try counter.askIsPrime()
    try store.observe("favorites") { [counter] _ in try counter.dismissModal() }
    #expect(try counter.pressModalButton() == nil)
    #expect(store.state(of: FavoritePrimes.self).list == [17])
  }
}
