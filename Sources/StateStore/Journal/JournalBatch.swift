/// Entries that are added to a journal together, with what they changed.
public struct JournalBatch: Equatable, Sendable {
  /// The entries, in order; at least one.
  public let entries: [JournalEntry]

  /// What they changed, in order, for journals that show people the state as it is now.
  ///
  /// A field of one value that changed several times stands there once, as it is now.
  public let changes: [FieldChange]

  /// Makes a batch.
  public init(entries: [JournalEntry], changes: [FieldChange]) {
    self.entries = entries
    self.changes = changes
  }
}
