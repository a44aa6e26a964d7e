public import Foundation

/// The events of a store that aren't in its journal yet.
///
/// It records every action. Repeated actions are counted, which takes no memory and only some nanoseconds.
final class JournalRecorder {
  /// Called when saving in the background is due.
  var onDue: () -> Void = {}

  /// The user and host that entries name; nil for a journal of one machine.
  var author: String?

  private let writer = UUID()

  // Unchecked: these accesses run no outside code, and happen for every action. Times are in seconds since the
  // reference date.

  @exclusivity(unchecked) private var finished: [JournalEntry] = []
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

  var entries: [JournalEntry] {
    count == 0 ? finished : finished + [lastEntry]
  }

  private var lastEntry: JournalEntry {
    JournalEntry(
      .action(action), count: count, time: Date(timeIntervalSinceReferenceDate: start),
      writer: writer, author: author)
  }

  /// Records an action, with its time in seconds since the reference date.
  func note(_ action: StoreAction, at seconds: TimeInterval) {
    lastTime = seconds
    if count > 0, count < JournalEntry.greatestCount, Self.isNear(lastTime, start),
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

  func note(_ event: JournalEntry.Event, at date: Date) {
    if case .action(let action) = event {
      return note(action, at: date.timeIntervalSinceReferenceDate)
    }
    lastTime = date.timeIntervalSinceReferenceDate
    finish()
    finished.append(JournalEntry(event, time: date, writer: writer, author: author))
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
  func putBack(_ entries: [JournalEntry]) {
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

/// An event of a session, as a journal stores it.
public struct JournalEntry: Equatable, Sendable {
  /// An action, or a move in the history.
  public enum Event: Equatable, Sendable {
    /// An action.
    case action(StoreAction)
    /// Actions were undone or redone, up to the action with a number.
    case travel(to: Int)
  }

  /// The event.
  public let event: Event

  /// The number of times that it happened in a row: from 1 to `greatestCount`.
  ///
  /// A loop that repeats an action a thousand times makes one entry.
  public var count: Int

  /// The time when it first happened; a journal may store it to the microsecond.
  public let time: Date

  /// The process that wrote it: each process that has the session open is a separate writer.
  public let writer: UUID

  /// The user and host that did it, such as "anna@laptop"; nil if the journal doesn't say.
  public let author: String?

  /// The maximum count of one entry: some tenths of a second of the same action.
  public static let greatestCount = 1_000_000

  /// Makes an entry.
  public init(
    _ event: Event, count: Int = 1, time: Date, writer: UUID, author: String? = nil
  ) {
    self.event = event
    self.count = count
    self.time = time
    self.writer = writer
    self.author = author
  }
}

extension JournalEntry.Event: Codable {
  private enum CodingKeys: CodingKey {
    case travel
  }

  /// Encodes the action, or the number up to which actions were undone or redone.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .action(let action):
      try action.encode(to: encoder)
    case .travel(let number):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(number, forKey: .travel)
    }
  }

  /// Decodes an event of the decoder's schema.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if container.contains(.travel) {
      self = .travel(to: try container.decode(Int.self, forKey: .travel))
    } else {
      self = .action(try StoreAction(from: decoder))
    }
  }
}
