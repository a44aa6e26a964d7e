import Foundation
import GRDB
import Synchronization

/// The time for which a connection waits while others have the file locked.
///
/// It retries often: SQLite's own waiting retries ever more rarely, and misses the moments between the commits of
/// processes that keep writing.
final class BusyWaiting: Sendable {
  /// The number of seconds to wait by default.
  let timeout: TimeInterval

  private struct State {
    /// When to stop waiting; nil for the default time from now.
    var deadline: ContinuousClock.Instant?
    /// When the current wait ends.
    var end = ContinuousClock.now
  }

  private let state = Mutex(State())

  init(timeout: TimeInterval) {
    self.timeout = timeout
  }

  /// Calls a closure whose waiting ends at a deadline.
  func waiting<Result>(
    until deadline: ContinuousClock.Instant, _ body: () throws -> Result
  ) rethrows -> Result {
    state.withLock { $0.deadline = deadline }
    defer { state.withLock { $0.deadline = nil } }
    return try body()
  }

  /// Pauses before another attempt, unless the time is over.
  ///
  /// - Parameter attempts: The number of earlier failed attempts; 0 begins a wait.
  /// - Returns: Whether to try again.
  func goesOn(after attempts: Int) -> Bool {
    let end = state.withLock { state in
      if attempts == 0 { state.end = state.deadline ?? .now + .seconds(timeout) }
      return state.end
    }
    guard .now < end else { return false }
    Self.pause()
    return true
  }

  /// Waits a moment, for a random time, so that waiting processes don't keep disturbing each other.
  static func pause() {
    usleep(.random(in: 300...1_500))
  }

  /// Retries a closure while another process has the file locked, until the time is over.
  ///
  /// SQLite itself doesn't wait if two connections would wait for each other, or to change the journal mode.
  func retrying<Result>(_ body: () throws -> Result) throws -> Result {
    let end = ContinuousClock.now + .seconds(timeout)
    while true {
      do {
        return try body()
      } catch let error as DatabaseError where error.isOfLocks && .now < end {
        usleep(.random(in: 1_000...10_000))
      } catch let error as JournalError where error.kind == .busy && .now < end {
        usleep(.random(in: 1_000...10_000))
      }
    }
  }
}

/// A turnstile that lets one writer at a time be next, so that one that has just written doesn't get ahead of the
/// others.
///
/// It is a lock on the file's log, which SQLite doesn't lock.
final class WriteTurnstile: Sendable {
  private let descriptor: Int32

  /// In microseconds: many waiting processes shouldn't keep the processors busy.
  private static let longestPause: UInt32 = 8_000

  /// Nil if the log can't be opened.
  init?(path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Waits for its turn, and returns whether it came in time.
  func enter(until deadline: ContinuousClock.Instant) -> Bool {
    var pause: UInt32 = 500
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      // A file system without such locks has no turns.
      guard errno == EWOULDBLOCK || errno == EINTR else { return true }
      guard .now < deadline else { return false }
      // A process that has just written waits as long as the others.
      usleep(.random(in: pause / 2...pause))
      pause = min(2 * pause, Self.longestPause)
    }
    return true
  }

  /// Lets the next writer in.
  func leave() {
    flock(descriptor, LOCK_UN)
  }
}

extension DatabaseError {
  /// Whether the operation needs locks that others hold for now.
  var isOfLocks: Bool {
    [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL].contains(resultCode)
  }
}

extension JournalError {
  init(_ error: DatabaseError, path: String, isWriting: Bool) {
    let message = error.words
    switch error.resultCode {
    case _ where error.isOfLocks:
      self = .busy(path)
    case .SQLITE_READONLY, .SQLITE_FULL:
      self = .unwritable(path, reason: message)
    case _ where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
      self = .unwritable(path, reason: "the disk is full")
    case .SQLITE_CANTOPEN where access(path, R_OK) == 0:
      // SQLite would have to create files beside it.
      self = .unwritable(path, reason: message)
    case .SQLITE_ERROR:
      // Our statements are valid if the tables exist.
      self = .damaged(path, reason: "\(message). Nothing was changed; \(SQLiteJournal.advice)")
    case _ where error.isOfDamage:
      self = .damaged(path, reason: "\(message). It is repaired when it is opened again")
    default:
      self = isWriting ? .unwritable(path, reason: message) : .unreadable(path, reason: message)
    }
  }
}

extension DatabaseError {
  /// SQLite's message.
  var words: String { message.map(ExternalText.quoted) ?? "SQLite can't read or write it" }

  /// Whether the file isn't as SQLite wrote it.
  var isOfDamage: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }
}
