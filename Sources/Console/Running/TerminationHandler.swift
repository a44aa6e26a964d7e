import Dispatch
import Lua
import PrimereplFoundation
import PrimereplLineEditing
import PrimereplPlatform
import Synchronization

/// Saves a session in a file before a signal ends the process; for a session in memory there is none.
///
/// Among the signals is SIGPIPE, sent when the reader of the output is gone. The process then ends like other tools,
/// by that signal and without a message.
@MainActor
final class TerminationHandler {
  private nonisolated static let signals = [SIGHUP, SIGPIPE, SIGTERM, SIGXCPU]

  // Safe: these are written before the handler is installed, and only read afterwards.
  private nonisolated(unsafe) static var interrupter: LuaInterrupter?
  private nonisolated(unsafe) static var wakePipe: WakePipe?

  /// The first signal; 0 if none came.
  private nonisolated static let received = Atomic<Int32>(0)
  /// Whether the main thread is saving the session.
  private nonisolated static let isSaving = Atomic<Bool>(false)

  nonisolated static var isEnding: Bool { received.load(ordering: .relaxed) != 0 }

  /// Runs before the process ends, after the session is saved: for example to restore the terminal.
  var beforeEnd: () -> Void = {}

  private let save: () -> Void
  private let wakes: any DispatchSourceRead

  /// The seconds that code has to stop.
  private nonisolated static let patience = 2.0

  /// Handles the signals from now on, unless they are ignored, as by `nohup`; a process has one handler.
  init(stopping interrupter: LuaInterrupter, watchdog: Watchdog, save: @escaping () -> Void) throws
  {
    let pipe = try WakePipe()
    Self.interrupter = interrupter
    Self.wakePipe = pipe
    self.save = save
    // Not the thread that runs code, since the code may not stop.
    wakes = DispatchSource.makeReadSource(fileDescriptor: pipe.readEnd, queue: .global())
    wakes.setEventHandler(handler: Self.wakeHandler(of: self, pipe, watchdog))
    wakes.activate()
    for signal in Self.signals where Signal.action(of: signal) != nil {
      // Without SA_RESTART: the signal also stops a script that waits in a system call, as io.read does.
      Signal.setHandler(of: signal) { TerminationHandler.handle($0) }
    }
  }

  /// Ends the process on the main thread as soon as no code runs there, or else without it.
  private nonisolated static func wakeHandler(
    of handler: TerminationHandler, _ pipe: WakePipe, _ watchdog: Watchdog
  ) -> @Sendable () -> Void {
    { [weak handler] in
      pipe.drain()
      DispatchQueue.main.async { MainActor.assumeIsolated { handler?.endIfReceived() } }
      DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
        if isSaving.load(ordering: .relaxed) { return }
        _ = watchdog.saveSession()
        // The code may have stopped at the last moment.
        if !isSaving.load(ordering: .relaxed) { end() }
      }
    }
  }

  /// Lets the signals end the process at once again, and ends it if one came; the session must be saved already.
  func uninstall() {
    endIfReceived(isSaved: true)
    for number in Self.signals where Signal.action(of: number) != nil { signal(number, SIG_DFL) }
  }

  /// Saves the session and ends the process, if one of the signals came.
  func endIfReceived(isSaved: Bool = false) {
    guard Self.isEnding else { return }
    Self.isSaving.store(true, ordering: .relaxed)
    if !isSaved { save() }
    beforeEnd()
    Self.end()
  }

  private nonisolated static func end() -> Never {
    Terminal.restore()
    let number = received.load(ordering: .relaxed)
    signal(number, SIG_DFL)
    Signal.raise(number)
    // The status that shells report for a process ended by a signal.
    _exit(128 + number)
  }

  /// Async-signal-safe.
  private nonisolated static func handle(_ number: Int32) {
    let (isFirst, first) = received.compareExchange(
      expected: 0, desired: number, ordering: .relaxed)
    if !isFirst, number == first, number != SIGPIPE {
      // The same signal again ends the process at once.
      signal(number, SIG_DFL)
      raise(number)
      return
    }
    interrupter?.interrupt()
    wakePipe?.wake(UInt8(truncatingIfNeeded: number))
  }
}
