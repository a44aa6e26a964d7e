import Foundation
import GRDB

/// Entries that are read one after the other.
///
/// Their contents are decoded many at a time, as one array, which is several times as fast.
struct EntryBatch {
  private static let size = 1_000
  /// Seconds that no clock shows: some 3,000 years.
  private static let greatestTime = 1e11

  private let decoder: JSONDecoder
  private var read = JournalRows.Entries()
  private var pending: [Pending] = []
  /// The number that comes next.
  private var next: Int
  /// Mostly that of the entry before.
  private var writer: (text: String, id: UUID)?

  private struct Pending {
    let number: Int
    let writer: UUID
    let time: Date
    let count: Int
    let content: String
  }

  init(decoder: JSONDecoder, after head: Int) {
    self.decoder = decoder
    next = head + 1
  }

  /// What was found damaged so far.
  var damage: EntryDamage? { read.damage }

  /// Adds the next row: number, writer, time, count, content.
  mutating func add(_ row: Row) {
    guard Int.fromDatabaseValue(row[0]) == next else { return end(with: "it isn't there") }
    guard let count = Int.fromDatabaseValue(row[3]),
      (1...JournalEntry.greatestCount).contains(count)
    else { return end(with: "it doesn't say how often it was done") }
    guard let text = String.fromDatabaseValue(row[1]), let writer = writer(text) else {
      return end(with: "it doesn't say who wrote it")
    }
    guard let time = Double.fromDatabaseValue(row[2]), abs(time) < Self.greatestTime else {
      return end(with: "it doesn't say when it was done")
    }
    guard let content = String.fromDatabaseValue(row[4]) else {
      return end(with: "what was done isn't text")
    }
    pending.append(
      Pending(
        number: next, writer: writer, time: Date(timeIntervalSince1970: time), count: count,
        content: content))
    next += 1
    if pending.count == Self.size { decodePending() }
  }

  /// Says that the next entry can't be read.
  mutating func end(with reason: String) {
    decodePending()
    // One before it may be damaged as well.
    guard read.damage == nil else { return }
    read.damage = EntryDamage(number: next, reason: "entry \(next) can't be read: \(reason)")
  }

  /// What was read.
  mutating func finish() -> JournalRows.Entries {
    decodePending()
    return read
  }

  private mutating func writer(_ text: String) -> UUID? {
    if let writer, writer.text == text { return writer.id }
    guard let id = UUID(uuidString: text) else { return nil }
    writer = (text, id)
    return id
  }

  private mutating func decodePending() {
    defer { pending.removeAll(keepingCapacity: true) }
    guard read.damage == nil, !pending.isEmpty else { return }
    let array = "[" + pending.lazy.map(\.content).joined(separator: ",") + "]"
    do {
      let events = try decoder.decode([JournalEntry.Event].self, from: Data(array.utf8))
      // One content may look like several, which are no JSON by themselves.
      guard events.count == pending.count else { return decodeSingly() }
      for (entry, event) in zip(pending, events) { add(entry, event) }
    } catch {
      decodeSingly()
    }
  }

  /// Finds the entry that can't be decoded.
  private mutating func decodeSingly() {
    for entry in pending {
      let json = Data(entry.content.utf8)
      do {
        add(entry, try decoder.decode(JournalEntry.Event.self, from: json))
      } catch {
        let problem = JSONProblem(error, in: json)
        read.damage = EntryDamage(
          number: entry.number, reason: "entry \(entry.number) can't be read: \(problem.message)")
        return
      }
    }
  }

  private mutating func add(_ entry: Pending, _ event: JournalEntry.Event) {
    read.entries.append(
      JournalEntry(event, count: entry.count, time: entry.time, writer: entry.writer))
  }
}
