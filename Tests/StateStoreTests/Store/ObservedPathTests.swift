import SampleFeatures
import Testing

@testable import StateStore

@Suite("Observed paths")
struct ObservedPathTests {
  private let store = Store()

  /// The new and old values reported to observers of a path during some actions.
  private func values(
    _ path: String, _ actions: [StoreAction]
  ) throws -> [[StateValue]] {
    var seen: [[StateValue]] = []
    try store.observe(path) { change in
      #expect(change.fields.map(\.path) == [path])
      for case .value(let new, let old) in change.fields.map(\.change) { seen.append([new, old]) }
    }
    for action in actions { try store.send(action) }
    return seen
  }

  @Test("can name a member of a record")
  func member() throws {
    #expect(
      try values(
        "counter.card.number",
        [.counter(.set(count: 2)), .counter(.openCard), .numbers(.add(number: 2))])
        == [[.integer(2), .none]])
  }

  @Test("can name a position in a list, whichever record has it")
  func position() throws {
    #expect(
      try values(
        "numbers[2]",
        [
          .numbers(.add(number: 2)), .numbers(.add(number: 3)), .numbers(.add(number: 5)),
          .numbers(.remove(number: 2)), .numbers(.clear),
        ])
        == [
          [.integer(3), .none], [.integer(5), .integer(3)], [.none, .integer(5)],
        ])
  }

  @Test("can name a member of a record in a list")
  func memberOfElement() throws {
    try store.send(.add(id: 1, text: "milk"), to: Notes.self)
    #expect(
      try values(
        "notes.items[1].text",
        [
          .notes(.finish(id: 1)), .notes(.rename(id: 1, text: "tea")),
          .notes(.add(id: 2, text: "bread")), .notes(.remove(id: 1)),
        ])
        == [
          [.text("tea"), .text("milk")], [.text("bread"), .text("tea")],
        ])
  }

  @Test("report undo and redo, too")
  func travel() throws {
    try store.send(.add(id: 1, text: "milk"), to: Notes.self)
    var seen: [StateValue] = []
    try store.observe("notes.items[1].done") { change in
      for case .value(let new, _) in change.fields.map(\.change) { seen.append(new) }
    }
    try store.send(.finish(id: 1), to: Notes.self)
    try store.undo()
    try store.redo()
    #expect(seen == [.boolean(true), .boolean(false), .boolean(true)])
  }

  @Test("observers of actions get each action, in order, with its number")
  func actions() throws {
    var seen: [String] = []
    let subscription = store.observeActions { [store] recorded in
      seen.append("\(recorded.number)")
      if recorded.number == 1 { try store.send(.increment(by: 1), to: Counter.self) }
    }
    try store.send(.counter(.increment(by: 0)), .counter(.increment(by: 1)))
    subscription.cancel()
    try store.send(.increment(by: 1), to: Counter.self)
    #expect(seen == ["1", "2", "3"])
  }

  @Test("with values that differ from an earlier state's are listed on request")
  func changesSince() throws {
    let earlier = store.states
    try store.send(
      .counter(.increment(by: 1)), .counter(.increment(by: -1)), .numbers(.add(number: 2)),
      .notes(.add(id: 1, text: "milk")), .notes(.remove(id: 1)))
    let changes = store.changes(since: earlier)
    #expect(changes.map(\.path) == ["numbers", "notes.last_text"])
    #expect(changes.map(\.value) == [.list([.integer(2)]), .text("milk")])
  }
}
