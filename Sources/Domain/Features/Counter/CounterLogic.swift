public import StateStore

/// What people can do with the counter.
public struct CounterLogic {
  private let store: Store
  private let services: Services

  /// Makes the operations on a store's counter.
  public init(store: Store, services: Services) {
    self.store = store
    self.services = services
  }

  /// Adds to the count.
  ///
  /// - Returns: The new count.
  /// - Throws: `CounterError.overflow`.
  @discardableResult
  public func increment(by amount: Int = 1) throws -> Int {
    try store.send(.increment(by: amount), to: Counter.self)
    return store.read(Counter.self) { $0.count }
  }

  /// Subtracts from the count.
  ///
  /// - Returns: The new count.
  /// - Throws: `CounterError.overflow`.
  @discardableResult
  public func decrement(by amount: Int = 1) throws -> Int {
    try store.send(.decrement(by: amount), to: Counter.self)
    return store.read(Counter.self) { $0.count }
  }

  /// Opens the prime card for the count.
  ///
  /// - Returns: The card.
  @discardableResult
  public func askIsPrime() throws -> PrimeCard {
    try store.send(.askIsPrime, to: Counter.self)
    return store.cardForCount
  }

  /// Does what the button of the open card says: saves the number as a favorite, or removes it.
  ///
  /// - Returns: The card after that, or nil if an observer of the change closed it.
  /// - Throws: `CounterError.noModal` or `CounterError.noButton`.
  @discardableResult
  public func pressModalButton() throws -> PrimeCard? {
    guard let card = store.primeCard else { throw CounterError.noModal }
    guard card.button != nil else { throw CounterError.noButton(number: card.number) }
    try store.send(.toggle(number: card.number), to: FavoritePrimes.self)
    return store.primeCard
  }

  /// Closes the prime card.
  public func dismissModal() throws {
    guard store.state(of: Counter.self).isModalOpen else { return }
    try store.send(.dismissModal, to: Counter.self)
  }

  /// Asks for the prime whose ordinal is the count, and shows it in an alert.
  ///
  /// Of overlapping requests, the latest decides what the state shows; each caller still gets its own answer or
  /// error.
  ///
  /// - Parameter source: The source of the answer.
  /// - Returns: The prime.
  /// - Throws: `CounterError.outOfRange` for a count below 1, the source's error, or `CancellationError`.
  @discardableResult
  public func askNthPrime(from source: NthPrimeSource = .local) async throws -> Int {
    let ordinal = store.read(Counter.self) { $0.count }
    guard ordinal >= 1 else {
      // A refused question also dismisses the alert of an earlier one.
      try dismissAlert()
      throw CounterError.outOfRange(count: ordinal)
    }
    let request = Request<Counter, Int>(
      pending: \.pendingRequest,
      requested: { .nthPrimeRequested(request: $0, source: source) },
      succeeded: { .nthPrimeSucceeded(request: $0, ordinal: ordinal, prime: $1) },
      failed: { request, _ in .nthPrimeFailed(request: request) })
    return try await request.send(services.identifiers.next(.request), to: store) {
      try await services.stubs.answer(
        to: "counter.ask_nth_prime", with: [["source": .text(source.rawValue)]],
        // The other source asks for itself, and so has stubs of its own.
        isLocal: true
      ) {
        switch source {
        case .local: try await services.nthPrime(ordinal)
        case .wolfram: try await services.nthWolframPrime(ordinal)
        }
      }
    }
  }

  /// Dismisses the alert.
  public func dismissAlert() throws {
    guard store.state(of: Counter.self).alert != nil else { return }
    try store.send(.dismissAlert, to: Counter.self)
  }
}
