import Dispatch
import PrimereplFoundation
import PrimereplPlatform
import StateStore
import Synchronization

/// A thread that uses a journal, so that the main thread needn't wait for a disk or a network.
///
/// While a connection is lost it tries again and again: an exchange ends only with its outcome.
final class JournalThread: Sendable {
  enum Event: Sendable {
    /// The outcome of an exchange, or why it failed for good.
    case exchanged(Result<JournalExchange.Outcome, any Error>)
    /// Others may have appended entries.
    case news
    /// The connection is lost.
    case lost(any Error)
    /// The connection is there again: an exchange has succeeded.
    case found
  }

  private let journal: any SharedJournal
  private let state = Mutex(State())
  /// Signaled when the thread has work.
  private let work = DispatchSemaphore(value: 0)
  /// Signaled when the session has events to take, and when the thread has ended.
  private let news = DispatchSemaphore(value: 0)

  private struct State: Sendable {
    var exchange: JournalExchange?
    var reservations: [Reservation] = []
    var released: [(kind: IdentifierKind, range: ClosedRange<Int>)] = []
    var events: [Event] = []
    var onEvents: @Sendable () -> Void = {}
    var isLost = false
    /// Whether the thread is to end.
    var hasEnded = false
    /// Whether it has ended.
    var isClosed = false

    var isIdle: Bool { exchange == nil && reservations.isEmpty }
  }

  private struct Reservation {
    let kind: IdentifierKind
    let count: Int
    let least: Int
    let deliver: @Sendable (ClosedRange<Int>?) -> Void
  }

  private enum Work {
    case exchange(JournalExchange)
    case reservation(Reservation)
  }

  /// The time after which a silent connection is checked.
  private static let checkInterval = Duration.seconds(15)
  /// The seconds before a lost connection is first tried again, and the longest such time.
  private static let retryTimes = 0.1...5.0

  /// Makes a thread that isn't started yet, for a journal of which the others only wake it and reserve identifiers.
  init(of journal: any SharedJournal) { self.journal = journal }

  /// `onEvents` is called on the thread when there are events to take.
  func start(onEvents: @escaping @Sendable () -> Void) throws {
    state.withLock { $0.onEvents = onEvents }
    try SystemThread.start { [self] in run() }
  }

  // MARK: - The session's side

  /// Begins an exchange, which an `exchanged` event ends.
  func perform(_ exchange: JournalExchange) { change { $0.exchange = exchange } }

  /// Reserves identifiers; `deliver` gets them on the thread, or nil if they can't be had now.
  func reserve(
    _ count: Int, of kind: IdentifierKind, from least: Int,
    deliver: @escaping @Sendable (ClosedRange<Int>?) -> Void
  ) {
    change {
      $0.reservations.append(
        Reservation(kind: kind, count: count, least: least, deliver: deliver))
    }
  }

  func takeEvents() -> [Event] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// Returns whether there are events by then.
  func waitForEvents(atMost time: Duration) -> Bool {
    wait(for: news, atMost: time / .seconds(1)) { !$0.events.isEmpty }
  }

  /// Ends the thread, as soon as it doesn't wait for an answer any more.
  ///
  /// - Parameter identifiers: The identifiers that weren't used, which it gives back: processes one after the other leave no
  ///   gaps.
  func end(releasing identifiers: [(kind: IdentifierKind, range: ClosedRange<Int>)] = []) {
    change {
      $0.hasEnded = true
      $0.released = identifiers
    }
  }

  func waitForEnd(atMost time: Duration) {
    _ = wait(for: news, atMost: time / .seconds(1)) { $0.isClosed }
  }

  /// Waits until the state is as expected; returns whether it is.
  private func wait(
    for signal: DispatchSemaphore, atMost seconds: TimeInterval = .infinity,
    until isExpected: (State) -> Bool
  ) -> Bool {
    let end = DispatchTime.now() + seconds
    // Signals that nobody waited for are still counted, so the state is looked at after each.
    while !state.withLock({ isExpected($0) }) {
      if signal.wait(timeout: end) == .timedOut { return state.withLock { isExpected($0) } }
    }
    return true
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    work.signal()
    journal.wake()
  }

  // MARK: - The thread

  private func run() {
    while !hasEnded {
      switch takeWork() {
      case .exchange(let exchange): post(.exchanged(retrying { try exchange.run() }))
      case .reservation(let reservation): reservation.deliver(reserve(reservation))
      case nil: waitForEntries()
      }
    }
    refuseReservations()
    releaseIdentifiers()
    journal.close()
    state.withLock { $0.isClosed = true }
    news.signal()
  }

  private var hasEnded: Bool { state.withLock { $0.hasEnded } }

  private func takeWork() -> Work? {
    state.withLock { state in
      if !state.reservations.isEmpty { return .reservation(state.reservations.removeFirst()) }
      defer { state.exchange = nil }
      return state.exchange.map { .exchange($0) }
    }
  }

  private func post(_ event: Event) {
    let onEvents = state.withLock {
      $0.events.append(event)
      return $0.onEvents
    }
    news.signal()
    onEvents()
  }

  /// Runs a body until it doesn't fail for want of a connection.
  private func retrying<Value>(_ body: () throws -> Value) -> Result<Value, any Error> {
    var time = Self.retryTimes.lowerBound
    while true {
      do {
        let value = try body()
        noteLoss(nil)
        return .success(value)
      } catch let error as JournalError where error.kind == .unreachable {
        noteLoss(error)
        // At different times, as many processes may have lost the same server.
        guard pause(for: time * .random(in: 0.5...1)) else { return .failure(error) }
        time = min(2 * time, Self.retryTimes.upperBound)
      } catch {
        return .failure(error)
      }
    }
  }

  /// Waits; returns false if the thread is to end.
  private func pause(for seconds: TimeInterval) -> Bool {
    refuseReservations()
    _ = wait(for: work, atMost: seconds) { $0.hasEnded || !$0.reservations.isEmpty }
    return !hasEnded
  }

  private func refuseReservations() {
    let reservations = state.withLock { state in
      defer { state.reservations = [] }
      return state.reservations
    }
    for reservation in reservations { reservation.deliver(nil) }
  }

  /// Notes whether the connection is lost, by an error, and reports it if that is new.
  private func noteLoss(_ error: (any Error)?) {
    let isLost = error != nil
    let isNew = state.withLock { state in
      defer { state.isLost = isLost }
      return state.isLost != isLost
    }
    if isNew { post(error.map(Event.lost) ?? .found) }
  }

  private func reserve(_ reservation: Reservation) -> ClosedRange<Int>? {
    do {
      return try journal.reserveIdentifiers(
        reservation.count, of: reservation.kind, from: reservation.least)
    } catch let error as JournalError where error.kind == .unreachable {
      noteLoss(error)
      return nil
    } catch {
      // The next exchange reports what is wrong with the journal.
      return nil
    }
  }

  private func releaseIdentifiers() {
    do {
      for (kind, range) in state.withLock({ $0.released }) {
        try journal.releaseIdentifiers(range, of: kind)
      }
    } catch {
      // They stay unused: identifiers have gaps anyway where processes work at the same time.
    }
  }

  /// Waits for entries of others, for work, or for the end.
  private func waitForEntries() {
    let start = ContinuousClock.now
    do {
      let isNotified = try journal.waitForEntries(atMost: Self.checkInterval)
      // After that time without a word, an exchange shows whether the connection is alive.
      guard isNotified || .now - start >= Self.checkInterval else { return }
    } catch {
      noteLoss(error)
    }
    post(.news)
    // Until the session has begun an exchange, what comes is the same news.
    _ = wait(for: work) { !$0.isIdle || $0.hasEnded }
  }
}
