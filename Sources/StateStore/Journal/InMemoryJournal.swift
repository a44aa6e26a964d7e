import Synchronization

/// A journal that lasts as long as the process, for tests and for sessions that aren't saved.
public final class InMemoryJournal: Journal {
  private struct Contents {
    var checkpoint: JournalCheckpoint?
    var entries: [JournalEntry] = []
    var nextIdentifiers: [IdentifierKind: Int] = [:]

    var head: Int { (checkpoint?.head ?? 0) + entries.count }
  }

  private let contents = Mutex(Contents())

  /// Makes an empty journal.
  public init() {}

  /// The journal's contents.
  public func load() -> JournalContents {
    contents.withLock { JournalContents(checkpoint: $0.checkpoint, entries: $0.entries) }
  }

  /// Appends entries.
  public func append(_ batch: JournalBatch, expecting head: Int) throws -> Int {
    try contents.withLock { contents in
      guard contents.head == head else { throw JournalError.conflict(head: contents.head) }
      contents.entries += batch.entries
      return contents.head
    }
  }

  /// The entries after entry number `head`.
  public func changes(since head: Int) throws -> [JournalEntry] {
    try contents.withLock { contents in
      let start = head - (contents.checkpoint?.head ?? 0)
      guard (0...contents.entries.count).contains(start) else {
        throw JournalError.gone(since: head)
      }
      return Array(contents.entries.dropFirst(start))
    }
  }

  /// Replaces the entries up to the checkpoint's head with the resulting history.
  public func checkpoint(_ checkpoint: JournalCheckpoint) throws {
    try contents.withLock { contents in
      let replaced = checkpoint.head - (contents.checkpoint?.head ?? 0)
      guard contents.entries.indices.contains(replaced - 1) || replaced == 0 else {
        throw JournalError.conflict(head: contents.head)
      }
      contents.entries.removeFirst(replaced)
      contents.checkpoint = checkpoint
    }
  }

  /// Replaces all contents.
  public func restart(from checkpoint: JournalCheckpoint) {
    contents.withLock { ($0.checkpoint, $0.entries) = (checkpoint, []) }
  }

  /// Reserves identifiers, each only once.
  public func reserveIdentifiers(_ count: Int, of kind: IdentifierKind) throws -> ClosedRange<Int> {
    contents.withLock { contents in
      let first = contents.nextIdentifiers[kind, default: 1]
      contents.nextIdentifiers[kind] = first + count
      return first...(first + count - 1)
    }
  }

  /// True, because its users don't close it.
  public var isOpenElsewhere: Bool { true }
}
