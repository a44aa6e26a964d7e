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
    return store.state(of: Counter.self).count
  }

  /// Subtracts from the count.
  ///
  /// - Returns: The new count.
  /// - Throws: `CounterError.overflow`.
  @discardableResult
  public func decrement(by amount: Int = 1) throws -> Int {
    try store.send(.decrement(by: amount), to: Counter.self)
    return store.state(of: Counter.self).count
  }

  /// Makes the count another.
  public func set(_ count: Int) throws {
    try store.send(.set(count: count), to: Counter.self)
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
  /// - Returns: The card after that, or nil where an observer of the change closed it.
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
  /// Of overlapping requests the latest decides what the state shows; each caller still gets the
  /// answer to its own, or its own error.
  ///
  /// - Parameter source: Who is asked.
  /// - Returns: The prime.
  /// - Throws: `CounterError.outOfRange` for a count below 1, the source's error, or
  ///   `CancellationError`.
  @discardableResult
  public func askNthPrime(from source: NthPrimeSource = .local) async throws -> Int {
    let ordinal = store.state(of: Counter.self).count
    let request = services.identifiers.next(.request)
    do {
      try store.send(.nthPrimeRequested(request: request, source: source), to: Counter.self)
    } catch {
      // A question that is refused leaves no alert either, of an earlier one.
      try dismissAlert()
      throw error
    }
    let prime: Int
    do {
      prime =
        switch source {
        case .local: try await services.primes.nthPrime(ordinal)
        case .wolfram: try await services.wolfram.nthPrime(ordinal)
        }
    } catch {
      try answer(.nthPrimeFailed(request: request), to: request)
      throw error
    }
    try answer(
      .nthPrimeSucceeded(request: request, ordinal: ordinal, prime: prime), to: request)
    return prime
  }

  /// Sends the answer to a request, unless nobody waits for it any more: then it would be an action without effect, which
  /// takes away what could be redone.
  private func answer(_ action: Counter.Action, to request: Int) throws {
    guard store.state(of: Counter.self).pendingRequest == request else { return }
    try store.send(action, to: Counter.self)
  }

  /// Puts the alert away.
  public func dismissAlert() throws {
    guard store.state(of: Counter.self).alert != nil else { return }
    try store.send(.dismissAlert, to: Counter.self)
  }
}
