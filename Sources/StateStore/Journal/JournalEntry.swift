public import Foundation

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
