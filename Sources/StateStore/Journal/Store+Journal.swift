import Foundation

extension Store {
  /// Makes a store from the contents of a journal.
  ///
  /// - Throws: `JournalError.inapplicable`, which doesn't happen for entries that were applied before.
  /// - Complexity: O(size of the checkpoint + actions).
  convenience init(_ schema: Schema, _ contents: JournalContents, now: (() -> Date)? = nil) throws {
    self.init(schema, now: now)
    // All processes remember equally much, because any of them may go back to an action of another.
    retention = Self.defaultHistoryLimit
    if let snapshot = contents.checkpoint?.history {
      do {
        let history = try UndoHistory(
          snapshot, of: schema, limit: historyLimit, retention: Self.defaultHistoryLimit)
        restore(StoreSnapshot(states: try history.state(at: history.position), history: history))
      } catch {
        throw JournalError.inapplicable(entry: contents.checkpoint?.head ?? 0, reason: "\(error)")
      }
    }
    try replay(
      contents.entries, after: contents.checkpoint?.head ?? 0, isRemote: false)
  }

  /// Replays entries of a journal, each as many times as it says.
  ///
  /// - Parameters:
  ///   - entries: The entries.
  ///   - head: The number of the entry before the first.
  ///   - isRemote: Whether another process wrote them.
  /// - Throws: `JournalError.inapplicable` for an entry that can't be applied; those before it stay applied.
  func replay(_ entries: [JournalEntry], after head: Int, isRemote: Bool) throws {
    for (number, entry) in zip((head + 1)..., entries) {
      do {
        for _ in 0..<entry.count {
          try replay(entry.event, at: entry.time, isRemote: isRemote)
        }
      } catch {
        throw JournalError.inapplicable(entry: number, reason: "\(error)")
      }
    }
  }
}
