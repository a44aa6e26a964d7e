import Synchronization

/// Identifiers that count from 1, for each kind.
public final class SequentialIdentifiers: IdentifierSource {
  private let next = Mutex<[IdentifierKind: Int]>([:])

  /// Makes a source whose first identifier of each kind is 1.
  public init() {}

  /// The next identifier of a kind.
  public func next(_ kind: IdentifierKind, from least: Int) -> Int {
    next.withLock { next in
      let id = max(next[kind] ?? 1, least)
      // After the greatest there is none but the first, which may have become free.
      next[kind] = id == .max ? 1 : id + 1
      return id
    }
  }
}
