import Foundation
import SampleFeatures
import Testing

@testable import StateStore

@Suite("A group of actions")
struct StoreGroupTests {
  private let store = Store()

  private func actInGroup() throws {
    try store.group {
      try store.send(
        .counter(.set(count: 7)), .notes(.add(id: 1, text: "milk")), .notes(.finish(id: 1)))
    }
  }

  private func fail() throws {
    try store.group { try store.send(.counter(.set(count: 5)), .notes(.remove(id: 5))) }
  }

  @Test("is one entry of the history, undone and redone as a whole")
  func undo() throws {
    try actInGroup()
    let states = store.states
    #expect(store.position == 1)
    #expect(try store.history().map(\.changes.count) == [3])
    try store.undo()
    #expect(store.states == States())
    try store.redo()
    #expect(store.states == states)
  }

  @Test("sees its own changes, and returns what its closure returns")
  func result() throws {
    let count = try store.group {
      try store.send(.increment(by: 2), to: Counter.self)
      return store.state(of: Counter.self).count
    }
    #expect(count == 2)
  }

  @Test("is one report to observers, with the changes of lists")
  func reports() throws {
    try store.send(.add(id: 9, text: "old"), to: Notes.self)
    var seen: [[String]] = []
    var counts: [Int] = []
    var edits: [FieldChange] = []
    var actions: [Int] = []
    try store.observe("") { seen.append($0.fields.map(\.path)) }
    try store.observe("notes.items") { edits += $0.fields }
    store.observe(\.count, of: Counter.self) { new, _ in counts.append(new) }
    store.observeActions { actions.append($0.action.parts.count) }
    try actInGroup()
    #expect(seen == [["counter.count", "notes.items", "notes.last_text"]])
    #expect(counts == [7])
    #expect(actions == [3])
    guard case .list(.edits(let edits))? = edits.first?.change else {
      Issue.record("no edits")
      return
    }
    #expect(edits.count == 1)
    try store.send(.remove(id: 9), to: Notes.self)
    #expect(seen.last == ["notes.items"])
  }

  @Test("that fails changes nothing, and reports nothing")
  func failure() throws {
    try store.send(.set(count: 1), to: Counter.self)
    let states = store.states
    var reports = 0
    try store.observe("") { _ in reports += 1 }
    #expect(throws: NotesError.notFound(id: 5)) { try fail() }
    #expect(store.states == states)
    #expect(store.position == 1)
    #expect(reports == 0)
    try store.send(.set(count: 2), to: Counter.self)
    #expect(store.position == 2)
  }

  @Test("within another one is part of it")
  func nesting() throws {
    var failures: [NotesError] = []
    try store.group {
      try store.send(.set(count: 1), to: Counter.self)
      try store.group { try store.send(.add(number: 17), to: Numbers.self) }
      do {
        try fail()
      } catch let error as NotesError {
        failures.append(error)
      }
    }
    #expect(failures == [.notFound(id: 5)])
    #expect(store.position == 1)
    #expect(store.state(of: Counter.self).count == 1)
    let parts = try store.history().first?.recorded.action.parts
    #expect(parts == [.counter(.set(count: 1)), .numbers(.add(number: 17))])
  }

  @Test("of one action is that action, and an empty one is nothing")
  func small() throws {
    try store.group {}
    #expect(store.position == 0)
    try store.group { try store.send(.set(count: 1), to: Counter.self) }
    #expect(try store.history().map(\.recorded.action) == [.counter(.set(count: 1))])
  }

  @Test("refuses undo, jumps and trials, and then changes nothing")
  func refusals() throws {
    try store.send(.set(count: 1), to: Counter.self)
    for act in [
      { try store.undo() }, { try store.jump(to: 0) }, { try store.beginTrial() },
      { try store.dropTrial() },
    ] {
      #expect(throws: StoreError.groupInProgress) { try store.group { try act() } }
    }
    #expect(store.position == 1)
  }

  @Test("can reset and replace all states")
  func wholeStates() throws {
    var other = States()
    other[Counter.self].count = 3
    try store.send(.add(id: 1, text: "milk"), to: Notes.self)
    try store.group {
      try store.reset()
      try store.send(.restore(other, source: "x.json"))
      try store.send(.increment(by: 1), to: Counter.self)
    }
    #expect(store.state(of: Counter.self).count == 4)
    #expect(store.state(of: Notes.self).items.isEmpty)
    try store.undo()
    #expect(store.state(of: Notes.self).items.count == 1)
  }

  @Test("is dropped with its trial")
  func trial() throws {
    try store.beginTrial()
    try actInGroup()
    try store.dropTrial()
    #expect(store.states == States())
    #expect(store.position == 0)
  }

  @Test("is recorded action by action for scenarios")
  func steps() throws {
    try store.send(.set(count: 1), to: Counter.self)
    try actInGroup()
    let (_, steps) = try store.contents.steps(1..<3)
    #expect(steps.map(\.number) == [1, 2, 2, 2])
    #expect(steps.last?.states == store.states)
  }

  // MARK: - Journals

  private let journal = InMemoryJournal()

  private func actInGroup(in session: JournaledSession) throws {
    try session.store.group {
      try session.store.send(.notes(.add(id: 1, text: "milk")), .counter(.increment(by: 2)))
    }
  }

  @Test("is still made of its actions after reopening")
  func reopened() throws {
    let first = try journal.openSession()
    try actInGroup(in: first)
    try first.save()
    let store = try journal.openSession().store
    let (_, steps) = try store.contents.steps(1..<2)
    #expect(
      steps.map(\.action) == [.notes(.add(id: 1, text: "milk")), .counter(.increment(by: 2))])
    #expect(steps.map { $0.states[Counter.self].count } == [0, 2])
    #expect(try store.history() == first.store.history())
  }

  @Test("is rebased as a whole, or rejected as a whole")
  func rebasing() throws {
    let (first, second) = (try journal.openSession(), try journal.openSession())
    try first.save(doing: .counter(.increment(by: 1)))
    try actInGroup(in: second)
    try second.save()
    #expect(second.store.position == 2)
    #expect(second.store.state(of: Counter.self).count == 3)

    let third = try journal.openSession()
    var rejected: [StoreEvent] = []
    third.onReload = { rejected += $0.rejections.map(\.event) }
    try first.reload()
    try first.save(doing: .notes(.remove(id: 1)))
    try third.store.group {
      try third.store.send(.counter(.increment(by: 5)), .notes(.finish(id: 1)))
    }
    try third.save()
    #expect(
      rejected == [
        .action(.group([.counter(.increment(by: 5)), .notes(.finish(id: 1))]))
      ])
    #expect(third.store.states == first.store.states)
  }

  @Test("can't be saved or reloaded before its end")
  func saving() throws {
    let (first, second) = (try journal.openSession(), try journal.openSession())
    try second.save(doing: .counter(.increment(by: 1)))
    try first.store.group {
      try first.store.send(.increment(by: 2), to: Counter.self)
      #expect(throws: StoreError.groupInProgress) { try first.save() }
      #expect(!first.hasUnsavedEntries)
      try first.reload()
      #expect(first.store.state(of: Counter.self).count == 2)
    }
    try first.save()
    #expect(first.store.state(of: Counter.self).count == 3)
  }
}
