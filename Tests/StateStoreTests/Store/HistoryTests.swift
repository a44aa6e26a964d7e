import Foundation
import SampleFeatures
import Testing

@testable import StateStore

@Suite("History")
struct HistoryTests {
  private let store = Store(now: { Date(timeIntervalSince1970: 1_000) })

  private func increment(_ times: Int = 1) throws {
    for _ in 0..<times { try store.send(.increment(by: 1), to: Counter.self) }
  }

  private func historyTexts(last count: Int? = nil) throws -> [String] {
    try store.history(last: count).map { entry in
      "\(entry.recorded.number)\(entry.isUndone ? "-" : "+")"
    }
  }

  @Test("is empty at first, and there is nothing to undo or redo")
  func empty() throws {
    #expect(try store.history() == [])
    #expect(store.position == 0)
    #expect(throws: StoreError.nothingToUndo(1, available: 0)) { try store.undo() }
    #expect(throws: StoreError.nothingToRedo(1, available: 0)) { try store.redo() }
    try store.jump(to: 0)
    try store.undo(0)
  }

  @Test("can be unlimited", arguments: [Int.max, Int.max - 50])
  func unlimited(limit: Int) throws {
    store.historyLimit = limit
    try increment(300)
    #expect(store.historyLimit == limit)
    #expect(try store.history().count == 300)
  }

  @Test("has the actions in order, with their times and changes")
  func entries() throws {
    try store.send(.counter(.set(count: 17)), .numbers(.add(number: 17)))
    let history = try store.history()
    #expect(history.map(\.recorded.number) == [1, 2])
    #expect(
      history.map(\.recorded.action) == [
        .counter(.set(count: 17)), .numbers(.add(number: 17)),
      ])
    #expect(history.allSatisfy { $0.recorded.time == Date(timeIntervalSince1970: 1_000) })
    #expect(history.map { $0.changes.map(\.path) } == [["counter.count"], ["numbers"]])
  }

  @Test("returns only the last actions on request")
  func lastEntries() throws {
    try increment(3)
    #expect(try historyTexts(last: 2) == ["2+", "3+"])
    #expect(try historyTexts(last: 0) == [])
    #expect(try historyTexts(last: -1) == [])
    #expect(try historyTexts(last: .min) == [])
    #expect(try historyTexts(last: .max) == ["1+", "2+", "3+"])
  }

  @Test("undoes and redoes the last actions")
  func undoRedo() throws {
    try increment(5)
    try store.undo()
    #expect(store.state(of: Counter.self).count == 4)
    try store.undo(3)
    #expect(store.state(of: Counter.self).count == 1)
    #expect(store.position == 1)
    #expect(try historyTexts() == ["1+", "2-", "3-", "4-", "5-"])
    try store.redo(2)
    #expect(store.state(of: Counter.self).count == 3)
    try store.redo(2)
    #expect(store.state(of: Counter.self).count == 5)
  }

  @Test("refuses to undo or redo more than possible, and changes nothing")
  func tooMuch() throws {
    try increment(3)
    try store.undo()
    for count in [3, -1, .max, .min] {
      #expect(throws: StoreError.nothingToUndo(count, available: 2)) { try store.undo(count) }
    }
    for count in [2, -1, .max, .min] {
      #expect(throws: StoreError.nothingToRedo(count, available: 1)) { try store.redo(count) }
    }
    for number in [-1, 4, .max, .min] {
      #expect(throws: StoreError.outOfHistory(number, reachable: 0...3)) {
        try store.jump(to: number)
      }
    }
    #expect(store.state(of: Counter.self).count == 2)
  }

  @Test("drops undone actions at a new action")
  func branch() throws {
    try increment(250)
    try store.undo(130)
    try store.send(.set(count: -1), to: Counter.self)
    #expect(store.position == 121)
    #expect(throws: StoreError.self) { try store.redo() }
    try increment(100)
    #expect(try store.history().count == 221)
    for number in [120, 121, 220] {
      try store.jump(to: number)
      #expect(store.state(of: Counter.self).count == (number == 120 ? 120 : number - 122))
    }
  }

  @Test("keeps undone actions when an action is refused")
  func refusedAfterUndo() throws {
    try increment(2)
    try store.undo()
    #expect(throws: NumbersError.self) {
      try store.send(.add(number: -8), to: Numbers.self)
    }
    try store.redo()
    #expect(store.state(of: Counter.self).count == 2)
  }

  @Test("undoes a reset like any action, and reports the fields that it emptied")
  func reset() throws {
    try increment(2)
    try store.send(.add(id: 1, text: "milk"), to: Notes.self)
    let before = store.states
    var seen: [String] = []
    try store.observe("") { seen += $0.fields.map(\.path) }
    try store.reset()
    #expect(store.states == States())
    #expect(seen == ["counter.count", "notes.items", "notes.last_text"])
    try store.undo()
    #expect(store.states == before)
  }

  @Test("drops the oldest actions beyond its limit")
  func limit() throws {
    let store = Store(historyLimit: 5)
    for count in 1...1234 { try store.send(.set(count: count), to: Counter.self) }
    #expect(store.reachable == 1229...1234)
    #expect(try store.history().map(\.recorded.number) == Array(1230...1234))
    #expect(throws: StoreError.nothingToUndo(6, available: 5, limit: 5)) { try store.undo(6) }
    try store.undo(5)
    #expect(store.state(of: Counter.self).count == 1229)
    try store.jump(to: 1234)
    #expect(store.state(of: Counter.self).count == 1234)
  }

  @Test("has a limit of 10,000 actions, and accepts another one at any time")
  func changeLimit() throws {
    #expect(store.historyLimit == 10_000)
    try increment(1000)
    store.historyLimit = 10
    #expect(store.reachable == 990...1000)
    store.historyLimit = 10_000
    try increment()
    try store.jump(to: store.reachable.lowerBound)
    #expect(store.state(of: Counter.self).count == store.reachable.lowerBound)
  }

  @Test("accepts any limit, even below the number of undone actions")
  func extremeLimits() throws {
    store.historyLimit = .max
    try increment(10)
    try store.undo(8)
    store.historyLimit = 3
    #expect(store.reachable == 2...10)
    try store.jump(to: store.position)
    try store.redo()
    #expect(store.state(of: Counter.self).count == 3)
    store.historyLimit = .min
    #expect(store.historyLimit == 0)
    try increment()
    #expect(store.state(of: Counter.self).count == 4)
  }

  @Test("begins with the states that the store was made with")
  func initialState() throws {
    var state = States()
    try Sample.schema.reduce(&state, .numbers(.add(number: 7)))
    let store = Store(states: state)
    try store.send(.add(number: 11), to: Numbers.self)
    try store.undo()
    #expect(store.state(of: Numbers.self).list.map(\.id) == [7])
    #expect(try store.history().map(\.changes.count) == [1])
  }
}
