import Foundation
import SampleFeatures
import TestSupport
import Testing

@testable import StateFile
@testable import StateStore

/// `DAMAGE_TEST_ROUNDS` is the number of damaged files.
@Suite("A state file that was damaged in any way")
struct DamageTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["DAMAGE_TEST_ROUNDS"].flatMap { Int($0) } ?? 100

  /// Words that appear only in messages for programmers.
  private static let words = [
    "Error", "Swift", "Foundation", "GRDB", "SQLITE_", "Optional(", "Context", "_0", "CodingKey",
    "State(", "Document", "Snapshot", "Fatal",
  ]

  /// Makes a file with many entries, or with a checkpoint.
  private func session(withCheckpoint hasCheckpoint: Bool) throws -> SQLiteFile {
    let file = try SQLiteFile()
    let journal = try file.open()
    let session = try JournaledSession(Sample.schema, in: journal)
    var actions = RandomActions(seed: 7)
    for _ in 0..<400 {
      do {
        try session.store.send(actions.next())
      } catch is any CodedError {
        continue
      }
    }
    try session.store.undo(2)
    try session.save()
    guard hasCheckpoint else { return file }
    try journal.checkpoint(
      JournalCheckpoint(head: session.head, history: session.store.historySnapshot))
    for count in 1...20 { try session.store.send(.set(count: count), to: Counter.self) }
    try session.save()
    return file
  }

  @Test("is opened, recovered or refused with a readable message, and the recovered part stays")
  func random() throws {
    let sessions = try [session(withCheckpoint: false), session(withCheckpoint: true)]
    var results: [String: Int] = [:]
    for round in 0..<Self.rounds {
      var damage = RandomDamage(seed: round)
      let file = try SQLiteFile()
      defer { withExtendedLifetime(file) {} }
      let original = sessions[damage.number(below: sessions.count)]
      let bytes = damage.apply(to: try [UInt8](original.bytes()))
      try Data(bytes).write(to: URL(fileURLWithPath: file.path))
      let comment: Comment = "round \(round): \(damage.description)"
      do {
        let journal = try file.open()
        let loaded = try journal.load()
        let notices = journal.takeNotices()
        for notice in notices { expectForPeople(notice, file, comment) }
        results[notices.isEmpty ? "opened" : "recovered", default: 0] += 1
        // Only what was written is believed.
        let whole = try original.open().load()
        #expect(loaded.checkpoint == whole.checkpoint, comment)
        #expect(loaded.entries == Array(whole.entries.prefix(loaded.entries.count)), comment)
        #expect(!notices.isEmpty || loaded == whole, comment)
        #expect(try journal.append([.numbered(1)], expecting: loaded.head) == loaded.head + 1)
        let reopened = try file.open()
        #expect(try reopened.load().head == loaded.head + 1, comment)
        #expect(reopened.takeNotices().isEmpty, comment)
      } catch let error as JournalError {
        expectForPeople(error.message, file, comment)
        #expect(try file.bytes() == Data(bytes), "\(comment): \(error)")
        results[error.code, default: 0] += 1
      }
    }
    print("damaged files:", results.sorted { $0.key < $1.key })
  }

  private func expectForPeople(_ message: String, _ file: SQLiteFile, _ damage: Comment) {
    #expect(message.hasPrefix("\(file.path): "), damage)
    let message = message.replacing(file.path, with: "")
    for word in Self.words { #expect(!message.contains(word), "\(damage): \(message)") }
  }
}

/// Damage to a file, the same for the same seed.
private struct RandomDamage: CustomStringConvertible {
  private var random: SeededGenerator
  private(set) var description = ""

  private static let pageSize = 4096

  init(seed: Int) {
    random = SeededGenerator(seed: UInt64(seed) &* 7_919 &+ 13)
  }

  mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  mutating func apply(to original: [UInt8]) -> [UInt8] {
    var bytes = original
    switch number(below: 5) {
    case 0:
      bytes.removeLast(number(below: bytes.count))
      description = "it has \(bytes.count) bytes"
    case 1:
      let position = number(below: min(bytes.count, 100))
      bytes[position] ^= 1 << number(below: 8)
      description = "it has another byte \(position)"
    case 2:
      for _ in 0..<number(below: 20) + 1 {
        bytes[number(below: bytes.count)] = UInt8(number(below: 256))
      }
      description = "it has other bytes"
    case 3:
      replaceText(in: &bytes)
      description = "it has another text"
    default:
      let count = bytes.count / Self.pageSize
      guard count > 1 else { return bytes }
      let (from, to) = (number(below: count) * Self.pageSize, number(below: count) * Self.pageSize)
      bytes[to..<to + Self.pageSize] = bytes[from..<from + Self.pageSize]
      description = "it has the page at \(from) at \(to), too"
    }
    return bytes
  }

  /// Changes the text of an entry or a checkpoint, which SQLite doesn't notice.
  private mutating func replaceText(in bytes: inout [UInt8]) {
    let texts = [
      "\"id\":", "\"add\"", "\"set\"", "\"count\":", "notes", "action", "position", "}}}",
    ]
    let text = Array(texts[number(below: texts.count)].utf8)
    let places = bytes.ranges(of: text)
    guard !places.isEmpty else { return }
    let place = places[number(below: places.count)]
    bytes[place.lowerBound + number(below: text.count)] = UInt8(ascii: "x")
  }
}
