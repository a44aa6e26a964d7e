import Synchronization

/// Identifiers that count from 1, for each kind.
public final class SequentialIdentifiers: IdentifierSource {
  private let last = Mutex<[IdentifierKind: Int]>([:])

  /// Makes a source whose first identifier of each kind is 1.
  public init() {}

  /// The next identifier of a kind.
  public func next(_ kind: IdentifierKind) -> Int {
    last.withLock { last in
      last[kind, default: 0] += 1
      return last[kind, default: 0]
    }
  }
}
