/// What people can do with the favorite primes.
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
    store.isFavorite(number)
  }

  /// Adds a prime after the other favorites.
  ///
  /// - Returns: Whether it was added: false where it was a favorite already, and nothing changed.
  /// - Throws: `FavoritePrimesError.notPrime`.
  @discardableResult
  public func add(_ number: Int) throws -> Bool {
    guard !store.state.favorites.contains(number) else { return false }
    try store.send(.favorites(.add(number: number)))
    return true
  }

  /// Removes a number from the favorites.
  ///
  /// - Returns: Whether it was a favorite.
  @discardableResult
  public func remove(_ number: Int) throws -> Bool {
    guard store.state.favorites.contains(number) else { return false }
    try store.send(.favorites(.remove(number: number)))
    return true
  }

  /// Removes a favorite, or adds a prime that is none.
  ///
  /// - Returns: Whether the number is a favorite now.
  /// - Throws: `FavoritePrimesError.notPrime`.
  @discardableResult
  public func toggle(_ number: Int) throws -> Bool {
    let isFavorite = store.state.favorites.contains(number)
    try store.send(.favorites(.toggle(number: number)))
    return !isFavorite
  }

  /// Removes the favorites at several positions.
  ///
  /// - Parameter positions: Positions that start at 0, in any order, as they are before any
  ///   favorite is removed. One that comes twice counts once.
  /// - Throws: `FavoritePrimesError.positionOutOfRange`; then none is removed.
  public func remove(atPositions positions: [Int]) throws {
    guard !positions.isEmpty else { return }
    try store.send(.favorites(.removeAt(positions: positions)))
  }

  /// Removes all favorites.
  public func clear() throws {
    guard store.state.favorites.count > 0 else { return }
    try store.send(.favorites(.clear))
  }
}
