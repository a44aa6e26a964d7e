public import StateStore

/// The operations on the list of landmarks.
public struct LandmarksLogic {
  private let store: Store

  /// Makes the operations on a store's list.
  public init(store: Store) { self.store = store }

  /// Makes a landmark a favorite, or removes it from the favorites.
  ///
  /// - Returns: Whether it is a favorite now.
  /// - Throws: `LandmarksError.notFound`.
  @discardableResult
  public func toggleFavorite(_ id: Int) throws -> Bool {
    guard let landmark = store.read(Landmarks.self, { $0.all[id: id] }) else {
      throw LandmarksError.notFound(id: id)
    }
    try store.send(.setFavorite(id: id, isFavorite: !landmark.isFavorite), to: Landmarks.self)
    return !landmark.isFavorite
  }

  /// Clears the selection.
  public func deselect() throws {
    guard store.state(of: Landmarks.self).selected != nil else { return }
    try store.send(.deselect, to: Landmarks.self)
  }
}
