import PrimereplFoundation

/// The events of a store that aren't in its journal yet, which are done again after those of others.
///
/// It records every action. Repeated actions are counted, which takes no memory and only some nanoseconds.
final class JournalRecorder {
  /// An event, as many times as it happened in a row.
  struct Entry {
    let event: StoreEvent
    let count: Int
    /// The time when it first happened.
    let time: Date
  }

  /// Called when saving in the background is due.
  var onDue: () -> Void = {}

  // Unchecked: these accesses run no outside code, and happen for every action. Times are in seconds since the
  // reference date.

  @exclusivity(unchecked) private var finished: [Entry] = []
  /// The last action, done `count` times since `start`; there is none if `count` is 0.
  @exclusivity(unchecked) private var action = StoreAction.reset
  @exclusivity(unchecked) private var count = 0
  @exclusivity(unchecked) private var start = 0.0
  @exclusivity(unchecked) private var firstTime = 0.0
  @exclusivity(unchecked) private var lastTime = 0.0
  @exclusivity(unchecked) private var failureTime = -Double.infinity

  /// Saving is due when there are this many entries, or when the first has waited this long.
  private static let batchSize = 1000
  private static let batchTime = 0.2
  /// The delay before a failed save is tried again: saving takes longer the more entries there are.
  private static let retryInterval = 5.0

  var isEmpty: Bool { count == 0 && finished.isEmpty }

  var entries: [Entry] {
    count == 0 ? finished : finished + [lastEntry]
  }

  private var lastEntry: Entry {
    Entry(
      event: .action(action), count: count, time: Date(timeIntervalSinceReferenceDate: start))
  }

  func record(_ action: StoreAction, at seconds: TimeInterval) {
    lastTime = seconds
    if count > 0, Self.isNear(lastTime, start),
      action.isIdentical(to: self.action)
    {
      count += 1
    } else {
      finish()
      self.action = action
      count = 1
      start = lastTime
    }
  }

  func record(_ event: StoreEvent, at date: Date) {
    if case .action(let action) = event {
      return record(action, at: date.timeIntervalSinceReferenceDate)
    }
    lastTime = date.timeIntervalSinceReferenceDate
    finish()
    finished.append(Entry(event: event, count: 1, time: date))
  }

  private func finish() {
    if isEmpty { firstTime = lastTime }
    guard count > 0 else { return }
    finished.append(lastEntry)
    count = 0
  }

  /// Called when the entries have been saved or replayed.
  func removeAll() {
    finished = []
    count = 0
    failureTime = -.infinity
  }

  /// Takes back entries that couldn't be saved, which come before all others.
  func putBack(_ entries: [Entry]) {
    if isEmpty, let first = entries.first {
      firstTime = first.time.timeIntervalSinceReferenceDate
    }
    finished = entries + finished
  }

  /// Calls `onDue` if saving is due.
  func check() {
    guard finished.count >= Self.batchSize || !Self.isNear(lastTime, firstTime), !isEmpty,
      abs(lastTime - failureTime) >= Self.retryInterval
    else { return }
    onDue()
  }

  /// Whether two times are too close for a save; the clock may also have been set back.
  private static func isNear(_ time: Double, _ other: Double) -> Bool {
    abs(time - other) < batchTime
  }

  /// Delays the next call of `onDue`, after a failed save.
  func postpone() {
    failureTime = lastTime
  }
}

/// What happened to a store.
public enum StoreEvent: Equatable, Sendable {
  /// An action.
  case action(StoreAction)
  /// Actions were undone or redone, up to the action with a number.
  case travel(to: Int)
}
