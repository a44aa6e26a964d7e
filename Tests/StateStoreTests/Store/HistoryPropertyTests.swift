import Foundation
import SampleFeatures
import Testing
import TestSupport

@testable import StateStore

@Suite("History after random actions")
struct HistoryPropertyTests {
  @Test(
    "is restored exactly, follows from the actions, and has the changes that observers got",
    arguments: 0..<12)
  func anyActions(seed: Int) throws {
    let store = Store()
    let mirror = try FieldMirror(of: store)
    var reported: [FieldChange] = []
    try store.observe("") { reported = $0.fields }
    var actions = RandomActions(seed: seed)
    // The states before and after each action that the history has, and its reported changes.
    var states = [store.states]
    var changes: [[FieldChange]] = []
    for _ in 0..<700 {
      switch actions.number(0..<20) {
      case 0: try store.undo(actions.number(0..<min(5, store.position + 1)))
      case 1: try store.redo(actions.number(0..<(states.count - store.position)))
      case 2: try store.jump(to: actions.number(0..<states.count))
      default:
        let (before, position) = (store.states, store.position)
        reported = []
        do {
          try store.send(actions.next())
          states.removeSubrange((position + 1)...)
          states.append(store.states)
          changes.removeSubrange(position...)
          changes.append(reported)
        } catch is any CodedError {
          #expect(store.states == before && reported.isEmpty, "refused")
        }
      }
      #expect(store.states == states[store.position], "undone, redone or jumped to")
      mirror.expectSame()
      let numbers = store.states[Numbers.self]
      #expect(numbers.sum == numbers.list.reduce(0) { $0 + $1.id }, "derived by the reducer")
    }
    #expect(try store.history().map(\.changes) == changes, "in the history as reported")
    try expectRepeated(store.history().map(\.recorded.action), states)
    var random = SeededGenerator(seed: UInt64(seed))
    for number in states.indices.shuffled(using: &random) {
      try store.jump(to: number)
      #expect(store.states == states[number], "jumped to")
    }
  }

  /// Expects that actions, after they were encoded, lead from each of some states to the next one.
  private func expectRepeated(_ actions: [StoreAction], _ states: [States]) throws {
    let decoder = StateCoding.decoder(for: Sample.schema)
    decoder.userInfo[.keepsSecrets] = true
    let decoded = try decoder.decode(
      [StoreAction].self, from: StateCoding.keepingEncoder.encode(actions))
    #expect(decoded == actions)
    var state = States()
    for (action, expected) in zip(decoded, states.dropFirst()) {
      try Sample.schema.reduce(&state, action)
      #expect(state == expected, "repeated")
    }
  }

  @Test("a bounded history forgets the oldest only", arguments: [0, 1, 250])
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
