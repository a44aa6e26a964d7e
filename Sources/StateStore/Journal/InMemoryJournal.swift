import Synchronization

/// A journal that lasts as long as the process, for sessions that nobody saves, and for tests.
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

  /// What is remembered.
  public func load() -> JournalContents {
    contents.withLock { JournalContents(checkpoint: $0.checkpoint, entries: $0.entries) }
  }

  /// Adds entries after those there are.
  public func append(_ batch: JournalBatch, expecting head: Int) throws -> Int {
    try contents.withLock { contents in
      guard contents.head == head else { throw JournalError.conflict(head: contents.head) }
      contents.entries += batch.entries
      return contents.head
    }
  }

  /// The entries after one.
  public func changes(since head: Int) throws -> [JournalEntry] {
    try contents.withLock { contents in
      let start = head - (contents.checkpoint?.head ?? 0)
      guard (0...contents.entries.count).contains(start) else {
        throw JournalError.gone(since: head)
      }
      return Array(contents.entries.dropFirst(start))
    }
  }

  /// Replaces the entries up to one by what they led to.
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

  /// Gives away identifiers, none of them twice.
  public func reserveIdentifiers(_ count: Int, of kind: IdentifierKind) throws -> ClosedRange<Int> {
    contents.withLock { contents in
      let first = contents.nextIdentifiers[kind, default: 1]
      contents.nextIdentifiers[kind] = first + count
      return first...(first + count - 1)
    }
  }

  /// True, as nobody says that they are done with it.
  public var isOpenElsewhere: Bool { true }
}
