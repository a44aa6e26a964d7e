import Foundation
import SampleFeatures
import Testing
import TestSupport

@testable import StateStore

/// Properties that hold for any actions in any order.
@Suite("History after random actions")
struct HistoryPropertyTests {
  private static let seeds = 0..<12
  private static let steps = 700

  /// Sends random actions, and sometimes travels in between.
  ///
  /// - Returns: The states after the actions that the history has, by their numbers.
  private func actRandomly(
    _ actions: inout RandomActions<SeededGenerator>, on store: Store, steps: Int = steps,
    check: ([States]) throws -> Void = { _ in }
  ) throws -> [States] {
    var states = [store.states]
    for _ in 0..<steps {
      switch actions.number(0..<20) {
      case 0: try store.undo(actions.number(0..<min(5, store.position + 1)))
      case 1: try store.redo(actions.number(0..<(states.count - store.position)))
      case 2: try store.jump(to: actions.number(0..<states.count))
      default:
        let (before, position) = (store.states, store.position)
        do {
          try store.send(actions.next())
          states.removeSubrange((position + 1)...)
          states.append(store.states)
        } catch is any CodedError {
          #expect(store.states == before)
        }
      }
      try check(states)
    }
    return states
  }

  @Test("every state is exactly restored", arguments: seeds)
  func travel(seed: Int) throws {
    let store = Store()
    var actions = RandomActions(seed: seed)
    let states = try actRandomly(&actions, on: store) { states in
      #expect(store.states == states[store.position])
    }
    var random = SeededGenerator(seed: UInt64(seed))
    for number in states.indices.shuffled(using: &random) {
      try store.jump(to: number)
      #expect(store.states == states[number])
    }
  }

  @Test("replaying the actions, even after encoding them, gives the same state", arguments: seeds)
  func replay(seed: Int) throws {
    let store = Store()
    var actions = RandomActions(seed: seed)
    let states = try actRandomly(&actions, on: store)
    let recorded = try store.history().map(\.recorded.action)
    let decoder = StateCoding.decoder(for: Sample.schema)
    decoder.userInfo[.keepsSecrets] = true
    let decoded = try decoder.decode(
      [StoreAction].self, from: StateCoding.keepingEncoder.encode(recorded))
    var state = States()
    for (number, action) in decoded.enumerated() {
      try Sample.schema.reduce(&state, action)
      #expect(state == states[number + 1])
    }
    #expect(decoded == recorded)
  }

  @Test("reports to observers, applied to a copy, give the current state", arguments: seeds)
  func reports(seed: Int) throws {
    let store = Store()
    var mirror = Mirror(of: store.states)
    try store.observe("") { mirror.follow($0) }
    var actions = RandomActions(seed: seed)
    _ = try actRandomly(&actions, on: store) { _ in
      for field in Sample.schema.fields {
        #expect(mirror.values[field.path] == field.value(in: store.states))
      }
    }
  }

  @Test("the history's changes of each action equal the reports to observers", arguments: seeds)
  func historyHasReportedChanges(seed: Int) throws {
    let store = Store()
    var reported: [Int: [FieldChange]] = [:]
    try store.observe("") { reported[$0.position] = $0.fields }
    var actions = RandomActions(seed: seed)
    for _ in 0..<Self.steps {
      do {
        try store.send(actions.next())
      } catch is any CodedError {
        continue
      }
    }
    for entry in try store.history() {
      #expect(entry.changes == reported[entry.recorded.number] ?? [])
    }
  }

  @Test("a value that a reducer derives stays consistent", arguments: seeds)
  func derivedValue(seed: Int) throws {
    let store = Store()
    var actions = RandomActions(seed: seed)
    _ = try actRandomly(&actions, on: store) { _ in
      let numbers = store.states[Numbers.self]
      #expect(numbers.sum == numbers.list.reduce(0) { $0 + $1.id })
    }
  }

  @Test("a bounded history forgets the oldest only", arguments: [0, 1, 99, 100, 101, 250])
  func bounded(limit: Int) throws {
    let store = Store(historyLimit: limit)
    var states = [store.states]
    var actions = RandomActions(seed: limit)
    while states.count < 600 {
      do {
        try store.send(actions.next())
        states.append(store.states)
      } catch is any CodedError {
        continue
      }
    }
    #expect(store.reachable == (599 - limit)...599)
    for number in store.reachable {
      try store.jump(to: number)
      #expect(store.states == states[number])
    }
  }
}

/// The values of all fields, kept up to date by an observer.
private struct Mirror {
  private(set) var values: [String: StateValue]

  init(of state: States) {
    values = Dictionary(
      uniqueKeysWithValues: Sample.schema.fields.map { ($0.path, $0.value(in: state)) })
  }

  mutating func follow(_ change: StateChange) {
    for field in change.fields {
      switch field.change {
      case .value(let new, let old):
        #expect(values[field.path] == old)
        values[field.path] = new
      case .list(.replaced(let old, let new)):
        #expect(values[field.path] == .list(Array(old)))
        values[field.path] = .list(Array(new))
      case .list(.edits(let edits)):
        guard case .list(var list, _)? = values[field.path] else {
          Issue.record("\(field.path) is no list")
          return
        }
        for edit in edits { follow(edit, in: &list) }
        values[field.path] = .list(list)
      }
    }
  }

  private func follow(_ edit: ListEdit<StateValue>, in list: inout [StateValue]) {
    switch edit {
    case .inserted(let position, let value): list.insert(value, at: position)
    case .removed(let position, let value): #expect(list.remove(at: position) == value)
    case .changed(let position, let old, let new):
      #expect(list[position] == old)
      list[position] = new
    }
  }
}
