import Dispatch
import PrimereplFoundation
import StateStore
import Synchronization

/// Identifiers that a server reserves for this process, in blocks, each twice as large as the one before.
///
/// If none is left and the server doesn't answer in time, they are taken from a range that only this process uses: the
/// millions of its number. So no two processes ever use the same one, even without a connection. An answer that is late
/// is waited for once; until it comes, the range of this process serves without a wait.
final class SharedIdentifiers: IdentifierSource {
  private struct Reserve {
    var free: [ClosedRange<Int>] = []
    var size = 1
    /// Whether the server was asked for more, and hasn't answered yet.
    var isAsked = false
    /// Whether somebody already waited in vain for the answer.
    var isLate = false
    /// Signalled when the answer comes.
    var waiting: [DispatchSemaphore] = []
    /// When it may be asked again, after it couldn't be.
    var nextTry: ContinuousClock.Instant?

    var count: Int { free.reduce(0) { $0 + $1.count } }

    mutating func next() -> Int? {
      guard let range = free.first else { return nil }
      free.removeFirst()
      if range.count > 1 { free.insert(range.lowerBound + 1...range.upperBound, at: 0) }
      return range.lowerBound
    }
  }

  private struct Reserves {
    var kinds: [IdentifierKind: Reserve] = [:]
    var privateNext: [IdentifierKind: Int] = [:]
    var nextRequest: Int
  }

  private let reserves: Mutex<Reserves>
  private let thread: JournalThread
  /// The identifier before the first of this process's own range.
  private let privateStart: Int

  /// The seconds to wait for an answer of the server.
  private static let patience = 5.0

  private static let maximumSize = 1024
  /// The number of identifiers that a prompt has in stock.
  private static let stock = 8

  private static let retryInterval = Duration.seconds(1)

  /// The kind of the numbers of processes.
  private static let process = IdentifierKind("#process")

  /// The thread isn't started yet.
  init(_ thread: JournalThread, of journal: any SharedJournal) throws {
    self.thread = thread
    // No other process has the same number in this session.
    let process =
      try journal.writeFailure == nil
      ? journal.reserveIdentifiers(1, of: Self.process).lowerBound : 1
    privateStart = process * 1_000_000
    // Request identifiers must differ between processes, but are never shown: each process starts at a random one.
    reserves = Mutex(Reserves(nextRequest: Int.random(in: 1...(1 << 52))))
  }

  func next(_ kind: IdentifierKind, from least: Int) -> Int {
    if kind == .request {
      return reserves.withLock {
        $0.nextRequest += 1
        return $0.nextRequest
      }
    }
    if let id = nextReserved(kind) { return id }
    ask(for: kind, from: least)
    waitForAnswer(kind)
    return nextReserved(kind) ?? nextPrivate(kind)
  }

  /// Keeps some identifiers in stock from now on, so that a prompt seldom waits for them.
  func prepareForPrompt(_ kinds: [IdentifierKind]) {
    for kind in kinds {
      let isEmpty = reserves.withLock { reserves in
        reserves.kinds[kind, default: Reserve()].size = Self.stock
        return reserves.kinds[kind]?.free.isEmpty == true
      }
      if isEmpty { ask(for: kind, from: 1) }
    }
  }

  /// The identifiers that weren't used, of which the last reserved can be given back.
  func removeUnused() -> [(kind: IdentifierKind, range: ClosedRange<Int>)] {
    reserves.withLock { reserves in
      defer { reserves.kinds = [:] }
      return reserves.kinds.compactMap { kind, reserve in reserve.free.last.map { (kind, $0) } }
    }
  }

  private func nextReserved(_ kind: IdentifierKind) -> Int? {
    let (id, isLow) = reserves.withLock { reserves in
      let id = reserves.kinds[kind, default: Reserve()].next()
      let reserve = reserves.kinds[kind, default: Reserve()]
      return (id, reserve.size >= Self.stock && reserve.count < reserve.size / 2)
    }
    if id != nil, isLow { ask(for: kind, from: 1) }
    return id
  }

  private func nextPrivate(_ kind: IdentifierKind) -> Int {
    reserves.withLock { reserves in
      let id = reserves.privateNext[kind, default: privateStart] + 1
      reserves.privateNext[kind] = id
      return id
    }
  }

  /// Waits until the server has answered a question asked before, unless it is known to be late.
  private func waitForAnswer(_ kind: IdentifierKind) {
    let answer = DispatchSemaphore(value: 0)
    let isExpected = reserves.withLock { reserves in
      guard var reserve = reserves.kinds[kind], reserve.isAsked, !reserve.isLate else {
        return false
      }
      reserve.waiting.append(answer)
      reserves.kinds[kind] = reserve
      return true
    }
    guard isExpected, answer.wait(timeout: .now() + Self.patience) == .timedOut else { return }
    reserves.withLock { reserves in
      if let reserve = reserves.kinds[kind] { reserves.kinds[kind]?.isLate = reserve.isAsked }
    }
  }

  private func ask(for kind: IdentifierKind, from least: Int) {
    let size: Int? = reserves.withLock { reserves in
      var reserve = reserves.kinds[kind] ?? Reserve()
      defer { reserves.kinds[kind] = reserve }
      guard !reserve.isAsked, reserve.nextTry.map({ $0 < .now }) ?? true else { return nil }
      reserve.isAsked = true
      return reserve.size
    }
    guard let size else { return }
    thread.reserve(size, of: kind, from: least) { [weak self] range in
      self?.receive(range, of: kind)
    }
  }

  /// Stocks what the server reserved, or notes that it couldn't be asked.
  private func receive(_ range: ClosedRange<Int>?, of kind: IdentifierKind) {
    let waiting = reserves.withLock { reserves in
      var reserve = reserves.kinds[kind] ?? Reserve()
      defer { reserves.kinds[kind] = reserve }
      (reserve.isAsked, reserve.isLate) = (false, false)
      reserve.nextTry = range == nil ? .now + Self.retryInterval : nil
      if let range {
        reserve.free.append(range)
        reserve.size = min(2 * reserve.size, Self.maximumSize)
      }
      defer { reserve.waiting = [] }
      return reserve.waiting
    }
    for answer in waiting { answer.signal() }
  }
}
