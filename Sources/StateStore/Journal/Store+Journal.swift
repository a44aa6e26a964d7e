package import Foundation

extension Store {
  /// Makes a store from the contents of a journal.
  ///
  /// - Parameters:
  ///   - schema: The features.
  ///   - contents: The contents.
  ///   - program: The name of the program whose session it is.
  ///   - now: The clock of the history.
  /// - Throws: `JournalError.otherVersion`, which doesn't happen for entries that the same reducers applied before.
  /// - Complexity: O(size of the checkpoint + actions).
  package convenience init(
    _ schema: StoreSchema, _ contents: JournalContents, of program: String, now: (() -> Date)? = nil
  ) throws {
    self.init(schema, now: now)
    // All processes remember equally much, because any of them may go back to an action of another.
    retention = Self.defaultHistoryLimit
    if let snapshot = contents.checkpoint?.history {
      do {
        restore(
          try StoreSnapshot(
            snapshot, of: schema, limit: historyLimit, retention: Self.defaultHistoryLimit))
      } catch {
        throw JournalError.otherVersion(
          entry: contents.checkpoint?.head ?? 0, of: program, reason: error.asReason)
      }
    }
    try replay(
      contents.entries, after: contents.checkpoint?.head ?? 0, of: program, isRemote: false)
  }

  /// Replays entries of a journal, each as many times as it says.
  ///
  /// - Parameters:
  ///   - entries: The entries.
  ///   - head: The number of the entry before the first.
  ///   - program: The name of the program whose session it is.
  ///   - isRemote: Whether another process wrote them.
  /// - Throws: `JournalError.otherVersion` for an entry that can't be applied; those before it stay applied.
  func replay(
    _ entries: [JournalEntry], after head: Int, of program: String, isRemote: Bool
  ) throws {
    for (number, entry) in zip((head + 1)..., entries) {
      do {
        for _ in 0..<entry.count {
          try replay(
            entry.event, at: entry.time, isRemote: isRemote, author: entry.author ?? "")
        }
      } catch {
        throw JournalError.otherVersion(entry: number, of: program, reason: entry.refusal(error))
      }
    }
  }
}

extension Store {
  /// The differences between the state and the same session saved and reopened: there are none, unless a reducer
  /// depends on values that aren't saved, or a type doesn't encode all of its properties.
  ///
  /// - Returns: The differences; without a path if no field shows them.
  /// - Throws: Why the session couldn't be reopened.
  /// - Complexity: O(size of the history and its state).
  package func differencesWhenReopened() throws -> [StateDifference] {
    let data = try StateCoding.encoder.encode(historySnapshot)
    let snapshot = try StateCoding.decoder(for: schema).decode(HistorySnapshot.self, from: data)
    let reopened = try StoreSnapshot(
      snapshot, of: schema, limit: historyLimit, retention: retention
    ).states
    let differences = schema.differences(from: states, to: reopened)
    if differences.isEmpty, try !StateCoding.areSame(states, reopened) {
      return [StateDifference(path: "", old: nil, new: nil)]
    }
    return differences
  }
}

extension JournalEntry {
  /// Why the entry can't be applied.
  fileprivate func refusal(_ error: any Error) -> String {
    guard case .action(let action) = event, let feature = action.featureName else {
      return error.asReason
    }
    return "\(feature) refuses its action now (\(error.asReason))"
  }
}

extension Error {
  /// The error's message without the full stop at its end.
  fileprivate var asReason: String {
    let text = userMessage
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
