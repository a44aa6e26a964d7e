import Foundation

/// The checks that every journal must pass, for the tests of an implementation.
///
/// With Swift Testing:
///
///     @Test(arguments: JournalConformance.checks)
///     func conforms(to check: JournalConformance.Check) async throws {
///       let place = try makeEmptyPlace()
///       try await check.run { try MyJournal(of: JournalConformance.schema, at: place) }
///     }
public enum JournalConformance {
  /// A check of one promise.
  public struct Check: Sendable, CustomStringConvertible {
    /// The promise.
    public let description: String

    fileprivate let body: @Sendable (Opener) async throws -> Void

    /// Runs the check.
    ///
    /// - Parameter open: Opens a journal of ``schema`` in the same place each time, which is empty at first, as another
    ///   process would.
    /// - Throws: ``Failure``, or an error of the journal.
    public func run(opening open: @escaping @Sendable () throws -> any Journal) async throws {
      try await body(open)
    }
  }

  /// A broken promise.
  public struct Failure: Error, CustomStringConvertible {
    /// The expectation and the result.
    public let description: String
  }

  fileprivate typealias Opener = @Sendable () throws -> any Journal

  /// The features of the checks.
  public static let schema: StoreSchema = {
    do throws(SchemaError) {
      return try StoreSchema(features: [ConformanceNotes.self])
    } catch {
      preconditionFailure(error.message)
    }
  }()

  /// All checks.
  public static var checks: [Check] {
    [
      Check(description: "is empty at first", body: isEmpty),
      Check(description: "keeps appended entries in order", body: keepsEntries),
      Check(description: "keeps actions and undos unchanged", body: keepsEvents),
      Check(description: "refuses entries that don't follow the last one", body: refusesConflicts),
      Check(description: "appends all entries of a batch or none", body: isAtomic),
      Check(description: "returns the entries after a number", body: returnsChanges),
      Check(description: "lets several write in turn", body: hasSeveralWriters),
      Check(description: "replaces entries by a checkpoint", body: keepsCheckpoints),
      Check(
        description: "refuses a checkpoint of entries that it doesn't have",
        body: refusesCheckpoints),
      Check(
        description: "issues every identifier once, for each kind from 1", body: issuesIdentifiers),
      Check(
        description: "issues every identifier once to concurrent users", body: sharesIdentifiers),
      Check(description: "brings sessions to the same state", body: bringsSessionsTogether),
    ]
  }

  // MARK: - Checks

  @Sendable private static func isEmpty(_ open: Opener) throws {
    try expect(open().load(), JournalContents(checkpoint: nil, entries: []))
    try expect(open().changes(since: 0), [])
  }

  @Sendable private static func keepsEntries(_ open: Opener) throws {
    let entries = try (1...5).map { try entry($0, count: $0) }
    let journal = try open()
    try expect(journal.append(batch(Array(entries[..<3])), expecting: 0), 3)
    try expect(journal.append(batch(Array(entries[3...])), expecting: 3), 5)
    try expect(journal.load().entries, entries)
    try expect(open().load(), JournalContents(checkpoint: nil, entries: entries))
  }

  @Sendable private static func keepsEvents(_ open: Opener) throws {
    let texts = [
      "", "é", "e\u{301}", "\u{0}", "\"\\\n\u{2028}", "🎉", String(repeating: "x", count: 100_000),
    ]
    let entries = try (0..<2_500).map { number in
      number % 50 == 0
        ? JournalEntry(.travel(to: number), time: Date(timeIntervalSince1970: 0.5), writer: UUID())
        : try entry(number, text: texts[number % 500 == 6 ? 6 : number % 6])
    }
    _ = try open().append(batch(entries), expecting: 0)
    try expect(open().load().entries, entries)
  }

  @Sendable private static func refusesConflicts(_ open: Opener) throws {
    let journal = try open()
    _ = try journal.append(batch([entry(1), entry(2)]), expecting: 0)
    let kept = try journal.load()
    for head in [0, 1, 3] {
      try expectError(.conflict(head: 2)) {
        _ = try journal.append(batch([entry(3)]), expecting: head)
      }
    }
    try expect(open().load(), kept)
  }

  @Sendable private static func isAtomic(_ open: Opener) async throws {
    let (writers, rounds, size) = (4, 10, 5)
    try await withThrowingTaskGroup { group in
      for _ in 0..<writers {
        let journal = try open()
        group.addTask {
          let writer = UUID()
          for _ in 0..<rounds {
            try append((0..<size).map { try entry($0, writer: writer) }, to: journal)
          }
        }
      }
      try await group.waitForAll()
    }
    let entries = try open().load().entries
    try expect(entries.count, writers * rounds * size)
    for start in stride(from: 0, to: entries.count, by: size) {
      try expect(Set(entries[start..<start + size].map(\.writer)).count, 1)
    }
  }

  private static func append(_ entries: [JournalEntry], to journal: any Journal) throws {
    while true {
      do {
        _ = try journal.append(batch(entries), expecting: journal.load().head)
        return
      } catch let error as JournalError where error.kind == .conflict {
        continue
      }
    }
  }

  @Sendable private static func returnsChanges(_ open: Opener) throws {
    let (one, other) = (try open(), try open())
    let entries = try (1...4).map { try entry($0) }
    _ = try one.append(batch(entries), expecting: 0)
    for head in 0...4 { try expect(other.changes(since: head), Array(entries[head...])) }
    try expectError(.gone(since: 5)) { _ = try other.changes(since: 5) }
  }

  @Sendable private static func hasSeveralWriters(_ open: Opener) throws {
    let journals = try (0..<3).map { _ in try open() }
    let entries = try (0..<12).map { try entry($0) }
    for (index, entry) in entries.enumerated() {
      _ = try journals[index % 3].append(batch([entry]), expecting: index)
    }
    for journal in journals { try expect(journal.load().entries, entries) }
  }

  @Sendable private static func keepsCheckpoints(_ open: Opener) throws {
    let (journal, other) = (try open(), try open())
    let entries = try (1...5).map { try entry($0) }
    _ = try journal.append(batch(entries), expecting: 0)
    try expect(other.load().head, 5)
    let checkpoint = try checkpoint(head: 3)
    try journal.checkpoint(checkpoint)
    let expected = JournalContents(checkpoint: checkpoint, entries: Array(entries[3...]))
    for journal in [journal, other, try open()] { try expect(journal.load(), expected) }
    try expectError(.gone(since: 2)) { _ = try journal.changes(since: 2) }
    try expect(journal.changes(since: 3).count, 2)
    try expect(other.append(batch([entry(6)]), expecting: 5), 6)
    let last = try self.checkpoint(head: 6)
    try journal.checkpoint(last)
    try expect(open().load(), JournalContents(checkpoint: last, entries: []))
    try expect(journal.append(batch([entry(7)]), expecting: 6), 7)
    try expect(other.changes(since: 6).count, 1)
  }

  @Sendable private static func refusesCheckpoints(_ open: Opener) throws {
    let journal = try open()
    _ = try journal.append(batch((1...5).map { try entry($0) }), expecting: 0)
    try journal.checkpoint(checkpoint(head: 3))
    let kept = try journal.load()
    for head in [2, 6] {
      try expectError(.conflict(head: 5)) { try journal.checkpoint(checkpoint(head: head)) }
    }
    try expect(journal.load(), kept)
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

  private static func entry(
    _ number: Int, text: String = "milk", count: Int = 1, writer: UUID = UUID()
  ) throws -> JournalEntry {
    let action = ConformanceNotes.Action.add(.init(id: number, text: text))
    return JournalEntry(
      .action(try schema.action(action, of: ConformanceNotes.self)), count: count,
      time: Date(timeIntervalSince1970: 1_000_000 + Double(number) / 2), writer: writer)
  }

  private static func batch(_ entries: [JournalEntry]) -> JournalBatch {
    JournalBatch(entries: entries, changes: [])
  }

  private static func checkpoint(head: Int) throws -> JournalCheckpoint {
    let store = Store(schema)
    for id in 1...4 {
      try store.send(.add(.init(id: id, text: "note \(id)")), to: ConformanceNotes.self)
    }
    try store.undo()
    return JournalCheckpoint(head: head, history: store.historySnapshot)
  }

  private static func expect<Value: Equatable>(
    _ result: @autoclosure () throws -> Value, _ expected: Value, line: UInt = #line
  ) throws {
    let result = try result()
    guard result != expected else { return }
    throw Failure(description: "line \(line): expected \(expected), found \(result)")
  }

  private static func expectError(
    _ expected: JournalError, line: UInt = #line, _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch let error as JournalError where error == expected {
      return
    }
    throw Failure(description: "line \(line): expected the error \(expected.code)")
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
