public import StateStore

/// The operations on the favorite primes.
public struct FavoritePrimesLogic {
  private let store: Store

  /// Makes the operations on a store's favorites.
  public init(store: Store) {
    self.store = store
  }

  /// Whether a number is a favorite.
  ///
  /// - Complexity: O(1).
  public func contains(_ number: Int) -> Bool {
    store.read(FavoritePrimes.self) { $0.contains(number) }
  }

  /// Adds a prime after the other favorites.
  ///
  /// - Returns: Whether it was added: false if it was a favorite already, and nothing changed.
  /// - Throws: `FavoritePrimesError.notPrime`.
  @discardableResult
  public func add(_ number: Int) throws -> Bool {
    guard !contains(number) else { return false }
    try store.send(.add(number: number), to: FavoritePrimes.self)
    return true
  }

  /// Removes a number from the favorites.
  ///
  /// - Returns: Whether it was a favorite.
  @discardableResult
  public func remove(_ number: Int) throws -> Bool {
    guard contains(number) else { return false }
    try store.send(.remove(number: number), to: FavoritePrimes.self)
    return true
  }

  /// Removes a favorite, or adds any other prime.
  ///
  /// - Returns: Whether the number is a favorite now.
  /// - Throws: `FavoritePrimesError.notPrime`.
  @discardableResult
  public func toggle(_ number: Int) throws -> Bool {
    let isFavorite = contains(number)
    try store.send(.toggle(number: number), to: FavoritePrimes.self)
    return !isFavorite
  }

  /// Removes the favorites at several positions.
  ///
  /// - Parameter positions: Positions from 0, in any order, as they are before any favorite is removed. Duplicates
  ///   count once.
  /// - Throws: `FavoritePrimesError.positionOutOfRange`; then none is removed.
  public func remove(atPositions positions: [Int]) throws {
    guard !positions.isEmpty else { return }
    try store.send(.removeAt(positions: positions), to: FavoritePrimes.self)
  }

  /// Removes all favorites.
  public func clear() throws {
    guard store.state(of: FavoritePrimes.self).count > 0 else { return }
    try store.send(.clear, to: FavoritePrimes.self)
  }
}
