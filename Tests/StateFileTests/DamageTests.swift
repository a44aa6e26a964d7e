import Foundation
import SampleFeatures
import Testing
import TestSupport

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

  /// Makes a file with many actions, some of them undone.
  private func makeSession() throws -> SQLiteFile {
    let file = try SQLiteFile()
    let session = try file.session()
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
    return file
  }

  @Test("is opened, or refused with a readable message and unchanged")
  func random() throws {
    let original = try [UInt8](makeSession().bytes())
    var results: [String: Int] = [:]
    for round in 0..<Self.rounds {
      var damage = RandomDamage(seed: round)
      let file = try SQLiteFile()
      defer { withExtendedLifetime(file) {} }
      let bytes = damage.apply(to: original)
      try Data(bytes).write(to: URL(fileURLWithPath: file.path))
      let comment: Comment = "round \(round): \(damage.description)"
      let session: JournaledSession
      do {
        session = try file.session()
        results["opened", default: 0] += 1
      } catch let error as JournalError {
        expectForPeople(error.message, comment, path: file.path)
        #expect(try file.bytes() == Data(bytes), "\(comment): \(error)")
        #expect(try file.files == ["session.sqlite"], comment)
        results[error.code, default: 0] += 1
        continue
      }
      try use(session, file, comment)
    }
    print("damaged files:", results.sorted { $0.key < $1.key })
  }

  /// Undoes and redoes everything, acts and saves: what can't be done is refused with a readable message.
  private func use(_ session: JournaledSession, _ file: SQLiteFile, _ damage: Comment) throws {
    let store = session.store
    let steps: [() throws -> Void] = [
      { while store.position > store.reachable.lowerBound { try store.undo() } },
      { while store.position < store.reachable.upperBound { try store.redo() } },
      { _ = try store.history() }, { try store.send(.increment(by: 1), to: Counter.self) },
      { try session.save() },
    ]
    for step in steps {
      do {
        try step()
      } catch let error as any CodedError {
        expectForPeople(error.message, damage, path: file.path)
      }
    }
    guard !session.hasUnsavedEntries else { return }
    do {
      let reopened = try file.session()
      try expectSame(reopened.store.states, store.states)
    } catch let error as JournalError {
      // What was saved has met a damaged page that wasn't read before.
      expectForPeople(error.message, damage, path: file.path)
    }
  }

  private func expectForPeople(_ message: String, _ damage: Comment, path: String) {
    let message = message.replacing(path, with: "")
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

  /// Changes a text of the state or the history, which SQLite doesn't notice.
  private mutating func replaceText(in bytes: inout [UInt8]) {
    let texts = [
      "\"id\":", "\"add\"", "\"set\"", "\"count\":", "notes", "action", "position", "}}}",
      "\"field\"",
      "\"from\":", "\"to\":", "#version", "[{",
    ]
    let text = Array(texts[number(below: texts.count)].utf8)
    let places = bytes.ranges(of: text)
    guard !places.isEmpty else { return }
    let place = places[number(below: places.count)]
    bytes[place.lowerBound + number(below: text.count)] = UInt8(ascii: "x")
  }
}
