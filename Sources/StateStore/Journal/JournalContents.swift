/// What a journal remembers.
public struct JournalContents: Equatable, Sendable {
  /// Where it begins, or nil where nothing came before the entries.
  public let checkpoint: JournalCheckpoint?

  /// What was done since, in order.
  public let entries: [JournalEntry]

  /// Makes contents.
  public init(checkpoint: JournalCheckpoint?, entries: [JournalEntry]) {
    self.checkpoint = checkpoint
    self.entries = entries
  }

  /// The number of the last entry.
  public var head: Int { (checkpoint?.head ?? 0) + entries.count }
}
