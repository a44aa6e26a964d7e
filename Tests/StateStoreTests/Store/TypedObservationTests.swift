import SampleFeatures
import Testing

@testable import StateStore

@Suite("Observers of a part of a feature's state")
struct TypedObservationTests {
  private let store = Store()

  @Test("get the new and the old value, for actions, undo and redo")
  func changes() throws {
    var seen: [String] = []
    let subscription = store.observe(\.count, of: Counter.self) { new, old in
      seen.append("\(old)->\(new)")
    }
    try store.send(
      .counter(.increment(by: 2)), .counter(.openCard), .notes(.add(id: 1, text: "milk")))
    try store.undo(3)
    try store.redo(1)
    subscription.cancel()
    try store.send(.increment(by: 1), to: Counter.self)
    #expect(seen == ["0->2", "2->0", "0->2"])
  }

  @Test("take turns with other observers")
  func order() throws {
    var seen: [String] = []
    store.observe(\.count, of: Counter.self) { new, _ in
      seen.append("first \(new)")
      if new == 1 { try store.send(.increment(by: 1), to: Counter.self) }
    }
    try store.observe("counter") { seen.append("all \($0.fields.count)") }
    store.observe(\.alert, of: Counter.self) { _, _ in seen.append("alert") }
    try store.send(.increment(by: 1), to: Counter.self)
    #expect(seen == ["first 1", "all 1", "first 2", "all 1"])
  }
}
