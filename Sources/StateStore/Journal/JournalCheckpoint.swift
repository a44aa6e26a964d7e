/// A history as it is after an entry of a journal, in place of that entry and all before it.
public struct JournalCheckpoint: Equatable, Sendable {
  /// The number of the entry.
  public let head: Int

  /// The history after it.
  public let history: HistorySnapshot

  /// Makes a checkpoint.
  public init(head: Int, history: HistorySnapshot) {
    self.head = head
    self.history = history
  }
}
