import Lua
import PrimereplFoundation
import PrimereplLineEditing
import PrimereplPlatform
import StateStore
import Synchronization

/// Ends the process if code doesn't stop when it should, because it is in a C function that never returns to Lua, or if its
/// stop can't be reported, because nobody reads the output.
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
  private let session: Session?
  /// The time that code may take; nil if only a signal stops it.
  private let timeLimit: Duration?
  private let wakePipe: WakePipe

  /// Whether the session was saved; nil before the attempt.
  private let outcome = Mutex<Bool?>(nil)

  /// Whether the code is a line of the prompt, which continues after Ctrl-C if it can.
  private let isAtPrompt = Atomic<Bool>(false)

  /// The status with which the process ends since its code was stopped; 0 if it wasn't.
  private let stopStatus = Atomic<Int32>(EXIT_SUCCESS)

  /// Whether another one has taken over.
  private let hasEnded = Atomic<Bool>(false)

  init(
    stopping interrupter: LuaInterrupter, _ appInterrupter: LuaInterrupter? = nil,
    session: Session?, timeLimit: Duration?
  ) throws {
    self.interrupter = interrupter
    self.appInterrupter = Mutex(appInterrupter)
    self.session = session
    self.timeLimit = timeLimit
    wakePipe = try WakePipe()
    try SystemThread.start { [self] in watch() }
  }

  /// Watches the code of another app from now on.
  func setAppInterrupter(_ appInterrupter: LuaInterrupter?) {
    self.appInterrupter.withLock { $0 = appInterrupter }
  }

  /// Marks that the prompt's code runs from now on; the prompt continues after a stop.
  func beginPrompt() {
    isAtPrompt.store(true, ordering: .relaxed)
    stopStatus.store(EXIT_SUCCESS, ordering: .relaxed)
  }

  /// Records that the code was stopped: the process ends when that is reported.
  func recordStop(_ error: LuaError) {
    stopStatus.store(Diagnostics.status(of: error).rawValue, ordering: .relaxed)
    wakePipe.wake(WakePipe.look)
  }

  /// Records a Ctrl-C; async-signal-safe.
  func recordInterrupt() { wakePipe.wake(UInt8(SIGINT)) }

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
        if !session.isSavingNow && OutputWait.abandon() || interrupter.abandon() {
          let isSaved = saveAtExit(session)
          outcome = isSaved
          return isSaved
        }
        usleep(50_000)
      }
      return false
    }
  }

  private func saveAtExit(_ session: Session) -> Bool {
    do {
      try session.saveAtExit()
      return true
    } catch {
      Diagnostics.printWithoutWaiting(error.userMessage)
      return false
    }
  }

  // MARK: - The thread

  private func watch() {
    var hasWarned = false
    var lastInterrupt = ContinuousClock.now - Self.patience
    var interruptedWrites = 0
    while !hasEnded.load(ordering: .relaxed) {
      var waited = [pollfd(fd: wakePipe.readEnd, events: Int16(POLLIN), revents: 0)]
      // The signal that woke this thread may not have reached the code yet.
      let isQuiet =
        timeLimit == nil && pendingStop == nil && interruptedWrites == 0
        && stopStatus.load(ordering: .relaxed) == EXIT_SUCCESS
        && .now - lastInterrupt > Self.patience
      poll(&waited, 1, isQuiet ? -1 : Self.interval)
      var isInterrupted = false
      while let reason = wakePipe.take() {
        isInterrupted = isInterrupted || reason == UInt8(SIGINT)
      }
      if isInterrupted { lastInterrupt = .now }
      if let wait = OutputWait.duration {
        if isInterrupted { interruptedWrites += 1 }
        endUnread(after: wait, interrupts: interruptedWrites)
      } else {
        interruptedWrites = 0
      }
      guard let stop = pendingStop else {
        hasWarned = false
        continue
      }
      // The termination handler has its own patience, and a save always ends.
      if TerminationHandler.isEnding || session?.isSavingNow == true {
        continue
      }
      guard stop.duration > Self.patience else { continue }
      if !canContinue(after: stop) || hasWarned && isInterrupted {
        end(after: stop)
      } else if !hasWarned {
        hasWarned = true
        Diagnostics.printWithoutWaiting(
          "the code is in a function that can't be stopped: Ctrl-C again ends \(CurrentProcess.name)"
        )
      }
    }
  }

  /// Ends the process if its code was stopped, or should be, and nobody reads what it writes for too long.
  private func endUnread(after wait: Duration, interrupts: Int) {
    guard wait > Self.patience else { return }
    let isAtPrompt = isAtPrompt.load(ordering: .relaxed)
    var status = stopStatus.load(ordering: .relaxed)
    if status == EXIT_SUCCESS, let stop = pendingStop, !canContinue(after: stop) {
      // The code has called what writes, such as the report of a subscriber's failure.
      status = Self.status(after: stop)
    } else if status == EXIT_SUCCESS {
      if interrupts >= (isAtPrompt ? 2 : 1) {
        status = Diagnostics.interruption.rawValue
      } else if let timeLimit, !isAtPrompt, wait > timeLimit + Self.patience {
        status = EXIT_FAILURE
      } else {
        return
      }
    }
    guard OutputWait.abandon() else { return }
    let isSaved = session?.isSavingNow != true && saveSession()
    Diagnostics.printWithoutWaiting(
      "nobody reads the output, so \(CurrentProcess.name) ends\(Self.ending(session, isSaved))")
    Terminal.restore()
    _exit(status)
  }

  /// Whether the prompt continues after a stop, if it can.
  private func canContinue(after stop: LuaInterrupter.PendingStop) -> Bool {
    isAtPrompt.load(ordering: .relaxed) && stop.code == .interrupted
  }

  private static func status(after stop: LuaInterrupter.PendingStop) -> Int32 {
    stop.code == .interrupted ? Diagnostics.interruption.rawValue : EXIT_FAILURE
  }

  private static func ending(_ session: Session?, _ isSaved: Bool) -> String {
    if session == nil { return "" }
    return isSaved ? "; the session is saved" : "; changes since the last save are lost"
  }

  private func end(after stop: LuaInterrupter.PendingStop) {
    let isSaved = saveSession()
    // The code may have stopped at the last moment.
    guard pendingStop != nil else { return }
    let reason = stop.code == .interrupted ? "interrupted" : "stopped: it exceeded its limit"
    Diagnostics.printWithoutWaiting(
      "\(reason) in a function that can't be stopped, so \(CurrentProcess.name) ends"
        + Self.ending(session, isSaved))
    Terminal.restore()
    _exit(Self.status(after: stop))
  }
}
