import Foundation
import TestSupport
import Testing

/// `DAMAGE_TEST_ROUNDS` says how many files are damaged.
@Suite("A state file that was damaged in any way", .serialized)
struct DamageTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["DAMAGE_TEST_ROUNDS"].flatMap { Int($0) } ?? 40

  /// What shows that a message was written for programmers.
  private static let words = [
    "Error", "Swift", "Foundation", "GRDB", "SQLITE_", "Optional(", "Context", "_0", "CodingKey",
    "State(", "Document", "Snapshot", "Fatal",
  ]

  /// Files as a session leaves them: closed, with a checkpoint, and after a kill with a log beside them.
  private static let sessions = [
    """
    counter.count = 17 counter.ask_is_prime() favorites.add(5) todo.add('milk').done = true
    persons.add{name = 'Ann', age = 30} persons[1].age = 31 landmarks.load()
    landmarks.select(landmarks.all[1].id) signup.next() signup.data.email = 'a@b'
    pcall(todo.fetch, 'none') store.undo(2) store.redo() for i = 1, 30 do todo.add('item ' .. i) end
    """,
    "for i = 1, 10500 do counter.count = i end favorites.add(7) todo.add('milk')",
    "for i = 1, 60 do todo.add(('x'):rep(99)) end store.save() os.execute('kill -9 $PPID')",
  ]

  @Test("is opened, recovered or refused with a readable message, and what was recovered stays")
  func random() async throws {
    let home = try TemporaryFolder()
    for (number, code) in Self.sessions.enumerated() {
      let path = home.path(of: "\(number)/f")
      _ = try await CommandRunner(home: home).run(["--state", path, "-e", code])
    }
    for round in 0..<Self.rounds {
      var damage = Damage(seed: round)
      let folder = try TemporaryFolder()
      let session = damage.number(below: Self.sessions.count)
      for name in home.files("\(session)") {
        try FileManager.default.copyItem(
          atPath: home.path(of: "\(session)/\(name)"), toPath: folder.path(of: name))
      }
      try damage.apply(in: folder)
      let path = folder.path(of: "f")
      let code = "todo.add('more') counter.increment() print(counter.count)"
      let first = try await CommandRunner(home: home).run(["--state", path, "-e", code])
      try expectForPeople(first, path: path, "round \(round): \(damage.description)")
      guard first.status == .exited(0) else { continue }
      let second = try await CommandRunner(home: home).run([
        "--state", path, "-e", "print(counter.count)",
      ])
      #expect(second.output == first.output, "round \(round): \(damage.description)")
      #expect(second.error == "", "round \(round): \(damage.description)")
    }
  }

  private func expectForPeople(
    _ result: CommandOutput, path: String, _ damage: Comment
  ) throws {
    #expect(result.status == .exited(0) || result.status == .exited(1), damage)
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    if result.status != .exited(0) { #expect(result.error.contains("primerepl: \(path)"), damage) }
    let message = result.error.replacing(path, with: "")
    for word in Self.words { #expect(!message.contains(word), "\(damage): \(result.error)") }
    #expect(!message.unicodeScalars.contains { $0.value < 32 && $0 != "\n" }, damage)
  }
}

/// Something that happens to a file or its log, the same for the same seed.
private struct Damage: CustomStringConvertible {
  private var random: SeededGenerator
  private(set) var description = ""

  private static let pageSize = 4096

  init(seed: Int) {
    random = SeededGenerator(seed: UInt64(seed) &* 7_919 &+ 13)
  }

  mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  mutating func apply(in folder: TemporaryFolder) throws {
    let names = ["f", "f-wal"].filter {
      FileManager.default.fileExists(atPath: folder.path(of: $0))
    }
    let name = names[number(below: names.count)]
    let url = URL(fileURLWithPath: folder.path(of: name))
    var bytes = try [UInt8](Data(contentsOf: url))
    guard !bytes.isEmpty else { return }
    switch number(below: 5) {
    case 0:
      bytes.removeLast(number(below: bytes.count))
      description = "\(name) has \(bytes.count) bytes"
    case 1:
      let position = number(below: min(bytes.count, 100))
      bytes[position] ^= 1 << number(below: 8)
      description = "\(name) has another byte \(position)"
    case 2:
      for _ in 0..<number(below: 20) + 1 {
        bytes[number(below: bytes.count)] = UInt8(number(below: 256))
      }
      description = "\(name) has other bytes"
    case 3:
      replaceText(in: &bytes)
      description = "\(name) has another text"
    default:
      let count = bytes.count / Self.pageSize
      guard count > 1 else { return }
      let (from, to) = (number(below: count) * Self.pageSize, number(below: count) * Self.pageSize)
      bytes[to..<to + Self.pageSize] = bytes[from..<from + Self.pageSize]
      description = "\(name) has the page at \(from) at \(to), too"
    }
    try Data(bytes).write(to: url)
  }

  /// Changes what an entry or a checkpoint says was done, which SQLite doesn't notice.
  private mutating func replaceText(in bytes: inout [UInt8]) {
    let texts = [
      "\"id\":", "\"add\"", "\"set\"", "\"count\":", "todo", "action", "position", "}}}",
    ]
    let text = Array(texts[number(below: texts.count)].utf8)
    let places = bytes.ranges(of: text)
    guard !places.isEmpty else { return }
    let place = places[number(below: places.count)]
    bytes[place.lowerBound + number(below: text.count)] = UInt8(ascii: "x")
  }
}
