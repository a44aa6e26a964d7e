import Dispatch
import Foundation
import Lua
import Synchronization

/// The signals that end a process: a session in a file is saved before they do.
///
/// Among them is SIGPIPE, which comes when the reader of the output is gone: the process then ends as other tools do, by that
/// signal and without a message. A session in memory has nothing to save, and needs none of this.
@MainActor
final class EndingSignals {
  private nonisolated static let all = [SIGHUP, SIGPIPE, SIGTERM, SIGXCPU]

  // Safe: these are written before the handler is installed, and only read after.
  private nonisolated(unsafe) static var interrupter: LuaInterrupter?
  private nonisolated(unsafe) static var wakePipe: WakePipe?

  /// The signal that came first; 0 before.
  private nonisolated static let received = Atomic<Int32>(0)
  /// Whether the session is being saved.
  private nonisolated static let isSaving = Atomic<Bool>(false)

  /// Whether one of the signals came.
  nonisolated static var isEnding: Bool { received.load(ordering: .relaxed) != 0 }

  /// What is done before the process ends besides saving, such as giving the terminal back.
  var beforeEnd: () -> Void = {}

  private let save: () -> Void
  private let wakes: any DispatchSourceRead

  /// Code that doesn't stop in so many seconds isn't waited for.
  private nonisolated static let patience = 2.0

  /// Handles the signals from now on, unless they are ignored, as by `nohup`.
  ///
  /// A process has one of these.
  ///
  /// - Parameters:
  ///   - interrupter: Stops the Lua code that runs.
  ///   - lastResort: Saves the session if that doesn't help.
  ///   - save: Saves the session for the last time.
  /// - Throws: `LineEditorError` where there is no pipe to be had.
  init(stopping interrupter: LuaInterrupter, lastResort: LastResort, save: @escaping () -> Void)
    throws
  {
    let pipe = try WakePipe()
    Self.interrupter = interrupter
    Self.wakePipe = pipe
    self.save = save
    // Another thread than the one that runs code, which may not stop.
    wakes = DispatchSource.makeReadSource(fileDescriptor: pipe.readEnd, queue: .global())
    wakes.setEventHandler(handler: Self.wakeHandler(of: self, pipe, lastResort))
    wakes.activate()
    for signal in Self.all { Self.install(signal) }
  }

  /// Has the main thread end the process as soon as no code runs there, or ends it without.
  private nonisolated static func wakeHandler(
    of signals: EndingSignals, _ pipe: WakePipe, _ lastResort: LastResort
  ) -> @Sendable () -> Void {
    { [weak signals] in
      pipe.drain()
      DispatchQueue.main.async { MainActor.assumeIsolated { signals?.endIfReceived() } }
      DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
        if isSaving.load(ordering: .relaxed) { return }
        _ = lastResort.saveSession()
        // It may have stopped in the last moment.
        if !isSaving.load(ordering: .relaxed) { end() }
      }
    }
  }

  private nonisolated static func install(_ signal: Int32) {
    var old = sigaction()
    guard sigaction(signal, nil, &old) == 0, !old.isIgnored else { return }
    var action = sigaction()
    action.setHandler { EndingSignals.handle($0) }
    // Without SA_RESTART: a script that waits in a system call, as io.read does, is to be stopped there.
    sigaction(signal, &action, nil)
  }

  /// Lets the signals end the process at once again, and does so if one came.
  ///
  /// - Parameter isSaved: Whether the session was saved for the last time already.
  func uninstall(isSaved: Bool) {
    endIfReceived(isSaved: isSaved)
    for number in Self.all {
      var old = sigaction()
      if sigaction(number, nil, &old) == 0, !old.isIgnored { signal(number, SIG_DFL) }
    }
  }

  /// Saves the session and ends the process, if one of the signals came.
  func endIfReceived(isSaved: Bool = false) {
    guard Self.isEnding else { return }
    Self.isSaving.store(true, ordering: .relaxed)
    if !isSaved { save() }
    beforeEnd()
    Self.end()
  }

  /// Ends the process by the signal that came.
  private nonisolated static func end() -> Never {
    TerminalModes.restore()
    let number = received.load(ordering: .relaxed)
    signal(number, SIG_DFL)
    // Dispatch blocks signals on its threads.
    var unblocked = sigset_t()
    sigemptyset(&unblocked)
    sigaddset(&unblocked, number)
    pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
    raise(number)
    // As shells tell of a process that a signal ended.
    _exit(128 + number)
  }

  /// Async-signal-safe.
  private nonisolated static func handle(_ number: Int32) {
    let (isFirst, first) = received.compareExchange(
      expected: 0, desired: number, ordering: .relaxed)
    if !isFirst, number == first, number != SIGPIPE {
      // Asked twice, the process ends at once.
      signal(number, SIG_DFL)
      raise(number)
      return
    }
    interrupter?.interrupt()
    wakePipe?.wake(UInt8(truncatingIfNeeded: number))
  }
}
