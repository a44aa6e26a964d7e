import Foundation
import LineEditing
import Lua
import StateStore
import Synchronization
import Platform

/// Ends the process if code doesn't stop when it should, because it is in a C function that never returns to Lua.
///
/// It has its own thread, since the main thread runs the code. It saves the session first.
final class Watchdog: Sendable {
  /// The time that code has to stop.
  private static let patience = Duration.seconds(1)
  /// The milliseconds between checks whether code has stopped.
  private static let interval: Int32 = 100

  /// Stops the code of scripts.
  private let interrupter: LuaInterrupter
  /// Stops the code of the app's files.
  private let appInterrupter: Mutex<LuaInterrupter?>
  private let session: (any SessionStorage)?
  /// Whether code may be stopped without a signal.
  private let hasTimeLimit: Bool
  private let wakePipe: WakePipe

  /// Whether the session was saved; nil before the attempt.
  private let outcome = Mutex<Bool?>(nil)

  /// Whether the code is a line of the prompt, which continues after Ctrl-C if it can.
  private let isAtPrompt = Atomic<Bool>(false)

  /// Whether another one has taken over.
  private let hasEnded = Atomic<Bool>(false)

  /// Starts to watch the code of scripts, and that of an app's files.
  init(
    stopping interrupter: LuaInterrupter, _ appInterrupter: LuaInterrupter? = nil,
    session: (any SessionStorage)?, hasTimeLimit: Bool
  ) throws {
    self.interrupter = interrupter
    self.appInterrupter = Mutex(appInterrupter)
    self.session = session
    self.hasTimeLimit = hasTimeLimit
    wakePipe = try WakePipe()
    try SystemThread.start { [self] in watch() }
  }

  /// Watches the code of another app from now on.
  func use(_ appInterrupter: LuaInterrupter?) {
    self.appInterrupter.withLock { $0 = appInterrupter }
  }

  /// Notes that the prompt's code runs from now on.
  func notePrompt() { isAtPrompt.store(true, ordering: .relaxed) }

  /// Notes a Ctrl-C while code runs; async-signal-safe.
  func noteInterrupt() { wakePipe.wake(UInt8(SIGINT)) }

  /// Ends watching.
  func end() {
    hasEnded.store(true, ordering: .relaxed)
    wakePipe.wake(WakePipe.look)
  }

  private var pendingStop: LuaInterrupter.PendingStop? {
    interrupter.pendingStop ?? appInterrupter.withLock { $0?.pendingStop }
  }

  /// Saves the session while the main thread is kept from returning to Swift; returns whether nothing is left to save.
  func saveSession() -> Bool {
    guard let session else { return true }
    return outcome.withLock { outcome in
      if let outcome { return outcome }
      // A running Swift function is given time to return, and more time while it saves.
      for attempt in 0..<160 where attempt < 20 || session.isSavingNow {
        if interrupter.abandon() {
          let isSaved = saveAtExit(session)
          outcome = isSaved
          return isSaved
        }
        usleep(50_000)
      }
      return false
    }
  }

  private func saveAtExit(_ session: any SessionStorage) -> Bool {
    do {
      try session.saveAtExit()
      return true
    } catch {
      Diagnostics.noteWithoutWaiting(error.userMessage)
      return false
    }
  }

  // MARK: - The thread

  /// Watches until the end, or for as long as the process lives.
  private func watch() {
    var hasWarned = false
    var lastInterrupt = ContinuousClock.now - Self.patience
    while !hasEnded.load(ordering: .relaxed) {
      var waited = [pollfd(fd: wakePipe.readEnd, events: Int16(POLLIN), revents: 0)]
      // The signal that woke this thread may not have reached the code yet.
      let isQuiet =
        !hasTimeLimit && pendingStop == nil && .now - lastInterrupt > Self.patience
      poll(&waited, 1, isQuiet ? -1 : Self.interval)
      let isInterrupted = wakePipe.take() != nil
      wakePipe.drain()
      if isInterrupted { lastInterrupt = .now }
      guard let stop = pendingStop else {
        hasWarned = false
        continue
      }
      // The termination handler has its own patience, and a save always ends.
      if TerminationHandler.isEnding || session?.isSavingNow == true {
        continue
      }
      guard stop.duration > Self.patience else { continue }
      let canContinue = isAtPrompt.load(ordering: .relaxed) && stop.code == .interrupted
      if !canContinue || hasWarned && isInterrupted {
        end(after: stop)
      } else if !hasWarned {
        hasWarned = true
        Diagnostics.noteWithoutWaiting(
          "the code is in a function that can't be stopped: Ctrl-C again ends \(CurrentProcess.name)"
        )
      }
    }
  }

  private func end(after stop: LuaInterrupter.PendingStop) {
    let isSaved = saveSession()
    // The code may have stopped at the last moment.
    guard pendingStop != nil else { return }
    let reason = stop.code == .interrupted ? "interrupted" : "stopped: it exceeded its limit"
    let session =
      self.session == nil
      ? "" : isSaved ? "; the session is saved" : "; changes since the last save are lost"
    Diagnostics.noteWithoutWaiting(
      "\(reason) in a function that can't be stopped, so \(CurrentProcess.name) ends\(session)")
    Terminal.restore()
    _exit(stop.code == .interrupted ? Diagnostics.interruption.rawValue : EXIT_FAILURE)
  }
}
