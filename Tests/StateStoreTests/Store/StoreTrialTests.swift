import Foundation
import SampleFeatures
import Testing

@testable import StateStore

@Suite("A trial of a store")
struct StoreTrialTests {
  private static let noon = Date(timeIntervalSince1970: 1_795_262_400)

  private let journal = InMemoryJournal()

  private func session() throws -> JournaledSession {
    try JournaledSession(Sample.schema, in: journal, now: { Self.noon })
  }

  private func counting(_ times: Int) throws -> Store {
    let store = Store(now: { Self.noon })
    for _ in 0..<times { try store.increment() }
    return store
  }

  @Test("that is dropped leaves states and history as before, undone actions included")
  func dropping() throws {
    let store = try counting(3)
    try store.undo()
    let (states, history) = (store.states, try store.history())
    try store.beginTrial()
    try store.add("milk")
    try store.undo(2)
    store.historyLimit = 1
    try store.dropTrial()
    #expect(store.states == states)
    #expect(try store.history() == history)
    #expect(store.historyLimit == Store.defaultHistoryLimit)
    try store.redo()
    #expect(store.count == 3)
  }

  @Test("that is kept leaves everything as it is")
  func keeping() throws {
    let store = try counting(3)
    try store.beginTrial()
    try store.increment()
    store.keepTrial()
    #expect(store.count == 4)
    #expect(store.position == 4)
    try store.undo()
    #expect(store.count == 3)
  }

  @Test("reports its changes to observers, and their reversal")
  func observers() throws {
    let store = try counting(1)
    var seen: [String] = []
    store.observe(\.count, of: Counter.self) { new, old in seen.append("\(old)→\(new)") }
    try store.observe("notes.items") { _ in seen.append("items") }
    try store.beginTrial()
    try store.increment()
    try store.add("milk")
    try store.dropTrial()
    #expect(seen == ["1→2", "items", "2→1", "items"])
  }

  @Test("can't be in another one")
  func nested() throws {
    let store = Store(now: { Self.noon })
    try store.beginTrial()
    #expect(throws: StoreError.trialInProgress) { try store.beginTrial() }
    try store.dropTrial()
    try store.dropTrial()
    store.keepTrial()
    #expect(!store.isInTrial)
    try store.beginTrial()
  }

  @Test("isn't in the journal if it is dropped")
  func droppedJournal() throws {
    let session = try session()
    try session.store.increment()
    try session.store.beginTrial()
    try session.store.add("milk")
    #expect(!session.hasUnsavedEntries)
    #expect(throws: StoreError.trialInProgress) { try session.save() }
    try session.reload()
    #expect(session.store.isInTrial)
    try session.store.dropTrial()
    try session.save()
    let entries = journal.load().entries
    #expect(entries.count == 1)
    #expect(try self.session().store.states == session.store.states)
  }

  @Test("isn't saved in the background, however many actions it has")
  func background() throws {
    let session = try session()
    try session.store.beginTrial()
    for id in 1...2_500 { try session.store.add("item", id: id) }
    #expect(journal.load().entries.isEmpty)
    session.store.keepTrial()
    #expect(journal.load().entries.count == 2_500)
  }

  @Test("is in the journal once it is kept, in order")
  func keptJournal() throws {
    let session = try session()
    try session.store.increment()
    try session.store.beginTrial()
    try session.store.add("milk")
    for _ in 0..<10 { try session.store.increment() }
    try session.store.undo(3)
    session.store.keepTrial()
    try session.store.increment()
    try session.save()
    let again = try self.session().store
    #expect(again.states == session.store.states)
    #expect(again.position == session.store.position)
  }

  @Test("is dropped, and the rest saved, when the process ends")
  func endOfProcess() throws {
    let session = try session()
    try session.store.increment()
    try session.store.beginTrial()
    try session.store.add("milk")
    try session.saveForLastTime()
    #expect(try self.session().store.count == 1)
    #expect(try self.session().store.state(of: Notes.self).items.isEmpty)
  }

  @Test("ends a request whose answer came in it, as that is dropped")
  func answeredRequest() throws {
    let store = Store(now: { Self.noon })
    try store.send(.step(of: Counter.ask, 1, .asked(NoQuestion())))
    try store.beginTrial()
    try store.send(.step(of: Counter.ask, 1, .answered(5)))
    try store.dropTrial()
    #expect(!store.isPending(Counter.ask))
    #expect(store.error(of: Counter.ask) == RequestFailure.answerDropped)
    #expect(store.state(of: Counter.self).alert == nil)
  }

  @Test("leaves a request pending that isn't answered yet")
  func pendingRequest() throws {
    let store = Store(now: { Self.noon })
    try store.send(.step(of: Counter.ask, 1, .asked(NoQuestion())))
    try store.beginTrial()
    try store.increment()
    try store.dropTrial()
    #expect(store.isPending(Counter.ask))
  }
}

extension Store {
  fileprivate func increment() throws { try send(.increment(by: 1), to: Counter.self) }

  fileprivate func add(_ text: String, id: Int = 1) throws {
    try send(.add(id: id, text: text), to: Notes.self)
  }

  fileprivate var count: Int { state(of: Counter.self).count }
}
