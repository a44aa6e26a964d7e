import SampleFeatures
import Testing

@testable import StateStore

@Suite("Store")
struct StoreTests {
  private let store = Store()

  /// The changes of integers in a report, each as "old->new".
  private func counts(_ change: StateChange) -> [String] {
    change.fields.compactMap { field in
      guard case .value(.integer(let new), .integer(let old)) = field.change else { return nil }
      return "\(old)->\(new)"
    }
  }

  @Test("an observer of a field gets its new and old value, and the action's number")
  func observesField() throws {
    var seen: [StateChange] = []
    try store.observe("counter.count") { seen.append($0) }
    try store.send(.set(count: 7), to: Counter.self)
    #expect(seen.map(\.position) == [1])
    #expect(seen.map(counts) == [["0->7"]])
  }

  @Test("an observer isn't called for actions that don't change its field")
  func ignoresOthers() throws {
    var seen = 0
    try store.observe("counter.count") { _ in seen += 1 }
    try store.send(.numbers(.add(number: 17)), .counter(.openCard), .counter(.set(count: 0)))
    #expect(seen == 0)
  }

  @Test("changes before the subscription aren't reported")
  func startsFresh() throws {
    try store.send(.counter(.set(count: 7)), .numbers(.add(number: 17)))
    var seen: [StateChange] = []
    try store.observe("") { seen.append($0) }
    try store.send(.set(count: 8), to: Counter.self)
    #expect(seen.map(counts) == [["7->8"]])
    #expect(seen.first?.fields.count == 1)
  }

  @Test("an observer of a parent gets all fields that an action changed, in one call")
  func observesParent() throws {
    try store.send(.set(query: "m"), to: Notes.self)
    var seen: [[String]] = []
    try store.observe("notes") { seen.append($0.fields.map(\.path)) }
    try store.send(.notes(.add(id: 1, text: "milk")), .counter(.set(count: 7)))
    #expect(seen == [["notes.items", "notes.query", "notes.last_text", "notes.filtering"]])
  }

  @Test(
    "an unknown path is an error that lists the known ones",
    arguments: [
      "count", "counter.", "notes.items.1", "counter.count.more", "counter.alert.colour",
      "notes.items[0]", "notes.items[1].name", "numbers[1].x", "notes[1]",
    ])
  func unknownPath(path: String) throws {
    let error = #expect(throws: StoreError.self) { try store.observe(path) { _ in } }
    #expect(error?.code == "unknown_path")
    #expect(error?.message.contains("counter, counter.count, counter.loading") == true)
    #expect(error?.message.contains("numbers, notes, notes.items") == true)
  }

  @Test("an unknown path of any length is refused at once, in a short message")
  func hugePath() {
    for path in ["a.", "notes.items[1]", "[1]"] {
      let huge = String(repeating: path, count: 1_000_000)
      let error = #expect(throws: StoreError.self) { try store.observe(huge) { _ in } }
      #expect(error?.message.count ?? .max < 1_000)
    }
  }

  @Test("an observer's action changes the state at once")
  func actsAtOnce() throws {
    var seen: Int?
    try store.observe("numbers") { [store] _ in
      try store.send(.increment(by: 5), to: Counter.self)
      seen = store.state(of: Counter.self).count
    }
    try store.send(.add(number: 17), to: Numbers.self)
    #expect(seen == 5)
  }

  @Test(
    "every observer gets the changes in order, with their own old and new values")
  func reportsInOrder() throws {
    var first: [String] = []
    var second: [String] = []
    try store.observe("counter.count") { [store] change in
      first += counts(change)
      if store.state(of: Counter.self).count < 3 {
        try store.send(.increment(by: 1), to: Counter.self)
      }
    }
    try store.observe("counter.count") { second += counts($0) }
    try store.send(.increment(by: 1), to: Counter.self)
    #expect(first == ["0->1", "1->2", "2->3"])
    #expect(second == first)
  }

  @Test("after cancelling, nothing is reported")
  func cancels() throws {
    var seen = 0
    let subscription = try store.observe("counter.count") { _ in seen += 1 }
    try store.send(.increment(by: 1), to: Counter.self)
    subscription.cancel()
    subscription.cancel()
    try store.send(.increment(by: 1), to: Counter.self)
    #expect(seen == 1)
  }

  @Test("cancelling one subscription leaves the others of the same field")
  func cancelsOne() throws {
    var seen: [String] = []
    let cancelled = try store.observe("counter.count") { _ in }
    try store.observe("counter.count") { seen += counts($0) }
    cancelled.cancel()
    try store.send(.increment(by: 1), to: Counter.self)
    #expect(seen == ["0->1"])
  }

  @Test("after cancelling, not even pending changes are reported")
  func cancelsQueued() throws {
    var seen: [String] = []
    var victim: StoreSubscription?
    try store.observe("counter.count") { [store] change in
      if counts(change) == ["0->1"] {
        try store.send(.increment(by: 1), to: Counter.self)
        victim?.cancel()
      }
    }
    victim = try store.observe("counter.count") { seen += counts($0) }
    try store.send(.increment(by: 1), to: Counter.self)
    #expect(store.state(of: Counter.self).count == 2)
    #expect(seen == [])
  }

  @Test("an observer added during a report isn't called for earlier changes")
  func beginsInReport() throws {
    var seen: [String] = []
    var isFirst = true
    try store.observe("counter.count") { [store] _ in
      guard isFirst else { return }
      isFirst = false
      try store.send(.increment(by: 1), to: Counter.self)
      try store.observe("counter.count") { seen += counts($0) }
      try store.send(.increment(by: 1), to: Counter.self)
    }
    try store.send(.increment(by: 1), to: Counter.self)
    #expect(seen == ["2->3"])
  }

  @Test("an observer's error goes to the handler, and stops neither the sender nor the others")
  func observerFails() throws {
    var failures: [any Error] = []
    store.onObserverFailure = { failures.append($0) }
    var seen: [String] = []
    try store.observe("counter.count") { _ in throw Refusal() }
    try store.observe("counter.count") { seen += counts($0) }
    try store.send(.counter(.increment(by: 1)), .counter(.increment(by: 1)))
    #expect(seen == ["0->1", "1->2"])
    #expect(failures.map { $0 as? Refusal } == [Refusal(), Refusal()])
  }

  @Test("an invalid action of an observer fails only in the observer")
  func observersActionFails() throws {
    var failures: [any Error] = []
    store.onObserverFailure = { failures.append($0) }
    try store.observe("counter.count") { [store] _ in
      try store.send(.add(number: -8), to: Numbers.self)
    }
    try store.send(.increment(by: 1), to: Counter.self)
    #expect(failures.map { $0 as? NumbersError } == [.negative(-8)])
  }

  @Test("a store and its observers are freed together")
  func isFreed() throws {
    weak var freed: Store?
    var subscription: StoreSubscription?
    do {
      let store = Store()
      freed = store
      subscription = try store.observe("") { _ in }
    }
    #expect(freed == nil)
    subscription?.cancel()
  }
}
