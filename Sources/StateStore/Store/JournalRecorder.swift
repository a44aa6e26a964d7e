public import Foundation

/// What a store did that its journal doesn't have yet.
///
/// It is told of every action: what is done again and again is counted, which takes no memory, and some nanoseconds.
final class JournalRecorder {
  /// Called when there is so much that it is to be saved in the background.
  var onDue: () -> Void = {}

  private let writer = UUID()

  // Unchecked, as nothing they do runs code of others, and they are used for every action. Times are in seconds since
  // the reference date.

  @exclusivity(unchecked) private var finished: [JournalEntry] = []
  /// What was done last, an action, so many times from a time on; none where that is 0.
  @exclusivity(unchecked) private var action = StoreAction.reset
  @exclusivity(unchecked) private var count = 0
  @exclusivity(unchecked) private var start = 0.0
  @exclusivity(unchecked) private var firstTime = 0.0
  @exclusivity(unchecked) private var lastTime = 0.0
  @exclusivity(unchecked) private var failureTime = -Double.infinity

  /// It is time to save when there are so many entries, or when the first has waited so long.
  private static let batchSize = 1000
  private static let batchTime = 0.2
  /// Where that failed, it is tried again after so long, as it takes the longer the more there is.
  private static let retryInterval = 5.0

  /// Whether nothing was done.
  var isEmpty: Bool { count == 0 && finished.isEmpty }

  /// What was done, in order.
  var entries: [JournalEntry] {
    count == 0 ? finished : finished + [lastEntry]
  }

  private var lastEntry: JournalEntry {
    JournalEntry(
      .action(action), count: count, time: Date(timeIntervalSinceReferenceDate: start),
      writer: writer)
  }

  /// Notes that an action was done, at a time in seconds since the reference date.
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

  /// An entry of this process.
  func entry(_ event: JournalEntry.Event, at time: Date) -> JournalEntry {
    JournalEntry(event, time: time, writer: writer)
  }

  /// Notes that something was done.
  func note(_ event: JournalEntry.Event, at date: Date) {
    if case .action(let action) = event {
      return note(action, at: date.timeIntervalSinceReferenceDate)
    }
    lastTime = date.timeIntervalSinceReferenceDate
    finish()
    finished.append(entry(event, at: date))
  }

  private func finish() {
    if isEmpty { firstTime = lastTime }
    guard count > 0 else { return }
    finished.append(lastEntry)
    count = 0
  }

  /// Forgets what was done, as it is saved, or done again.
  func removeAll() {
    finished = []
    count = 0
    failureTime = -.infinity
  }

  /// Calls `onDue` where it is time.
  func check() {
    guard finished.count >= Self.batchSize || !Self.isNear(lastTime, firstTime), !isEmpty,
      abs(lastTime - failureTime) >= Self.retryInterval
    else { return }
    onDue()
  }

  /// Whether it isn't worth saving for so short a time; somebody may also have set the clock back.
  private static func isNear(_ time: Double, _ other: Double) -> Bool {
    abs(time - other) < batchTime
  }

  /// Lets some time go by until `onDue` is called again.
  func postpone() {
    failureTime = lastTime
  }
}

/// Something that was done, as a journal remembers it.
public struct JournalEntry: Equatable, Sendable {
  /// What was done.
  public enum Event: Equatable, Sendable {
    /// An action.
    case action(StoreAction)
    /// Actions were undone or redone, up to the action of a number.
    case travel(to: Int)
  }

  /// What was done.
  public let event: Event

  /// How often it was done, one right after the other; at least once, at most `greatestCount` times.
  ///
  /// A loop that does the same a thousand times is one entry.
  public var count: Int

  /// When it was done, the first time; a journal may keep it to the microsecond.
  public let time: Date

  /// Who did it: each process that has the session open is another writer.
  public let writer: UUID

  /// How often something can be done in one entry: some tenths of a second of nothing else.
  public static let greatestCount = 1_000_000

  /// Makes an entry.
  public init(_ event: Event, count: Int = 1, time: Date, writer: UUID) {
    self.event = event
    self.count = count
    self.time = time
    self.writer = writer
  }
}

extension JournalEntry.Event: Codable {
  private enum CodingKeys: CodingKey {
    case travel
  }

  /// Encodes the action, or the number of the action to which it went.
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
