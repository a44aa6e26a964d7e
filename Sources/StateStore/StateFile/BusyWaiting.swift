import Foundation
import GRDB
import Synchronization

/// How long a connection waits for others that have the file locked.
///
/// It looks often: SQLite's own way of waiting looks ever more seldom, and misses the moments between the commits of others
/// that go on writing.
final class BusyWaiting: Sendable {
  /// How many seconds to wait, unless somebody says otherwise.
  let timeout: TimeInterval

  private struct State {
    /// Until when to wait; nil for the usual time from now.
    var deadline: ContinuousClock.Instant?
    /// Until when this wait goes on.
    var end = ContinuousClock.now
  }

  private let state = Mutex(State())

  init(timeout: TimeInterval) {
    self.timeout = timeout
  }

  /// Does something that waits until then, and no longer.
  func waiting<Result>(
    until deadline: ContinuousClock.Instant, _ body: () throws -> Result
  ) rethrows -> Result {
    state.withLock { $0.deadline = deadline }
    defer { state.withLock { $0.deadline = nil } }
    return try body()
  }

  /// Pauses before another attempt, unless the time is over.
  ///
  /// - Parameter attempts: How often it was tried in vain before this one.
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

  /// Waits a moment; not all for the same time, else they would go on disturbing each other.
  static func pause() {
    usleep(.random(in: 300...1_500))
  }

  /// Does something again and again while another process has the file locked, until the time is over.
  ///
  /// SQLite doesn't wait where two would wait for each other, or to change the kind of log.
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

/// The place where those stand who write next to a file: one at a time, so that whoever has just written doesn't get
/// before those who wait.
///
/// It is a lock on the file's log, on which SQLite has none.
final class WriteTurnstile: Sendable {
  private let descriptor: Int32

  /// Microseconds: many that wait shouldn't keep the processors busy.
  private static let longestPause: UInt32 = 8_000

  /// Nil where the log can't be opened.
  init?(path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Waits for its turn.
  ///
  /// - Returns: Whether it came in time.
  func enter(until deadline: ContinuousClock.Instant) -> Bool {
    var pause: UInt32 = 500
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      // Where the file system has no such locks, there is no order.
      guard errno == EWOULDBLOCK || errno == EINTR else { return true }
      guard .now < deadline else { return false }
      // Whoever just wrote has to wait as long as others that wait.
      usleep(.random(in: pause / 2...pause))
      pause = min(2 * pause, Self.longestPause)
    }
    return true
  }

  /// Lets the next one in.
  func leave() {
    flock(descriptor, LOCK_UN)
  }
}

extension DatabaseError {
  /// Whether others have locks that this would need, which they give back.
  var isOfLocks: Bool {
    [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL].contains(resultCode)
  }
}

extension JournalError {
  /// What a failure of SQLite means for a journal.
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
      // SQLite would have to make files beside it.
      self = .unwritable(path, reason: message)
    case .SQLITE_ERROR:
      // Our statements are right where the tables are.
      self = .damaged(path, reason: "\(message). Nothing was changed; \(SQLiteJournal.advice)")
    case _ where error.isOfDamage:
      self = .damaged(path, reason: "\(message). It is repaired when it is opened again")
    default:
      self = isWriting ? .unwritable(path, reason: message) : .unreadable(path, reason: message)
    }
  }
}

extension DatabaseError {
  /// What SQLite says.
  var words: String { message.map(ExternalText.quoted) ?? "SQLite can't read or write it" }

  /// Whether the file isn't as SQLite made it.
  var isOfDamage: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }
}
