public import StateStore

/// The operations on the counter.
public struct CounterLogic {
  private let store: Store

  /// Makes the operations on a store's counter.
  public init(store: Store) { self.store = store }

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

  /// Dismisses the alert before a question that will be refused: a failure leaves none.
  public func prepareQuestion() throws {
    if store.read(Counter.self, { $0.count }) < 1 { try dismissAlert() }
  }

  /// Dismisses the alert.
  public func dismissAlert() throws {
    guard store.state(of: Counter.self).alert != nil else { return }
    try store.send(.dismissAlert, to: Counter.self)
  }
}
