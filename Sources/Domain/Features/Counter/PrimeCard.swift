/// What the prime-check modal shows about a number.
public struct PrimeCard: Equatable, Sendable {
  /// The number that was asked about.
  public let number: Int
  /// Whether it is prime.
  public let isPrime: Bool
  /// Whether it is among the favorite primes.
  public let isFavorite: Bool

  init(number: Int, isFavorite: Bool) {
    self.number = number
    self.isPrime = Primality.isPrime(number)
    self.isFavorite = isFavorite
  }

  /// The answer as a sentence, such as "17 is prime 🎉".
  public var text: String {
    isPrime ? "\(number) is prime 🎉" : "\(number) is not prime :("
  }

  /// The title of the card's button, or nil where the number is not prime and there is no button.
  public var button: String? {
    guard isPrime else { return nil }
    return isFavorite ? "Remove from favorite primes" : "Save to favorite primes"
  }

  static let shape = StateShape.record("number", "is_prime", "text", "is_favorite", "button")

  var value: StateValue {
    [
      "number": .integer(number),
      "is_prime": .boolean(isPrime),
      "text": .text(text),
      "is_favorite": .boolean(isFavorite),
      "button": .optional(button),
    ]
  }
}

extension App.State {
  /// The prime card that is open, or nil; it follows the count and the favorites.
  public var primeCard: PrimeCard? {
    counter.isModalOpen ? cardForCount : nil
  }

  /// The prime card of the count, open or not.
  var cardForCount: PrimeCard {
    PrimeCard(number: counter.count, isFavorite: favorites.contains(counter.count))
  }
}
