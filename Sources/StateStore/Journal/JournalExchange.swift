/// One exchange of a session with its journal: it appends unsaved entries, or gets those of other processes.
///
/// A session makes it and applies its outcome. In between, it can run on another thread, because a journal on another
/// machine takes as long as the network does.
package struct JournalExchange: Sendable {
  /// The result of an exchange.
  package enum Outcome: Sendable {
    /// The batch is in the journal, whose entry with that number is the last of the batch.
    case appended(head: Int)
    /// Other processes have appended entries; the batch wasn't appended.
    case changes([JournalEntry])
    /// A checkpoint has replaced the entries of other processes; the batch wasn't appended.
    case contents(JournalContents)
  }

  let journal: any Journal
  /// Nil to get the entries of others only.
  let batch: JournalBatch?
  /// The number of the last entry that the session knows.
  let head: Int
  /// The store after that entry.
  let saved: StoreSnapshot
  /// Whether the entries of others couldn't be applied, so that the whole journal is needed.
  let needsContents: Bool

  /// Exchanges entries with the journal, which is written again first if it was lost or replaced.
  ///
  /// - Throws: `JournalError`; after `unreachable`, run the same exchange again.
  package func run() throws -> Outcome {
    do {
      return try attempt()
    } catch let error as JournalError where error.kind == .replaced {
      try journal.restart(from: JournalCheckpoint(head: head, history: saved.historySnapshot))
      return try attempt()
    }
  }

  private func attempt() throws -> Outcome {
    if let batch {
      do {
        return .appended(head: try journal.append(batch, expecting: head))
      } catch let error as JournalError where error.kind == .conflict {
        // The entries of others come first.
      }
    }
    do {
      guard !needsContents else { return .contents(try journal.load()) }
      return .changes(try journal.changes(since: head))
    } catch let error as JournalError where error.kind == .gone {
      return .contents(try journal.load())
    }
  }
}
