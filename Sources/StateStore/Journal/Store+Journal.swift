import Foundation

extension Store {
  /// Makes a store of what a journal remembers.
  ///
  /// - Parameters:
  ///   - schema: The features.
  ///   - contents: What is remembered.
  ///   - now: Tells the time for the history.
  /// - Throws: `JournalError.inapplicable`, which it wouldn't for what was done before.
  /// - Complexity: O(size of the checkpoint + actions).
  convenience init(_ schema: Schema, _ contents: JournalContents, now: (() -> Date)? = nil) throws {
    self.init(schema, now: now)
    // As much is remembered in all processes: any of them may go back to what another one did.
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

  /// Does entries of a journal, each as often as it says.
  ///
  /// - Parameters:
  ///   - entries: The entries.
  ///   - head: The number of the entry before the first.
  ///   - isRemote: Whether another process did them.
  /// - Throws: `JournalError.inapplicable` for one that can't be done; what could be done before that is done.
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
