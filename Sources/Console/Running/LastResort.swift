import StateStore
import Foundation
import Lua
import Synchronization

/// Ends the process when code doesn't stop that was told to: when it is in a function of C that never returns to Lua.
///
/// A thread of its own looks for that, as the main thread runs the code. It saves the session first. Where the system gives
/// no thread, a second Ctrl-C ends the process at once, and nothing else does.
final class LastResort: Sendable {
  /// How long code may take to stop.
  private static let patience = Duration.seconds(1)
  /// After this time a second Ctrl-C ends the process; sooner it may be the same key.
  private static let impatience = Duration.milliseconds(250)
  /// How often it is looked whether code has stopped that was told to, in milliseconds.
  private static let interval: Int32 = 100

  private let interrupter: LuaInterrupter
  private let savedSession: SavedSession?
  /// Whether code may be told to stop that no signal tells of.
  private let hasTimeLimit: Bool
  private let wakePipe: WakePipe

  /// Whether the session was saved, once it was tried.
  private let outcome = Mutex<Bool?>(nil)

  /// Whether the code is a line of the prompt, which goes on after Ctrl-C, if it can.
  private let isAtPrompt = Atomic<Bool>(false)
  /// Whether there is a thread that looks.
  private let isWatching = Atomic<Bool>(false)

  /// Starts to look.
  ///
  /// - Throws: `LineEditorError` where there is no pipe to be had.
  init(
    stopping interrupter: LuaInterrupter, savedSession: SavedSession?, hasTimeLimit: Bool
  ) throws {
    self.interrupter = interrupter
    self.savedSession = savedSession
    self.hasTimeLimit = hasTimeLimit
    wakePipe = try WakePipe()
    isWatching.store(startThread(), ordering: .relaxed)
  }

  /// From now on the code is that of the prompt.
  func noteThatPromptRuns() { isAtPrompt.store(true, ordering: .relaxed) }

  /// Hears that Ctrl-C came while code ran; async-signal-safe.
  ///
  /// - Returns: Whether anybody looks what becomes of it.
  func noteInterrupt() -> Bool {
    wakePipe.wake(UInt8(SIGINT))
    return isWatching.load(ordering: .relaxed)
  }

  /// Saves the session while the main thread is kept from returning to Swift.
  ///
  /// - Returns: Whether there is nothing left to save.
  func saveSession() -> Bool {
    guard let savedSession else { return true }
    return outcome.withLock { outcome in
      if let outcome { return outcome }
      // A function of ours that runs is waited for a while: it returns. One that saves has longer to do it.
      for attempt in 0..<160 where attempt < 20 || savedSession.isSaving.load(ordering: .relaxed) {
        if interrupter.abandon() {
          let isSaved = saveForLastTime(savedSession)
          outcome = isSaved
          return isSaved
        }
        usleep(50_000)
      }
      return false
    }
  }

  private func saveForLastTime(_ savedSession: SavedSession) -> Bool {
    do {
      try savedSession.saveForLastTime()
      return true
    } catch {
      Diagnostics.noteWithoutWaiting("\(error)")
      return false
    }
  }

  // MARK: - The thread

  private func startThread() -> Bool {
    let thread = Unmanaged.passRetained(self)
    do {
      try Threads.detach(
        { context in
          #if !canImport(Darwin)
            guard let context else { return nil }
          #endif
          Unmanaged<LastResort>.fromOpaque(context).takeRetainedValue().watch()
          return nil
        }, thread.toOpaque())
      return true
    } catch {
      // Then a second Ctrl-C is the last resort.
      thread.release()
      return false
    }
  }

  /// Looks for as long as the process lives.
  private func watch() {
    var isTold = false
    var interruptCount = 0
    var lastInterrupt = ContinuousClock.now - Self.patience
    while true {
      var waited = [pollfd(fd: wakePipe.readEnd, events: Int16(POLLIN), revents: 0)]
      // The signal that woke this thread may be on its way to the code.
      let isQuiet =
        !hasTimeLimit && interrupter.pendingStop == nil && .now - lastInterrupt > Self.patience
      poll(&waited, 1, isQuiet ? -1 : Self.interval)
      let isInterrupted = wakePipe.take() != nil
      wakePipe.drain()
      if isInterrupted { lastInterrupt = .now }
      guard let stop = interrupter.pendingStop else {
        isTold = false
        interruptCount = isInterrupted ? 1 : 0
        continue
      }
      // Who ends the process for another reason has its own patience, and a save comes to its end.
      if EndingSignals.isEnding || savedSession?.isSaving.load(ordering: .relaxed) == true {
        continue
      }
      if isInterrupted { interruptCount += 1 }
      let isAsked = isTold ? isInterrupted : interruptCount > 1 && stop.duration > Self.impatience
      if isAtPrompt.load(ordering: .relaxed), stop.code == .interrupted, !isAsked {
        guard stop.duration > Self.patience, !isTold else { continue }
        isTold = true
        Diagnostics.noteWithoutWaiting(
          "the code is in a function that can't be stopped: Ctrl-C again ends \(Console.current.name)"
        )
      } else if isAsked || stop.duration > Self.patience {
        end(after: stop)
      }
    }
  }

  private func end(after stop: LuaInterrupter.PendingStop) {
    let isSaved = saveSession()
    // It may have stopped in the last moment.
    guard interrupter.pendingStop != nil else { return }
    let reason = stop.code == .interrupted ? "interrupted" : "stopped: it took more than its limit"
    let session =
      savedSession == nil
      ? "" : isSaved ? "; the session is saved" : "; what was done since the last save is lost"
    Diagnostics.noteWithoutWaiting(
      "\(reason) in a function that can't be stopped, so \(Console.current.name) ends\(session)")
    TerminalModes.restore()
    _exit(stop.code == .interrupted ? Diagnostics.interruption.rawValue : EXIT_FAILURE)
  }
}
