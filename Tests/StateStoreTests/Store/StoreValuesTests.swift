import SampleFeatures
import Synchronization
import Testing

@testable import StateStore

@Suite("The values of a part of a state")
struct StoreValuesTests {
  private let store = Store()

  @Test("are the current one and every later one")
  func values() async throws {
    try store.send(.set(count: 1), to: Counter.self)
    var values = store.values(of: \.count, in: Counter.self).makeAsyncIterator()
    try store.send(.counter(.set(count: 2)), .counter(.openCard))
    try store.undo(2)
    #expect(await values.next() == 1)
    #expect(await values.next() == 2)
    #expect(await values.next() == 1)
  }

  @Test("aren't read from the store after the iteration")
  func ending() async throws {
    for await _ in store.values(of: \.probe, in: Counter.self) { break }
    // The next report ends the observation.
    try store.observe("counter.count") { _ in }
    try store.send(.set(count: 1), to: Counter.self)
    let reads = Probe.reads.load(ordering: .relaxed)
    try store.send(.set(count: 2), to: Counter.self)
    #expect(Probe.reads.load(ordering: .relaxed) == reads)
  }

  @Test("end with the store")
  func end() async throws {
    var own: Store? = Store()
    let values = own?.values(of: \.count, in: Counter.self)
    own = nil
    var seen: [Int] = []
    if let values { for await value in values { seen.append(value) } }
    #expect(seen == [0])
  }
}

/// A part of a state that counts how often it is read.
private struct Probe: Equatable {
  static let reads = Atomic(0)
}

extension Counter.State {
  fileprivate var probe: Probe {
    Probe.reads.add(1, ordering: .relaxed)
    return Probe()
  }
}

@Suite("An observer with an owner")
struct OwnedObserverTests {
  private let store = Store()

  private final class Owner {}

  @Test("ends with its owner, by path or key path")
  func ending() throws {
    var seen: [String] = []
    var owner: Owner? = Owner()
    try store.observe("counter.count", while: owner) { _ in seen.append("path") }
    store.observe(\.count, of: Counter.self, while: owner) { _, _ in seen.append("key path") }
    try store.send(.set(count: 1), to: Counter.self)
    #expect(seen == ["path", "key path"])
    owner = nil
    try store.send(.set(count: 2), to: Counter.self)
    #expect(seen.count == 2)
  }

  @Test("releases what its closure holds at the next report")
  func releasing() throws {
    weak var held: Owner?
    var owner: Owner? = Owner()
    do {
      let object = Owner()
      held = object
      try store.observe("counter", while: owner) { [object] _ in _ = object }
    }
    #expect(held != nil)
    owner = nil
    try store.send(.set(count: 1), to: Counter.self)
    #expect(held == nil)
  }
}

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
