import Synchronization

/// Identifiers that count from 1, for each kind.
public final class SequentialIdentifiers: IdentifierSource {
  private struct Last {
    var record = 0
    var request = 0
  }

  private let last = Mutex(Last())

  /// Makes a source whose first identifier of each kind is 1.
  public init() {}

  /// The next identifier of a kind.
  public func next(_ kind: IdentifierKind) -> Int {
    last.withLock { last in
      switch kind {
      case .record:
        last.record += 1
        return last.record
      case .request:
        last.request += 1
        return last.request
      }
    }
  }
}
