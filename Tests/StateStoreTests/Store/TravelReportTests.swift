import SampleFeatures
import Testing

@testable import StateStore

@Suite("Reports of undo, redo and jumps")
struct TravelReportTests {
  private let store = Store()

  private func edits(_ change: StateChange) -> [FieldChange.Change] { change.fields.map(\.change) }

  @Test("have the new and old value of a field, once, with the current number")
  func scalars() throws {
    for _ in 0..<3 { try store.send(.increment(by: 1), to: Counter.self) }
    var seen: [StateChange] = []
    try store.observe("counter.count") { seen.append($0) }
    try store.undo(2)
    try store.redo()
    try store.jump(to: 3)
    #expect(seen.map(\.position) == [1, 2, 3])
    #expect(
      seen.map(edits) == [
        [.value(new: .integer(1), old: .integer(3))], [.value(new: .integer(2), old: .integer(1))],
        [.value(new: .integer(3), old: .integer(2))],
      ])
  }

  @Test("have the edits that turn a list into the other, removals first")
  func lists() throws {
    try store.send(
      .numbers(.add(number: 2)), .numbers(.add(number: 3)), .numbers(.remove(number: 2)))
    var seen: [FieldChange.Change] = []
    try store.observe("numbers") { seen += edits($0) }
    try store.undo(2)
    try store.redo(2)
    #expect(
      seen == [
        .list(
          .edits([.removed(position: 0, .integer(3)), .inserted(position: 0, .integer(2))])),
        .list(
          .edits([.removed(position: 0, .integer(2)), .inserted(position: 0, .integer(3))])),
      ])
  }

  @Test("omit unchanged values, and actions")
  func nothing() throws {
    try store.send(.counter(.increment(by: 1)), .numbers(.add(number: 2)))
    var seen = 0
    try store.observe("counter") { _ in seen += 1 }
    store.observeActions { _ in seen += 1 }
    try store.undo()
    try store.redo()
    #expect(seen == 0)
  }

  @Test("follow earlier reports, even if an observer undoes")
  func reentrant() throws {
    var seen: [Int] = []
    try store.observe("counter.count") { [store] change in
      if change.position == 1, store.position == 1 { try store.undo() }
    }
    try store.observe("counter.count") { seen.append($0.position) }
    try store.send(.increment(by: 1), to: Counter.self)
    #expect(store.state(of: Counter.self).count == 0)
    #expect(seen == [1, 0])
  }
}
