import Foundation
import SampleFeatures
import Testing

@testable import StateStore

/// The effect on unsaved actions when other processes have acted since the last save.
@Suite("Rebasing")
struct RebaseTests {
  private let journal = InMemoryJournal()

  private func rejections(of session: JournaledSession) -> Rejections {
    let rejections = Rejections()
    session.onReload = { reload in
      rejections.remote += reload.entries.map(\.number)
      rejections.events += reload.rejections.map(\.event)
    }
    return rejections
  }

  private final class Rejections {
    var remote: [Int] = []
    var events: [StoreEvent] = []
  }

  @Test("the history has another edition when actions change their numbers, and only then")
  func editions() throws {
    let (first, second) = (try journal.openSession(), try journal.openSession())
    var edition = second.store.contents.edition
    for count in 1...3 {
      try first.save(doing: .counter(.set(count: count)))
      try second.reload()
      #expect(second.store.contents.position == count)
      #expect(second.store.contents.edition == edition)
    }
    // The own action comes after that of the other process.
    try second.store.send(.increment(by: 5), to: Counter.self)
    try first.save(doing: .counter(.increment(by: 1)))
    try second.save()
    #expect(second.store.contents.position == 5)
    #expect(second.store.contents.edition != edition)
    edition = second.store.contents.edition
    try first.reload()
    try first.store.undo()
    try first.save()
    try second.reload()
    #expect(second.store.contents.edition == edition)
    try first.save(doing: .counter(.set(count: 9)))
    try second.reload()
    #expect(second.store.contents.position == 5)
    #expect(second.store.contents.edition != edition)
  }

  @Test("an undo reverts its own action, even if an earlier one no longer applies")
  func undoAfterRejection() throws {
    let (first, second) = (try journal.openSession(), try journal.openSession())
    try first.save(doing: .notes(.add(id: 1, text: "milk")))
    try second.reload()
    try first.save(doing: .notes(.remove(id: 1)))
    let reported = rejections(of: second)
    try second.store.send(.notes(.finish(id: 1)), .counter(.increment(by: 100)))
    try second.store.undo()
    try second.save(doing: .counter(.increment(by: 3)))
    #expect(second.store.state(of: Counter.self).count == 3)
    #expect(reported.events == [.action(.notes(.finish(id: 1)))])
    #expect(try journal.openSession().store.states == second.store.states)
  }

  @Test("an undo reverts its own action, even if an earlier undo would revert a remote one")
  func undoAfterRefusedUndo() throws {
    let first = try journal.openSession()
    try first.save(doing: .counter(.increment(by: 1)), .counter(.increment(by: 10)))
    let second = try journal.openSession()
    try second.save(doing: .counter(.increment(by: 100)))
    let reported = rejections(of: first)
    try first.store.undo()
    try first.store.send(.increment(by: 1000), to: Counter.self)
    try first.store.undo()
    try first.save(doing: .counter(.increment(by: 5)))
    #expect(first.store.state(of: Counter.self).count == 116)
    #expect(reported.events == [.travel(to: 1)])
  }

  @Test("a redo doesn't repeat what a remote undo reverted")
  func redo() throws {
    let first = try journal.openSession()
    for count in 1...3 { try first.store.send(.set(count: count), to: Counter.self) }
    try first.store.undo()
    try first.save()
    let second = try journal.openSession()
    try second.store.undo()
    try second.save()
    let reported = rejections(of: first)
    try first.store.redo()
    try first.save()
    #expect(first.store.state(of: Counter.self).count == 1)
    #expect(reported.events == [.travel(to: 3)])
  }

  @Test("an undo is dropped and reported if others did more since than is remembered")
  func longAbsence() throws {
    let first = try journal.openSession()
    try first.save(doing: .counter(.increment(by: 1)))
    let second = try journal.openSession()
    for count in 1...10_200 { try second.store.send(.set(count: count), to: Counter.self) }
    try second.save()
    let reported = rejections(of: first)
    try first.store.undo()
    try first.store.send(.add(number: 7), to: Numbers.self)
    // An own action that is undone stays undone.
    try first.store.send(.add(number: 8), to: Numbers.self)
    try first.store.undo()
    try first.save()
    #expect(first.store.state(of: Counter.self).count == 10_200)
    #expect(first.store.state(of: Numbers.self).list.map(\.rawValue) == [7])
    #expect(reported.events == [.travel(to: 0)])
    #expect(reported.remote == Array(201...10_201))
    #expect(try journal.openSession().store.states == first.store.states)
  }

  @Test("others can undo as far as any process, whatever can be undone here")
  func smallLimit() throws {
    let first = try journal.openSession()
    first.store.historyLimit = 5
    for count in 1...500 { try first.store.send(.set(count: count), to: Counter.self) }
    try first.save()
    try first.store.undo(5)
    #expect(throws: StoreError.self) { try first.store.undo() }
    try first.store.redo(5)
    try first.save()
    let second = try journal.openSession()
    try second.store.undo(300)
    try second.save()
    try first.reload()
    #expect(first.store.state(of: Counter.self).count == 200)
    try first.save(doing: .counter(.increment(by: 1)))
    #expect(try journal.openSession().store.state(of: Counter.self).count == 201)
  }

  @Test("no process can undo farther than all others")
  func greatLimit() throws {
    let first = try journal.openSession()
    first.store.historyLimit = 100_000
    #expect(first.store.historyLimit == Store.defaultHistoryLimit)
  }

  @Test("a state that one process has forgotten can't be restored by others either")
  func forgotten() throws {
    let second = try journal.openSession()
    for count in 1...10_050 { try second.store.send(.set(count: count), to: Counter.self) }
    try second.save()
    let first = try journal.openSession()
    for count in 1...60 { try first.store.send(.set(count: -count), to: Counter.self) }
    try first.store.undo(60)
    try first.store.send(.set(count: 5), to: Counter.self)
    try first.store.undo(9_901)
    try first.save()
    try second.reload()
    #expect(second.store.position == 150)
    #expect(second.store.reachable == first.store.reachable)
    try second.store.undo(50)
    try second.save()
    try first.reload()
    #expect(try journal.openSession().store.states == first.store.states)
  }

  @Test("remote undos are applied, even if the actions that came instead are forgotten by now")
  func forgottenUndo() throws {
    let first = try journal.openSession()
    for count in 1...99 { try first.store.send(.set(count: count), to: Counter.self) }
    try first.save(doing: .notes(.add(id: 1, text: "milk")))
    let second = try journal.openSession()
    try second.store.undo()
    for count in 1...10_020 { try second.store.send(.set(count: count), to: Counter.self) }
    try second.save()
    try first.reload()
    #expect(first.store.state(of: Notes.self).items.isEmpty)
    #expect(first.store.states == second.store.states)
  }
}
