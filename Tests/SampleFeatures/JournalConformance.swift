import Foundation
package import StateStore

/// The checks that every journal must pass, for the tests of an implementation.
package enum JournalConformance {
  /// A check of one promise.
  package struct Check: Sendable, CustomStringConvertible {
    /// The promise.
    package let description: String

    fileprivate let body: @Sendable (Opener) async throws -> Void

    /// Runs the check.
    ///
    /// - Parameter open: Opens a journal of ``schema`` in the same place each time, which is empty at first, as another
    ///   process would.
    /// - Throws: ``Failure``, or an error of the journal.
    package func run(opening open: @escaping @Sendable () throws -> any Journal) async throws {
      try await body(open)
    }
  }

  /// A broken promise.
  package struct Failure: Error, CustomStringConvertible {
    /// The expectation and the result.
    package let description: String
  }

  fileprivate typealias Opener = @Sendable () throws -> any Journal

  /// The features of the checks.
  package static let schema: StoreSchema = {
    do throws(SchemaError) {
      return try StoreSchema(features: [ConformanceNotes.self])
    } catch {
      preconditionFailure(error.message)
    }
  }()

  /// All checks.
  package static var checks: [Check] {
    [
      Check(description: "is empty at first", body: isEmpty),
      Check(description: "keeps entries in order", body: keepsEntries),
      Check(description: "keeps all texts unchanged", body: keepsTexts),
      Check(description: "keeps values, lists and sets", body: keepsState),
      Check(description: "replaces the whole state", body: replacesState),
      Check(description: "gives news instead of saving over others", body: givesNews),
      Check(description: "saves a write only once", body: savesOnce),
      Check(description: "saves all of a write or none", body: isAtomic),
      Check(description: "replaces undone entries, and forgets the oldest", body: replacesEntries),
      Check(description: "knows a write that it doesn't have", body: noticesOtherWrites),
      Check(
        description: "issues every identifier once, for each kind from 1", body: issuesIdentifiers),
      Check(
        description: "issues every identifier once to concurrent users", body: sharesIdentifiers),
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
    let session = try open().load()
    let rest = try session.omittedNumbers.map { try open().entries($0, at: session.point) }
    try expect((rest ?? []) + session.entries, entries)
  }

  @Sendable private static func keepsState(_ open: Opener) throws {
    let journal = try open()
    func save(_ changes: [FieldChange]) throws {
      let number = try journal.load().extent.position + 1
      try self.save(write(number...number, changes), in: journal)
    }
    let records = (1...4).map { record($0, "record \($0)") }
    try save([
      value("a.text", .text("e\u{301}\n\"")), value("a.none", .none),
      value("a.number", .number(.infinity)), value("a#state", .record([])),
      list("a.records", .replaced(old: [], new: ListElements(records))),
      list("a.set", .replaced(old: [], new: ListElements([.text("x"), .text("y")]))),
    ])
    try save([
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
    ])
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
    try expect(open().exchange(write, after: start), reply)
    try expect(open().load().entries.count, 2)
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
    let journal = try open()
    let entries = try journal.entries(1...writers * rounds * size, at: journal.load().point)
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

  @Sendable private static func sharesIdentifiers(_ open: Opener) async throws {
    let given = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<4 {
        let journal = try open()
        group.addTask {
          try (1...25).flatMap { try Array(journal.reserveIdentifiers($0 % 3 + 1, of: note)) }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    try expect(given.sorted(), Array(1...given.count))
  }

  @Sendable private static func bringsSessionsTogether(_ open: Opener) throws {
    let sessions = try (0..<3).map { _ in try JournaledSession(schema, in: open()) }
    for number in 1...30 {
      let session = sessions[number % 3]
      let store = session.store
      try store.send(.add(.init(id: number, text: "\(number)")), to: ConformanceNotes.self)
      if number % 4 == 0 { try store.undo() }
      if number % 5 == 0 { try session.save() }
    }
    for session in sessions { try session.save() }
    for session in sessions { try session.reload() }
    let reopened = try JournaledSession(schema, in: open())
    for session in sessions {
      try expect(session.store.states == reopened.store.states, true)
      try expect(session.store.position, reopened.store.position)
    }
  }

  // MARK: - Support

  private static func entry(_ number: Int, text: String = "milk") -> SavedEntry {
    SavedEntry(
      number: number, time: Date(timeIntervalSince1970: 1_000_000 + Double(number) / 2),
      author: nil, text: text, action: "{\"action\":\(number)}",
      changes: "[{\"text\":\(StateValue.text(text).savedJSON)}]")
  }

  /// A write of successive actions.
  private static func write(
    _ numbers: ClosedRange<Int>, _ changes: [FieldChange] = []
  ) -> SessionWrite {
    SessionWrite(
      common: numbers.lowerBound - 1, entries: numbers.map { entry($0) },
      extent: HistoryExtent(position: numbers.upperBound), changes: changes)
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

/// Notes, for the checks.
private enum ConformanceNotes: Feature {
  struct Note: Record, FieldRecord {
    let id: Int
    var text: String

    static let fields: [RecordField<Note>] = [.constant("id", \.id), .field("text", \.text)]
  }

  struct State: Codable, Equatable, Sendable {
    var list = RecordList<Note>()
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Note)
  }

  static let name = "notes"
  static var initial: State { State() }
  static let fields: [Field<ConformanceNotes>] = [.list("", \.list)]

  static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let note): try state.list.append(note)
    }
  }
}
