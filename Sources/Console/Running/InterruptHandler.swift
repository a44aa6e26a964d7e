import Lua
import PrimereplFoundation
import PrimereplPlatform
import Synchronization

/// Ctrl-C: stops the Lua code that runs or, if none runs, the command's waiting.
@MainActor
final class InterruptHandler {
  // Safe: these are written before the handler is installed, and only read afterwards.
  private nonisolated(unsafe) static var interrupter: LuaInterrupter?
  private nonisolated(unsafe) static var wakePipe: WakePipe?
  private nonisolated(unsafe) static var watchdog: Watchdog?

  /// The address of the interrupter of the app's code, which changes when its files are reloaded; 0 for none.
  ///
  /// None is ever released, as the signal handler may be using it.
  private nonisolated static let appInterrupter = Atomic<UInt>(0)

  /// Whether waiting code should stop as soon as it continues, even if that is before the main actor can stop it.
  private nonisolated static let stopsNext = Atomic<Bool>(false)

  private var whenIdle: (@MainActor () -> Void)?

  /// Handles SIGINT from now on; a process has one handler.
  ///
  /// - Parameters:
  ///   - interrupter: Stops the code of scripts, and what it calls.
  ///   - appInterrupter: Stops code of the app that runs although no script does, such as a derived value that the prompt
  ///     shows.
  ///   - watchdog: Watches whether scripts stop.
  /// - Throws: `SystemCallError`.
  init(
    stopping interrupter: LuaInterrupter, _ appInterrupter: LuaInterrupter?, watchdog: Watchdog
  ) throws {
    let pipe = try WakePipe()
    Self.interrupter = interrupter
    setAppInterrupter(appInterrupter)
    Self.wakePipe = pipe
    Self.watchdog = watchdog
    MainLoop.watch(pipe.readEnd) { [weak self] in
      pipe.drain()
      interrupter.withdrawInterrupt()
      self?.whenIdle?()
    }
    // Without SA_RESTART: Ctrl-C also stops a script that waits in a system call, as io.read does.
    Signal.setHandler(of: SIGINT) { InterruptHandler.handle($0) }
  }

  /// Stops the code of another app from now on.
  func setAppInterrupter(_ interrupter: LuaInterrupter?) {
    Self.appInterrupter.store(
      interrupter.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0,
      ordering: .releasing)
  }

  /// Takes a Ctrl-C that came while no code ran.
  static func takeInterrupt() -> Bool { wakePipe?.take() != nil }

  /// Lets Ctrl-C end the process again.
  func uninstall() {
    signal(SIGINT, SIG_DFL)
  }

  /// Waits for an operation; Ctrl-C runs an action instead if no Lua code runs.
  func whileIdle<Result>(
    _ action: @escaping @MainActor () -> Void, await operation: () async throws -> Result
  ) async rethrows -> Result {
    let outer = whenIdle
    whenIdle = action
    defer { whenIdle = outer }
    return try await operation()
  }

  /// Waits for Lua code; if the code waits, Ctrl-C runs an action and stops the code as soon as it continues.
  func whileCodeRuns<Result>(
    _ action: @escaping @MainActor () -> Void, await operation: () async throws -> Result
  ) async rethrows -> Result {
    let outer = Self.stopsNext.exchange(true, ordering: .relaxed)
    defer {
      Self.stopsNext.store(outer, ordering: .relaxed)
      // A Ctrl-C that has stopped the code doesn't apply to what follows.
      if Self.interrupter?.withdrawInterrupt() == false { Self.wakePipe?.drain() }
    }
    return try await whileIdle(action, await: operation)
  }

  /// Async-signal-safe.
  private nonisolated static func handle(_ number: Int32) {
    let stopsNext = stopsNext.load(ordering: .relaxed)
    // Even where no code runs, the main thread may wait for a reader of its output.
    watchdog?.recordInterrupt()
    switch stopsNext ? interrupter?.interruptNowOrNext() : interrupter?.interrupt() {
    case .stopping: break
    case .idle, nil:
      if !stopAppCode() { wakePipe?.wake(UInt8(truncatingIfNeeded: number)) }
    }
  }

  /// Stops the code that runs, if any does; called on any thread.
  nonisolated static func stopRunningCode() {
    if interrupter?.interrupt() != .stopping { _ = stopAppCode() }
  }

  /// Stops code of the app that no script has called, and says whether there was any; async-signal-safe.
  private nonisolated static func stopAppCode() -> Bool {
    guard let app = UnsafeRawPointer(bitPattern: appInterrupter.load(ordering: .acquiring)) else {
      return false
    }
    return Unmanaged<LuaInterrupter>.fromOpaque(app).takeUnretainedValue().interrupt() == .stopping
  }
}
