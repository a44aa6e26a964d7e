import Foundation
import SampleFeatures
import Testing

@testable import StateStore

@Suite("A journaled session")
struct JournaledSessionTests {
  private let journal = InMemoryJournal()

  @Test("doesn't include unsaved actions")
  func unsaved() throws {
    let first = try journal.openSession()
    try first.save(doing: .counter(.set(count: 1)))
    try first.store.send(.set(count: 2), to: Counter.self)
    #expect(try journal.openSession().store.state(of: Counter.self).count == 1)
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
    #expect(journal.load().entries.count >= 95)
    #expect(journal.load().point.sequence >= 15)
  }

  @Test("saves in the background even if the clock was set back")
  func clockSetBack() throws {
    var now = Date(timeIntervalSince1970: 100_000)
    let first = try JournaledSession(Sample.schema, in: journal, now: { now })
    try first.store.send(.increment(by: 1), to: Counter.self)
    now -= 3600
    try first.store.send(.increment(by: 1), to: Counter.self)
    #expect(journal.load().entries.count == 2)
  }

  @Test("reloads remote actions, and rebases its own")
  func reloads() throws {
    let (first, second) = (try journal.openSession(), try journal.openSession())
    var seen: [FieldChange] = []
    try second.store.observe("counter.count") { seen += $0.fields }
    try first.save(doing: .counter(.increment(by: 10)))
    try second.save(doing: .counter(.increment(by: 1)), .numbers(.add(number: 7)))
    #expect(second.store.state(of: Counter.self).count == 11)
    #expect(
      seen.map(\.change) == [
        .value(new: .integer(1), old: .integer(0)), .value(new: .integer(11), old: .integer(1)),
      ])
    try first.reload()
    #expect(first.store.states == second.store.states)
    #expect(try journal.openSession().store.states == first.store.states)
  }

  @Test("reports remote actions, and its own actions that no longer apply, with the reason")
  func rejections() throws {
    let (first, second) = (try journal.openSession(), try journal.openSession())
    try first.save(doing: .notes(.add(id: 1, text: "milk")))
    try second.reload()
    try first.save(doing: .notes(.remove(id: 1)))
    try second.store.send(.notes(.finish(id: 1)), .counter(.increment(by: 1)))
    var remote: [StoreAction] = []
    var rejected: [String] = []
    second.onReload = { reload in
      #expect(reload.isRemote && !reload.isRestored)
      #expect(reload.numbers == 2...2)
      remote += second.store.remoteActions(in: 2...2).map(\.action)
      rejected += reload.rejections.map { "\($0.reason)" }
    }
    try second.save()
    #expect(remote == [.notes(.remove(id: 1))])
    #expect(rejected == [NotesError.notFound(id: 1).message])
    #expect(second.store.state(of: Counter.self).count == 1)
    try first.reload()
    #expect(first.store.states == second.store.states)
  }

  @Test("keeps the limit of its history when it reloads")
  func historyLimit() throws {
    let (first, second) = (try journal.openSession(), try journal.openSession())
    second.store.historyLimit = 5
    for count in 1...3 {
      try first.save(doing: .counter(.set(count: count)))
      try second.reload()
      #expect(second.store.historyLimit == 5)
    }
    #expect(second.store.state(of: Counter.self).count == 3)
  }

  @Test("says that others have undone actions, and names no numbers then")
  func remoteTravel() throws {
    let (first, second) = (try journal.openSession(), try journal.openSession())
    for count in 1...3 { try first.store.send(.set(count: count), to: Counter.self) }
    try first.save()
    try second.reload()
    var reloads: [JournaledSession.Reload] = []
    second.onReload = { reloads.append($0) }
    try first.store.undo(2)
    try first.save()
    try second.reload()
    try first.store.send(.set(count: 5), to: Counter.self)
    try first.store.undo()
    try first.save()
    try second.reload()
    #expect(reloads.map(\.isRemote) == [true, true])
    #expect(reloads.map(\.entries.count) == [0, 1])
    #expect(reloads.allSatisfy { $0.numbers == nil })
    #expect(second.store.state(of: Counter.self).count == 1)
    #expect(second.store.reachable == 0...2)
  }

  @Test("reports nothing if nobody has done anything")
  func noReload() throws {
    let (first, second) = (try journal.openSession(), try journal.openSession())
    try first.save(doing: .counter(.set(count: 1)))
    first.onReload = { _ in Issue.record("reported a reload") }
    try first.store.observe("") { _ in Issue.record("reported a change") }
    try first.reload()
    try second.reload()
    try second.save()
    try first.reload()
  }

  @Test("undoes the last action, whoever did it")
  func remoteUndo() throws {
    let (first, second) = (try journal.openSession(), try journal.openSession())
    try first.save(doing: .counter(.increment(by: 1)))
    try second.save(doing: .counter(.increment(by: 10)))
    try first.reload()
    #expect(first.store.remoteActions(in: 1...2).map(\.number) == [2])
    try first.store.undo()
    #expect(first.store.state(of: Counter.self).count == 1)
    try first.save(doing: .counter(.increment(by: 100)))
    try second.reload()
    #expect(second.store.state(of: Counter.self).count == 101)
    #expect(second.store.remoteActions(in: 1...2).map(\.number) == [1, 2])
  }

  @Test("undoes its own actions after remote ones, and drops undos of earlier ones")
  func shiftedUndo() throws {
    let first = try journal.openSession()
    try first.save(doing: .counter(.increment(by: 1)))
    let second = try journal.openSession()
    try first.save(doing: .counter(.increment(by: 10)))

    var rejected: [String?] = []
    second.onReload = { rejected += $0.rejections.map { ($0.reason as? any CodedError)?.code } }
    try second.store.send(.add(number: 7), to: Numbers.self)
    try second.store.undo()
    try second.store.undo()
    try second.save(doing: .notes(.add(id: 1, text: "milk")))
    #expect(rejected == ["acted_elsewhere"])
    #expect(second.store.state(of: Counter.self).count == 11)
    #expect(second.store.state(of: Numbers.self).list.isEmpty)
    #expect(try journal.openSession().store.states == second.store.states)
  }

  @Test("keeps the last 10,000 actions, and the state that all of them lead to")
  func limited() throws {
    let (first, second) = (try journal.openSession(), try journal.openSession())
    for id in 1...10_250 { try first.store.send(.add(id: id, text: "item"), to: Notes.self) }
    try first.save()
    let entries = journal.load().entries
    #expect(entries.map(\.number) == Array(201...10_250))
    try second.reload()
    for session in [first, second, try journal.openSession()] {
      #expect(session.store.reachable == 250...10_250)
      #expect(session.store.state(of: Notes.self).items.count == 10_250)
      try session.store.undo(10_000)
      #expect(session.store.state(of: Notes.self).items.count == 250)
    }
  }

  @Test("saves all values that don't follow from others, by their paths")
  func savedState() throws {
    let first = try journal.openSession()
    try first.save(
      doing: .notes(.add(id: 1, text: "milk")), .counter(.openCard),
      .step(of: Counter.ask, 1, .asked(NoQuestion())))
    let state = journal.load().state
    #expect(state.lists["notes.items"] == [#"{"id":1,"text":"milk","done":false}"#])
    #expect(state.values["notes.last_text"] == #""milk""#)
    #expect(state.values["counter.ask#request"] == #"{"pending":1}"#)
    #expect(state.values["counter#version"] == "1")
    // The card is open, which no field shows.
    #expect(state.values["counter#state"]?.contains(#""isCardOpen":true"#) == true)
    for path in ["counter.loading", "counter.card", "notes.filtering"] {
      #expect(state.values[path] == nil)
    }
    #expect(try journal.openSession().store.states == first.store.states)
  }

  @Test("saves the field that an action changed, and the whole state if no field shows it")
  func savedChanges() throws {
    let first = try journal.openSession()
    try first.save(doing: .counter(.increment(by: 5)), .counter(.openCard))
    #expect(
      journal.load().entries.map(\.changes) == [
        #"[{"field":"counter.count","from":0,"to":5}]"#,
        #"[{"state":"counter","from":{"count":5,"isCardOpen":false},"to":{"count":5,"isCardOpen":true}}]"#,
      ])
  }

  @Test("keeps unsaved actions for the next save")
  func failure() throws {
    let broken = FaultyJournal(journal)
    let first = try broken.openSession()
    try first.store.send(.set(count: 1), to: Counter.self)
    broken.willExchange = { throw JournalError.unwritable("x", reason: "the disk is full") }
    #expect(throws: JournalError.self) { try first.save() }
    try first.store.send(.set(count: 2), to: Counter.self)
    broken.willExchange = {}
    try first.save()
    #expect(try journal.openSession().store.state(of: Counter.self).count == 2)
    #expect(try journal.openSession().store.position == 2)
  }

  @Test(
    "is saved once, even if the connection breaks when it has just been saved, and it is busy then")
  func brokenConnection() throws {
    let broken = FaultyJournal(journal)
    let (first, second) = (try broken.openSession(), try journal.openSession())
    try first.store.send(.increment(by: 1), to: Counter.self)
    broken.didExchange = { throw JournalError.unreachable("x", reason: "no answer") }
    #expect(throws: JournalError.self) { try first.save() }
    broken.didExchange = {}
    broken.willExchange = { throw JournalError.busy("x") }
    #expect(throws: JournalError.busy("x")) { try first.save() }
    broken.willExchange = {}
    try first.store.send(.increment(by: 10), to: Counter.self)
    try second.save(doing: .counter(.increment(by: 100)))
    try first.save()
    #expect(first.store.state(of: Counter.self).count == 111)
    #expect(first.store.position == 3)
    #expect(try journal.openSession().store.states == first.store.states)
  }

  @Test("is written again, with its history, if its journal was lost")
  func lost() throws {
    let losable = FaultyJournal(journal)
    let first = try losable.openSession()
    for count in 1...3 { try first.store.send(.set(count: count), to: Counter.self) }
    try first.store.undo()
    try first.save()
    losable.journal = InMemoryJournal()
    first.onReload = { _ in Issue.record("reported a reload") }
    try first.save(doing: .notes(.add(id: 1, text: "milk")))
    let second = try losable.openSession()
    #expect(second.store.states == first.store.states)
    #expect(second.store.reachable == 0...3)
    losable.journal = InMemoryJournal()
    try first.reload()
    #expect(try losable.openSession().store.states == first.store.states)
  }

  @Test("retries a failed save in the background only after some seconds")
  func retry() throws {
    var now = Date(timeIntervalSince1970: 1000)
    let broken = FaultyJournal(journal)
    var attempts = 0
    broken.willExchange = {
      attempts += 1
      throw JournalError.unwritable("x", reason: "the disk is full")
    }
    let first = try JournaledSession(Sample.schema, in: broken, now: { now })
    for id in 1...3000 { try first.store.send(.add(id: id, text: "item"), to: Notes.self) }
    #expect(attempts == 1)
    now += 6
    try first.store.send(.add(id: 3001, text: "item"), to: Notes.self)
    #expect(attempts == 2)
  }

  @Test("keeps the bytes of texts that are equal by their letters")
  func equalLetters() throws {
    let first = try journal.openSession()
    for text in ["\u{E9}", "e\u{301}"] { try first.store.send(.set(query: text), to: Notes.self) }
    try first.save()
    let query = try journal.openSession().store.states[Notes.self].query
    #expect(query.utf8.elementsEqual("e\u{301}".utf8))
    #expect(journal.load().entries.count == 2)
  }
}
