import Foundation
package import StateStore

/// The checks that every journal must pass, for the tests of an implementation.
package enum JournalConformance {
  package struct Check: Sendable, CustomStringConvertible {
    package let description: String

    fileprivate let body: @Sendable (@escaping Opener) async throws -> Void

    /// Runs the check.
    ///
    /// - Parameter open: Opens a journal of the sample features in the same place each time, which is empty at first, as
    ///   another process would.
    /// - Throws: ``Failure``, or an error of the journal.
    package func run(opening open: @escaping @Sendable () throws -> any Journal) async throws {
      try await body(open)
    }
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  fileprivate typealias Opener = @Sendable () throws -> any Journal

  package static var checks: [Check] {
    [
      Check(description: "is empty at first", body: isEmpty),
      Check(description: "keeps entries in order", body: keepsEntries),
      Check(description: "keeps all texts unchanged", body: keepsTexts),
      Check(description: "keeps values, lists and sets", body: keepsState),
      Check(
        description: "keeps the order after many insertions between the same two records",
        body: keepsOrder),
      Check(description: "replaces the whole state", body: replacesState),
      Check(description: "gives news instead of saving over others", body: givesNews),
      Check(description: "saves a write only once", body: savesOnce),
      Check(description: "saves all of a write or none", body: isAtomic),
      Check(description: "replaces undone entries, and forgets the oldest", body: replacesEntries),
      Check(description: "knows a write that it doesn't have", body: noticesOtherWrites),
      Check(
        description: "issues every identifier once, for each kind from 1", body: issuesIdentifiers),
      Check(
        description: "issues every identifier once to users who create it at the same time",
        body: sharesIdentifiers),
      Check(description: "brings sessions to the same state", body: bringsSessionsTogether),
    ]
  }

  // MARK: - Checks

  @Sendable private static func isEmpty(_ open: Opener) throws {
    let session = try open().load()
    try expect(session.point.sequence, 0)
    try expect(session.state, SavedState())
    try expect(session.entries, [])
    try expect(session.extent, HistoryExtent())
    try expect(open().load(), session)
    try expect(open().exchange(nil, after: session.point), .saved(session.point))
  }

  @Sendable private static func keepsEntries(_ open: Opener) throws {
    let journal = try open()
    try save(write(1...3), in: journal)
    try save(write(4...5), in: journal)
    try expect(journal.load().entries, (1...5).map { entry($0) })
    try expect(open().load(), journal.load())
    try expect(journal.load().extent.position, 5)
  }

  @Sendable private static func keepsTexts(_ open: Opener) throws {
    let texts = [
      "", "é", "e\u{301}", "\"\\\n\u{2028}", "🎉", String(repeating: "x", count: 100_000),
    ]
    let entries = (1...2_500).map { number in
      entry(number, text: texts[number % 500 == 6 ? 5 : number % 5])
    }
    let journal = try open()
    try save(
      SessionWrite(
        common: 0, entries: entries, extent: HistoryExtent(position: 2_500), changes: []),
      in: journal)
    try expect(Self.entries(of: open()), entries)
  }

  @Sendable private static func keepsState(_ open: Opener) throws {
    let journal = try open()
    let records = (1...4).map { record($0, "record \($0)") }
    let first = [
      value("a.text", .text("e\u{301}\n\"")), value("a.none", .none),
      value("a.number", .number(.infinity)), value("a#state", .record([])),
      list("a.records", .replaced(old: [], new: ListElements(records))),
      list("a.set", .replaced(old: [], new: ListElements([.text("x"), .text("y")]))),
    ]
    let second = [
      value("a.text", .text("")),
      list(
        "a.records",
        .edits([
          .removed(position: 1, records[1]), .inserted(position: 0, record(9, "new")),
          .inserted(position: 2, record(8, "middle")),
          .changed(position: 1, old: records[0], new: record(1, "changed")),
        ])),
      list(
        "a.set", .edits([.removed(position: 0, .text("x")), .inserted(position: 1, .text("z"))])),
    ]
    try save(write(1...1, first), in: journal)
    try save(write(2...2, second), in: journal)
    let state = try open().load().state
    try expect(
      state.values,
      ["a.text": "\"\"", "a.none": "null", "a.number": "\"inf\"", "a#state": "{}"])
    try expect(
      state.lists["a.records"],
      [record(9, "new"), record(1, "changed"), record(8, "middle"), records[2], records[3]]
        .map(\.savedJSON))
    try expect(state.lists["a.set"], ["\"y\"", "\"z\""])
  }

  @Sendable private static func keepsOrder(_ open: Opener) throws {
    let journal = try open()
    // Some in one write, and others each in its own.
    for (number, ids) in ([1...100] + (101...160).map { $0...$0 }).enumerated() {
      let edits = ids.map { ListEdit.inserted(position: min($0 - 1, 1), record($0, "")) }
      try save(write(number + 1...number + 1, [list("a.list", .edits(edits))]), in: journal)
    }
    let ids = [1] + (3...160).reversed() + [2]
    try expect(open().load().state.lists["a.list"], ids.map { record($0, "").savedJSON })
  }

  @Sendable private static func replacesState(_ open: Opener) throws {
    let journal = try open()
    try save(
      write(1...1, [value("a.old", .integer(1)), list("a.list", .edits([]))]), in: journal)
    let changes = [value("a.new", .integer(2))]
    try save(
      SessionWrite(
        common: 1, entries: [], extent: HistoryExtent(position: 1), changes: changes,
        replacesState: true),
      in: journal)
    try expect(open().load().state, SavedState(values: ["a.new": "2"]))
  }

  @Sendable private static func givesNews(_ open: Opener) throws {
    let (one, other) = (try open(), try open())
    let start = try other.load().point
    try save(write(1...2), in: one)
    let middle = try one.load().point
    try save(write(3...3), in: one)
    let kept = try one.load()
    for (point, numbers) in [(start, 1...3), (middle, 3...3)] {
      let news = SessionNews(
        point: kept.point, entries: numbers.map { entry($0) },
        extent: HistoryExtent(position: 3))
      try expect(other.exchange(write(4...4), after: point), .news(news))
      try expect(other.exchange(nil, after: point), .news(news))
    }
    try expect(open().load(), kept)
  }

  @Sendable private static func savesOnce(_ open: Opener) throws {
    let journal = try open()
    let start = try journal.load().point
    let write = write(1...2)
    let reply = try journal.exchange(write, after: start)
    try expect(journal.exchange(write, after: start), reply)
    try save(Self.write(3...3), in: open())
    try expect(open().exchange(write, after: start), reply)
    try expect(open().load().entries.count, 3)
  }

  @Sendable private static func isAtomic(_ open: Opener) async throws {
    let (writers, rounds, size) = (4, 10, 5)
    try await withThrowingTaskGroup { group in
      for writer in 0..<writers {
        let journal = try open()
        group.addTask {
          for _ in 0..<rounds { try append(size, "\(writer)", to: journal) }
        }
      }
      try await group.waitForAll()
    }
    let entries = try Self.entries(of: open())
    try expect(entries.map(\.number), Array(1...writers * rounds * size))
    for start in stride(from: 0, to: entries.count, by: size) {
      try expect(Set(entries[start..<start + size].map(\.text)).count, 1)
    }
  }

  private static func append(_ count: Int, _ text: String, to journal: any Journal) throws {
    while true {
      let session = try journal.load()
      let last = session.extent.position
      let entries = (last + 1...last + count).map { entry($0, text: text) }
      let write = SessionWrite(
        common: last, entries: entries, extent: HistoryExtent(position: last + count),
        changes: [])
      if case .saved = try journal.exchange(write, after: session.point) { return }
    }
  }

  @Sendable private static func replacesEntries(_ open: Opener) throws {
    let journal = try open()
    try save(write(1...5), in: journal)
    let known = try journal.load().point
    try save(
      SessionWrite(common: 5, entries: [], extent: HistoryExtent(position: 3), changes: []),
      in: journal)
    try expect(journal.load().extent.position, 3)
    try expect(journal.load().entries.count, 5)
    let undone = try journal.load().point
    let extent = HistoryExtent(first: 2, position: 4, migration: 1)
    try save(
      SessionWrite(
        common: 3, entries: [entry(4, text: "other")], extent: extent, changes: []),
      in: journal)
    let session = try open().load()
    try expect(session.entries.map(\.number), [2, 3, 4])
    try expect(session.entries.last?.text, "other")
    for point in [known, undone] {
      try expect(
        journal.exchange(nil, after: point),
        .news(
          SessionNews(
            point: session.point, entries: [entry(4, text: "other")], extent: extent)))
    }
  }

  @Sendable private static func noticesOtherWrites(_ open: Opener) throws {
    let journal = try open()
    try save(write(1...1), in: journal)
    try save(write(2...2), in: journal)
    let point = try journal.load().point
    for sequence in [1, 2, 3] {
      let other = JournalPoint(session: point.session, sequence: sequence, write: UUID())
      try expect(journal.exchange(write(3...3), after: other), .outdated(isRestored: true))
    }
    try expect(journal.load().entries.count, 2)
  }

  private static let note = IdentifierKind("note")
  private static let other = IdentifierKind("other")

  @Sendable private static func issuesIdentifiers(_ open: Opener) throws {
    let (one, two) = (try open(), try open())
    try expect(one.reserveIdentifiers(3, of: note), 1...3)
    try expect(two.reserveIdentifiers(1, of: note), 4...4)
    try expect(two.reserveIdentifiers(2, of: other), 1...2)
    try expect(open().reserveIdentifiers(10, of: note), 5...14)
  }

  @Sendable private static func sharesIdentifiers(_ open: @escaping Opener) async throws {
    let given = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<4 {
        group.addTask {
          let journal = try open()
          return try (1...25).flatMap {
            try Array(journal.reserveIdentifiers($0 % 3 + 1, of: note))
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    try expect(given.sorted(), Array(1...given.count))
  }

  @Sendable private static func bringsSessionsTogether(_ open: Opener) throws {
    func openSession() throws -> JournaledSession { try open().openSession() }
    // Without the texts of secrets, which only the session knows that has set them; by bytes, as a letter has several forms.
    func json(_ store: Store) -> Data { Data(store.snapshot.savedJSON.utf8) }
    var sessions = try (0..<3).map { _ in try openSession() }
    var actions = RandomActions(seed: 1)
    for _ in 1...8 {
      for _ in 1...150 {
        do {
          try actions.act(on: &sessions, opening: openSession)
        } catch is any CodedError {
          continue
        }
      }
      for session in sessions { try session.save() }
      for session in sessions { try session.reload() }
      let reopened = try openSession().store
      for store in sessions.map(\.store) {
        try expect(json(store), json(reopened))
        try expect(store.position, reopened.position)
      }
    }
  }

  // MARK: - Support

  private static func entry(_ number: Int, text: String = "milk") -> SavedEntry {
    SavedEntry(
      number: number, time: Date(timeIntervalSince1970: 1_000_000 + Double(number) / 2),
      author: nil, text: text, action: "{\"action\":\(number)}",
      changes: "[{\"text\":\(StateValue.text(text).savedJSON)}]")
  }

  private static func write(
    _ numbers: ClosedRange<Int>, _ changes: [FieldChange] = []
  ) -> SessionWrite {
    SessionWrite(
      common: numbers.lowerBound - 1, entries: numbers.map { entry($0) },
      extent: HistoryExtent(position: numbers.upperBound), changes: changes)
  }

  /// All entries of a journal, also those that `load` leaves out.
  private static func entries(of journal: any Journal) throws -> [SavedEntry] {
    let session = try journal.load()
    let omitted = try session.omittedNumbers.map { try journal.entries($0, at: session.point) }
    return (omitted ?? []) + session.entries
  }

  private static func save(_ write: SessionWrite, in journal: any Journal) throws {
    let reply = try journal.exchange(write, after: journal.load().point)
    guard case .saved(let point) = reply else {
      throw Failure(description: "expected the write to be saved, found \(reply)")
    }
    try expect(journal.load().point, point)
  }

  private static func record(_ id: Int, _ text: String) -> StateValue {
    .record([.init(name: "id", value: .integer(id)), .init(name: "text", value: .text(text))])
  }

  private static func value(_ path: String, _ value: StateValue) -> FieldChange {
    FieldChange(path: path, change: .value(new: value, old: .none))
  }

  private static func list(_ path: String, _ edits: ListEdits<StateValue>) -> FieldChange {
    FieldChange(path: path, change: .list(edits))
  }

  private static func expect<Value: Equatable>(
    _ result: @autoclosure () throws -> Value, _ expected: Value, line: UInt = #line
  ) throws {
    let result = try result()
    guard result != expected else { return }
    throw Failure(description: "line \(line): expected \(expected), found \(result)")
  }
}
