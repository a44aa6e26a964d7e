import Foundation
import SampleFeatures
import Testing

@testable import StateStore

@Suite("A journaled session")
struct JournaledSessionTests {
  private let journal = InMemoryJournal()

  private func session() throws -> JournaledSession {
    try JournaledSession(Sample.schema, in: journal)
  }

  @Test("continues where it was saved, with undo and redo")
  func continues() throws {
    let first = try session()
    for count in 1...5 { try first.store.send(.set(count: count), to: Counter.self) }
    try first.store.send(.add(id: 1, text: "milk"), to: Notes.self)
    try first.store.undo(2)
    try first.save()

    let second = try session()
    #expect(second.store.states == first.store.states)
    #expect(second.store.position == 4)
    try second.store.redo(2)
    #expect(second.store.state(of: Notes.self).items.map(\.text) == ["milk"])
    try second.store.undo(6)
    #expect(second.store.states == States())
  }

  @Test("doesn't include unsaved actions")
  func unsaved() throws {
    let first = try session()
    try first.store.send(.set(count: 1), to: Counter.self)
    try first.save()
    try first.store.send(.set(count: 2), to: Counter.self)
    #expect(try session().store.state(of: Counter.self).count == 1)
  }

  @Test("saves an action repeated a thousand times as one entry")
  func repeated() throws {
    let first = try session()
    for _ in 0..<1000 { try first.store.send(.increment(by: 1), to: Counter.self) }
    try first.store.send(.increment(by: 2), to: Counter.self)
    try first.save()
    #expect(journal.load().entries.map(\.count).reduce(0, +) == 1001)
    #expect(journal.load().entries.count < 20)
    #expect(try session().store.state(of: Counter.self).count == 1002)
    #expect(try session().store.position == 1001)
  }

  @Test("saves in the background after many actions")
  func background() throws {
    // The clock stands still, so that only the number of actions counts.
    let now = Date(timeIntervalSince1970: 1000)
    let first = try JournaledSession(Sample.schema, in: journal, now: { now })
    for id in 1...2500 { try first.store.send(.add(id: id, text: "item"), to: Notes.self) }
    #expect(journal.load().entries.count >= 2000)
  }

  @Test("saves in the background while an action is repeated for long")
  func backgroundInTime() throws {
    var now = Date(timeIntervalSince1970: 1000)
    let first = try JournaledSession(Sample.schema, in: journal, now: { now })
    for _ in 0..<100 {
      now += 0.05
      try first.store.send(.increment(by: 1), to: Counter.self)
    }
    #expect(journal.load().entries.map(\.count).reduce(0, +) >= 95)
    #expect(journal.load().entries.count >= 20)
  }

  @Test("saves in the background even if the clock was set back")
  func clockSetBack() throws {
    var now = Date(timeIntervalSince1970: 100_000)
    let first = try JournaledSession(Sample.schema, in: journal, now: { now })
    try first.store.send(.increment(by: 1), to: Counter.self)
    now -= 3600
    try first.store.send(.increment(by: 1), to: Counter.self)
    #expect(journal.load().entries.map(\.count) == [1, 1])
  }

  @Test("reloads remote actions, and rebases its own")
  func reloads() throws {
    let (first, second) = (try session(), try session())
    var seen: [FieldChange] = []
    try second.store.observe("counter.count") { seen += $0.fields }
    try first.store.send(.increment(by: 10), to: Counter.self)
    try first.save()
    try second.store.send(.increment(by: 1), to: Counter.self)
    try second.store.send(.add(number: 7), to: Numbers.self)
    try second.save()
    #expect(second.store.state(of: Counter.self).count == 11)
    #expect(
      seen.map(\.change) == [
        .value(new: .integer(1), old: .integer(0)), .value(new: .integer(11), old: .integer(1)),
      ])
    try first.reload()
    #expect(first.store.states == second.store.states)
    #expect(try session().store.states == first.store.states)
  }

  @Test("reports remote actions, and its own actions that no longer apply, with the reason")
  func rejections() throws {
    let (first, second) = (try session(), try session())
    try first.store.send(.add(id: 1, text: "milk"), to: Notes.self)
    try first.save()
    try second.reload()
    try first.store.send(.remove(id: 1), to: Notes.self)
    try first.save()
    try second.store.send(.finish(id: 1), to: Notes.self)
    try second.store.send(.increment(by: 1), to: Counter.self)
    var remote: [JournalEntry.Event] = []
    var rejected: [String] = []
    second.onRemoteEntries = { entries, rejections in
      remote += entries.map(\.event)
      rejected += rejections.map { "\($0.reason)" }
    }
    try second.save()
    #expect(remote == [.action(.notes(.remove(id: 1)))])
    #expect(rejected == [NotesError.notFound(id: 1).message])
    #expect(second.store.state(of: Counter.self).count == 1)
    try first.reload()
    #expect(first.store.states == second.store.states)
  }

  @Test("keeps the limit of its history when it reloads")
  func historyLimit() throws {
    let (first, second) = (try session(), try session())
    second.store.historyLimit = 5
    for count in 1...3 {
      try first.store.send(.set(count: count), to: Counter.self)
      try first.save()
      if count == 2 {
        try journal.checkpoint(
          JournalCheckpoint(head: journal.load().head, history: first.store.historySnapshot))
      }
      try second.reload()
      #expect(second.store.historyLimit == 5)
    }
    #expect(second.store.state(of: Counter.self).count == 3)
  }

  @Test("reports remote actions even if a checkpoint contains them")
  func remoteCheckpoint() throws {
    let (first, second) = (try session(), try session())
    var reports = 0
    second.onRemoteEntries = { entries, _ in
      #expect(entries.map(\.event) == [.action(.counter(.set(count: 1)))])
      reports += 1
    }
    try first.store.send(.set(count: 1), to: Counter.self)
    try first.save()
    try journal.checkpoint(
      JournalCheckpoint(head: journal.load().head, history: first.store.historySnapshot))
    try second.reload()
    #expect(reports == 1)
  }

  @Test("undoes the last action, whoever did it")
  func remoteUndo() throws {
    let (first, second) = (try session(), try session())
    try first.store.send(.increment(by: 1), to: Counter.self)
    try first.save()
    try second.store.send(.increment(by: 10), to: Counter.self)
    try second.save()
    try first.reload()
    #expect(first.store.remoteActions(in: 1...2).map(\.number) == [2])
    try first.store.undo()
    #expect(first.store.state(of: Counter.self).count == 1)
    try first.store.send(.increment(by: 100), to: Counter.self)
    try first.save()
    try second.reload()
    #expect(second.store.state(of: Counter.self).count == 101)
    #expect(second.store.remoteActions(in: 1...2).map(\.number) == [1, 2])
    try second.store.undo(2)
    try second.save()
    try first.reload()
    for session in [first, second, try session()] {
      #expect(session.store.state(of: Counter.self).count == 0)
    }
    try first.store.redo(2)
    #expect(first.store.state(of: Counter.self).count == 101)
  }

  @Test("undoes its own actions after remote ones, and drops undos of earlier ones")
  func shiftedUndo() throws {
    let first = try session()
    try first.store.send(.increment(by: 1), to: Counter.self)
    try first.save()
    let second = try session()
    try first.store.send(.increment(by: 10), to: Counter.self)
    try first.save()

    var rejected = 0
    second.onRemoteEntries = { rejected += $1.count }
    try second.store.send(.add(number: 7), to: Numbers.self)
    try second.store.undo()
    try second.store.undo()
    try second.store.send(.add(id: 1, text: "milk"), to: Notes.self)
    try second.save()
    #expect(rejected == 1)
    #expect(second.store.state(of: Counter.self).count == 11)
    #expect(second.store.state(of: Numbers.self).list.isEmpty)
    #expect(try session().store.states == second.store.states)
  }

  @Test("continues after a remote checkpoint with entries it hasn't seen")
  func checkpoint() throws {
    let (first, second) = (try session(), try session())
    try second.store.send(.add(number: 7), to: Numbers.self)
    for count in 1...3 { try first.store.send(.set(count: count), to: Counter.self) }
    try first.save()
    let head = journal.load().head
    try journal.checkpoint(JournalCheckpoint(head: head, history: first.store.historySnapshot))
    try second.save()
    #expect(second.store.state(of: Counter.self).count == 3)
    #expect(second.store.state(of: Numbers.self).list.map(\.rawValue) == [7])
    try first.reload()
    #expect(first.store.states == second.store.states)
    #expect(try session().store.states == first.store.states)
  }

  @Test("undoes remote actions before a checkpoint")
  func remoteUndoAfterCheckpoint() throws {
    let (first, second) = (try session(), try session())
    try second.store.send(.increment(by: 10), to: Counter.self)
    try second.save()
    try first.reload()
    try first.store.send(.increment(by: 1), to: Counter.self)
    try first.save()
    try journal.checkpoint(
      JournalCheckpoint(head: journal.load().head, history: first.store.historySnapshot))
    try second.reload()
    #expect(second.store.remoteActions(in: 1...2).map(\.number) == [2])
    try second.store.undo(2)
    try second.save()
    try first.reload()
    #expect(first.store.state(of: Counter.self).count == 0)
  }

  @Test("compacts a long journal, unless another process did meanwhile")
  func compacts() throws {
    let (first, second) = (try session(), try session())
    for id in 1...10_000 { try first.store.send(.add(id: id, text: "item"), to: Notes.self) }
    try first.save()
    try second.reload()
    try first.store.send(.remove(id: 1), to: Notes.self)
    try first.save()
    try first.compact()
    #expect(journal.load().entries.count < 10_000)
    try second.compact()
    try second.reload()
    #expect(second.store.states == first.store.states)
    #expect(try session().store.states == first.store.states)
  }

  @Test("keeps unsaved actions for the next save")
  func failure() throws {
    let broken = FailingJournal(journal)
    let first = try JournaledSession(Sample.schema, in: broken)
    try first.store.send(.set(count: 1), to: Counter.self)
    broken.isFailing = true
    #expect(throws: JournalError.self) { try first.save() }
    try first.store.send(.set(count: 2), to: Counter.self)
    broken.isFailing = false
    try first.save()
    #expect(try session().store.state(of: Counter.self).count == 2)
    #expect(try session().store.position == 2)
  }

  @Test("is written again, with its history, if its journal was lost")
  func lost() throws {
    let losable = LosableJournal()
    let first = try JournaledSession(Sample.schema, in: losable)
    for count in 1...3 { try first.store.send(.set(count: count), to: Counter.self) }
    try first.store.undo()
    try first.save()
    losable.lose()
    var reports = 0
    first.onRemoteEntries = { _, _ in reports += 1 }
    try first.store.send(.add(id: 1, text: "milk"), to: Notes.self)
    try first.save()
    let second = try JournaledSession(Sample.schema, in: losable)
    #expect(second.store.states == first.store.states)
    #expect(second.store.reachable == 0...3)
    losable.lose()
    try first.reload()
    #expect(try JournaledSession(Sample.schema, in: losable).store.states == first.store.states)
    #expect(reports == 0)
  }

  @Test("retries a failed save in the background only after some seconds")
  func retry() throws {
    var now = Date(timeIntervalSince1970: 1000)
    let broken = FailingJournal(journal)
    broken.isFailing = true
    let first = try JournaledSession(Sample.schema, in: broken, now: { now })
    for id in 1...3000 { try first.store.send(.add(id: id, text: "item"), to: Notes.self) }
    #expect(broken.attempts == 1)
    now += 6
    try first.store.send(.add(id: 3001, text: "item"), to: Notes.self)
    #expect(broken.attempts == 2)
  }

  @Test("converges to the same state in all processes", arguments: 0..<10)
  func converges(seed: Int) throws {
    let sessions = try (0..<3).map { _ in try session() }
    var actions = RandomActions(seed: seed)
    for _ in 0..<600 {
      let session = sessions[actions.number(0..<3)]
      do {
        switch actions.number(0..<12) {
        case 0: try session.save()
        case 1: try session.reload()
        case 2: try session.store.undo()
        case 3: try session.store.redo()
        default: try session.store.send(actions.next())
        }
      } catch is any CodedError {
        continue
      }
    }
    for session in sessions { try session.save() }
    for session in sessions { try session.reload() }
    let reopened = try session()
    for session in sessions {
      #expect(session.store.states == reopened.store.states)
      #expect(session.store.position == reopened.store.position)
    }
  }

  @Test("keeps the bytes of texts that are equal by their letters")
  func equalLetters() throws {
    let journal = InMemoryJournal()
    let session = try JournaledSession(Sample.schema, in: journal)
    let texts = ["\u{E9}", "e\u{301}"]
    for text in texts { try session.store.send(.set(query: text), to: Notes.self) }
    try session.save()
    let reopened = try JournaledSession(Sample.schema, in: journal)
    #expect(reopened.store.states[Notes.self].query.utf8.elementsEqual("e\u{301}".utf8))
    #expect(journal.load().entries.count == 2)
  }
}

/// A journal that can't be written to for a while.
private final class FailingJournal: Journal, @unchecked Sendable {
  private let journal: InMemoryJournal
  // Used by one test on one thread.
  var isFailing = false
  private(set) var attempts = 0

  init(_ journal: InMemoryJournal) { self.journal = journal }

  func load() throws -> JournalContents { journal.load() }

  func append(_ batch: JournalBatch, expecting head: Int) throws -> Int {
    attempts += 1
    guard !isFailing else { throw JournalError.unwritable("x", reason: "the disk is full") }
    return try journal.append(batch, expecting: head)
  }

  func changes(since head: Int) throws -> [JournalEntry] { try journal.changes(since: head) }

  func checkpoint(_ checkpoint: JournalCheckpoint) throws { try journal.checkpoint(checkpoint) }

  func reserveIdentifiers(_ count: Int, of kind: IdentifierKind) throws -> ClosedRange<Int> {
    try journal.reserveIdentifiers(count, of: kind)
  }

  func restart(from checkpoint: JournalCheckpoint) throws { journal.restart(from: checkpoint) }

  var isOpenElsewhere: Bool { journal.isOpenElsewhere }
}

/// A journal whose storage can be lost.
private final class LosableJournal: Journal, @unchecked Sendable {
  // Used by one test on one thread.
  private var journal = InMemoryJournal()
  private var isLost = false

  func lose() { (journal, isLost) = (InMemoryJournal(), true) }

  private func checked() throws -> InMemoryJournal {
    guard !isLost else { throw JournalError.replaced("x") }
    return journal
  }

  func load() throws -> JournalContents { try checked().load() }

  func append(_ batch: JournalBatch, expecting head: Int) throws -> Int {
    try checked().append(batch, expecting: head)
  }

  func changes(since head: Int) throws -> [JournalEntry] { try checked().changes(since: head) }

  func checkpoint(_ checkpoint: JournalCheckpoint) throws {
    try checked().checkpoint(checkpoint)
  }

  func restart(from checkpoint: JournalCheckpoint) throws {
    isLost = false
    journal.restart(from: checkpoint)
  }

  func reserveIdentifiers(_ count: Int, of kind: IdentifierKind) throws -> ClosedRange<Int> {
    try checked().reserveIdentifiers(count, of: kind)
  }

  var isOpenElsewhere: Bool { false }
}
