import Foundation
import SampleFeatures
import StateStore
import Synchronization
import Testing

@testable import Console
@testable import PrimereplTerminal

@Suite("The thread that uses a journal")
struct JournalThreadTests {
  private let journal = UnreliableJournal()

  /// The thread's next events until one meets a condition.
  private func events(
    of thread: JournalThread, until condition: (JournalThread.Event) -> Bool
  ) throws -> [JournalThread.Event] {
    var events: [JournalThread.Event] = []
    while !events.contains(where: condition) {
      try #require(thread.waitForEvents(atMost: .seconds(60)))
      events += thread.takeEvents()
    }
    return events
  }

  @Test("tells of a connection that is lost while identifiers are reserved")
  func reservation() throws {
    let thread = JournalThread(of: journal)
    try thread.start {}
    defer { thread.end() }
    journal.isLost.withLock { $0 = true }
    let answer = Mutex<ClosedRange<Int>?>(1...1)
    let isAnswered = DispatchSemaphore(value: 0)
    thread.reserve(1, of: IdentifierKind("notes"), from: 1) { range in
      answer.withLock { $0 = range }
      isAnswered.signal()
    }
    _ = try events(of: thread) { if case .lost = $0 { true } else { false } }
    #expect(isAnswered.wait(timeout: .now() + 60) == .success)
    #expect(answer.withLock(\.self) == nil)
  }

  @Test("tells that a connection is back once an exchange has succeeded")
  func connection() throws {
    let session = try JournaledSession(Sample.schema, in: journal)
    try session.store.send(.increment(by: 1), to: Counter.self)
    let thread = JournalThread(of: journal)
    try thread.start {}
    defer { thread.end() }
    func isExchanged(_ event: JournalThread.Event) -> Bool {
      if case .exchanged = event { true } else { false }
    }
    func isFound(_ event: JournalThread.Event) -> Bool {
      if case .found = event { true } else { false }
    }
    journal.isLost.withLock { $0 = true }
    thread.perform(try session.nextExchange())
    _ = try events(of: thread) { if case .lost = $0 { true } else { false } }
    journal.isReadOnlyNow.withLock { $0 = true }
    journal.isLost.withLock { $0 = false }
    #expect(try events(of: thread, until: isExchanged).contains(where: isFound) == false)
    journal.isReadOnlyNow.withLock { $0 = false }
    thread.perform(try session.nextExchange())
    #expect(try events(of: thread, until: isExchanged).contains(where: isFound))
  }
}

/// A journal in memory behind a connection that can be lost.
private final class UnreliableJournal: SharedJournal {
  let isLost = Mutex(false)
  let isReadOnlyNow = Mutex(false)
  private let journal = InMemoryJournal()
  private let isWoken = DispatchSemaphore(value: 0)

  let location = "the server"
  let isRemote = true
  let writeFailure: JournalError? = nil
  var isOpenElsewhere: Bool { false }

  private func access<Result>(_ body: (InMemoryJournal) throws -> Result) throws -> Result {
    if isLost.withLock(\.self) { throw JournalError.unreachable(location, reason: "it is lost") }
    return try body(journal)
  }

  func load() throws -> SavedSession { try access { $0.load() } }

  func exchange(_ write: SessionWrite?, after point: JournalPoint) throws -> JournalReply {
    try access { journal in
      if isReadOnlyNow.withLock(\.self) { throw JournalError.readOnly(location) }
      return try journal.exchange(write, after: point)
    }
  }

  func restore(_ write: SessionWrite, at point: JournalPoint) throws {
    try access { try $0.restore(write, at: point) }
  }

  func reserveIdentifiers(_ count: Int, of kind: IdentifierKind) throws -> ClosedRange<Int> {
    try access { try $0.reserveIdentifiers(count, of: kind) }
  }

  /// Waits to be woken, without noticing whether the connection is lost.
  func waitForEntries(atMost time: Duration) -> Bool {
    _ = isWoken.wait(timeout: .now() + time / .seconds(1))
    return false
  }

  func wake() { isWoken.signal() }

  func takeNotices() -> [String] { [] }

  func close() {}
}
