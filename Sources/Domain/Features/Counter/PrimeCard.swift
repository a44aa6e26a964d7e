public import StateStore

/// The facts about a number in the prime-check modal.
public struct PrimeCard: Equatable, Sendable, FieldRecord {
  /// The number that was asked about.
  public let number: Int
  /// Whether it is prime.
  public let isPrime: Bool
  /// Whether it is among the favorite primes.
  public let isFavorite: Bool

  init(of counter: Counter.State, _ favorites: FavoritePrimes.State) {
    number = counter.count
    isPrime = counter.isPrime
    isFavorite = favorites.contains(counter.count)
  }

  /// The answer as a sentence, such as "17 is prime 🎉".
  public var text: String {
    isPrime ? "\(number) is prime 🎉" : "\(number) is not prime :("
  }

  /// The title of the card's button; nil if the number isn't prime, since there is no button then.
  public var button: String? {
    guard isPrime else { return nil }
    return isFavorite ? "Remove from favorite primes" : "Save to favorite primes"
  }

  /// All facts on the card.
  public static let fields: [RecordField<PrimeCard>] = [
    .constant("number", \.number, help: "The number that was asked about."),
    .constant("is_prime", \.isPrime, help: "Whether it is prime."),
    .derived("text", \.text, help: "The answer as a sentence."),
    .constant("is_favorite", \.isFavorite, help: "Whether it is among the favorites."),
    .derived("button", \.button, help: "The button's title; nil without a button."),
  ]

  /// Refuses documents: the card follows from the rest of the state.
  public init(fromDocument decoder: any Decoder) throws {
    throw DocumentError(decoder.codingPath, "the card follows from the count and the favorites")
  }

  /// The open card, which depends on the count and the favorites.
  public static let field = DerivedField(
    "counter.modal", of: Counter.self, FavoritePrimes.self,
    help: "The open card: number, is_prime, text, is_favorite, button; or nil.",
    reading: { counter, favorites in
      counter.isModalOpen ? PrimeCard(of: counter, favorites) : nil
    }
  )
  .restoring(Counter.self) { counter, decoder in
    // Its content follows from the rest of the state.
    _ = try decoder.container(keyedBy: NoKeys.self)
    counter.isModalOpen = true
  }

  private enum NoKeys: CodingKey {}
}

extension Store {
  /// The prime card that is open, or nil; it follows the count and the favorites.
  public var primeCard: PrimeCard? {
    state(of: Counter.self).isModalOpen ? cardForCount : nil
  }

  /// The prime card of the count, open or not.
  public var cardForCount: PrimeCard {
    PrimeCard(of: state(of: Counter.self), state(of: FavoritePrimes.self))
  }

  /// The action of the open card's button: saves the number as a favorite, or removes it.
  public var cardButtonAction: FavoritePrimes.Action {
    get throws(CounterError) {
      guard let card = primeCard else { throw .noModal }
      guard card.button != nil else { throw .noButton(number: card.number) }
      return .toggle(number: card.number)
    }
  }
}
