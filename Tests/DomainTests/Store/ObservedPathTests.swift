import Testing

@testable import Domain
@testable import StateStore

@Suite("Paths that can be observed")
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

  @Test("are those of a record's member")
  func member() throws {
    #expect(
      try values(
        "counter.modal.text",
        [.counter(.set(count: 2)), .counter(.askIsPrime), .favorites(.add(number: 2))])
        == [[.text("2 is prime 🎉"), .none]])
  }

  @Test("are those of a position in a list, whatever stands there")
  func position() throws {
    #expect(
      try values(
        "favorites[2]",
        [
          .favorites(.add(number: 2)), .favorites(.add(number: 3)), .favorites(.add(number: 5)),
          .favorites(.remove(number: 2)), .favorites(.clear),
        ])
        == [
          [.integer(3), .none], [.integer(5), .integer(3)], [.none, .integer(5)],
        ])
  }

  @Test("are those of a member of a record in a list")
  func memberOfElement() throws {
    try store.send(.add(id: 1, text: "milk"), to: Todo.self)
    #expect(
      try values(
        "todo.items[1].text",
        [
          .todo(.complete(id: 1)), .todo(.rename(id: 1, text: "tea")),
          .todo(.add(id: 2, text: "bread")), .todo(.remove(id: 1)),
        ])
        == [
          [.text("tea"), .text("milk")], [.text("bread"), .text("tea")],
        ])
  }

  @Test("report undo and redo as well")
  func travel() throws {
    try store.send(.add(id: 1, text: "milk"), to: Todo.self)
    var seen: [StateValue] = []
    try store.observe("todo.items[1].done") { change in
      for case .value(let new, _) in change.fields.map(\.change) { seen.append(new) }
    }
    try store.send(.complete(id: 1), to: Todo.self)
    try store.undo()
    try store.redo()
    #expect(seen == [.boolean(true), .boolean(false), .boolean(true)])
  }

  @Test("report each action, in order, with its number")
  func actions() throws {
    var seen: [String] = []
    let subscription = store.observeActions { [store] recorded in
      seen.append("\(recorded.number)")
      if recorded.number == 1 { try store.send(.increment(by: 1), to: Counter.self) }
    }
    try store.send(.increment(by: 0), to: Counter.self)
    try store.send(.increment(by: 1), to: Counter.self)
    subscription.cancel()
    try store.send(.increment(by: 1), to: Counter.self)
    #expect(seen == ["1", "2", "3"])
  }

  @Test("report the differences from an earlier state")
  func changesSince() throws {
    let earlier = store.states
    try store.send(.increment(by: 1), to: Counter.self)
    try store.send(.decrement(by: 1), to: Counter.self)
    try store.send(.add(number: 2), to: FavoritePrimes.self)
    try store.send(.add(id: 1, text: "milk"), to: Todo.self)
    try store.send(.remove(id: 1), to: Todo.self)
    let changes = store.changes(since: earlier)
    #expect(changes.map(\.path) == ["favorites", "todo.last_query"])
    #expect(changes.map(\.value) == [.list([.integer(2)]), .text("milk")])
  }
}
