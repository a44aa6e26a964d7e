import ArgumentParser
import Scripting
import StateStore
import Foundation
import Lua

/// The Lua state of the command, with the app in it, and what runs code there so that Ctrl-C stops it.
@MainActor
final class Interpreter {
  let state: LuaState
  let session: ScriptedApp

  /// The session's file; nil where it is in memory only.
  let savedSession: SavedSession?

  /// Shows the user a message that no code has asked for.
  var notify: (String) -> Void = Diagnostics.note {
    didSet { savedSession?.notify = notify }
  }

  private let interrupts: InterruptSignal
  private let lastResort: LastResort

  /// Saves the session before a signal ends the process; nil where it is in memory only.
  let endingSignals: EndingSignals?

  /// Whether a subscriber of the store failed, which is reported at once and doesn't stop the script.
  private var hasFailedObserver = false

  /// What code may use up; `nil` for any.
  struct Limits {
    /// Bytes.
    let memory: Int?
    let seconds: Double?
  }

  /// Makes an interpreter.
  ///
  /// - Parameters:
  ///   - environment: The process's.
  ///   - savedSession: The session to go on with; nil for one in memory.
  ///   - sandboxed: Whether code reaches nothing outside.
  ///   - allowsNetwork: Whether sandboxed code reaches the network all the same.
  ///   - limits: What code may use up.
  /// - Throws: ``LuaError`` when memory is short.
  init(
    environment: [String: String], savedSession: SavedSession?, sandboxed: Bool,
    allowsNetwork: Bool, limits: Limits
  ) throws {
    state = try LuaState(libraries: sandboxed ? .sandbox : .all)
    let console = Console.current
    let schema = try console.schema
    let services = console.makeServices(
      ServiceOptions(
        environment: environment, isSandboxed: sandboxed, allowsNetwork: allowsNetwork,
        memoryLimit: limits.memory,
        identifiers: savedSession?.identifiers ?? SequentialIdentifiers()))
    session = try ScriptedApp(
      in: state, store: savedSession?.store ?? Store(schema), modules: console.modules(),
      services: services,
      save: savedSession.map { savedSession in
        { try MainActor.assumeIsolated { try savedSession.saveNow() } }
      })
    self.savedSession = savedSession
    try state.limitMemory(to: limits.memory, counting: .process)
    state.limitTime(to: limits.seconds.map { .seconds($0) })
    let interrupter = try state.interrupter()
    let lastResort = try LastResort(
      stopping: interrupter, savedSession: savedSession, hasTimeLimit: limits.seconds != nil)
    self.lastResort = lastResort
    interrupts = try InterruptSignal(stopping: interrupter, lastResort: lastResort)
    endingSignals = try savedSession.map { savedSession in
      try EndingSignals(stopping: interrupter, lastResort: lastResort) {
        _ = savedSession.finish()
      }
    }
    state.whenScriptExits { [savedSession, endingSignals] status, stop in
      MainActor.assumeIsolated {
        endingSignals?.endIfReceived()
        var status = status
        if let stop {
          Diagnostics.report(stop)
          status = Diagnostics.status(of: stop).rawValue
        }
        let isSaved = savedSession?.finish() ?? true
        endingSignals?.uninstall(isSaved: true)
        return isSaved || status != EXIT_SUCCESS ? status : EXIT_FAILURE
      }
    }
    session.store.onObserverFailure = { [unowned self] error in
      // A stop goes on, and is reported, in the code whose action the observer heard of.
      guard !(error is ObserverStopped) else { return }
      notify(Diagnostics.text(of: error))
      hasFailedObserver = true
    }
  }

  /// Closes the state; a script's finalizers run then.
  ///
  /// - Throws: ``LuaError`` if these were stopped.
  func close() throws {
    let stop = state.close()
    interrupts.uninstall()
    endingSignals?.endIfReceived()
    if let stop { throw stop }
  }

  /// Sets `arg` as the lua command does: the script at 0, its arguments after it, the command before it.
  ///
  /// - Parameters:
  ///   - arguments: all of the command line.
  ///   - count: how many of them, from the end, are the script and its arguments; `nil` without a script.
  /// - Throws: ``LuaError`` when memory is short.
  func setArguments(_ arguments: [String], script count: Int?) throws {
    let script = count.map { arguments.count - $0 } ?? 0
    let table = try state.makeTable([String]())
    for (position, argument) in arguments.enumerated() {
      try table.set(position - script, to: LuaString(bytes: argument.systemBytes))
    }
    try state.setGlobal("arg", to: table)
  }

  /// Loads a module into a global variable of its name, as `-l` does.
  func require(_ module: String) async throws {
    let source = "local name = ...; _G[name] = require(name)"
    try await run(Array(source.utf8), name: .text("(command line)"), arguments: [module])
  }

  /// Reads a script; Ctrl-C ends the command meanwhile, as there is nothing else to stop.
  ///
  /// - Parameter path: the script's file; `nil` for standard input.
  /// - Returns: the script.
  /// - Throws: `CommandError` if it can't be read.
  func readScript(_ path: String?) async throws -> ScriptSource {
    defer { endingSignals?.endIfReceived() }
    return try await interrupts.whileIdle {
      Diagnostics.report(CommandError.interrupted)
      exit(Diagnostics.interruption.rawValue)
    } await: {
      guard let path else { return try await ScriptSource.standardInput() }
      return try await ScriptSource.file(path)
    }
  }

  /// Runs a chunk to its end and returns its results.
  @discardableResult
  func run(_ source: [UInt8], name: ChunkName, arguments: [String] = []) async throws -> [LuaValue]
  {
    try await run(state.load(source, name: name), arguments)
  }

  /// Runs a function to its end and returns its results.
  @discardableResult
  func run(_ function: LuaFunction, _ arguments: [String] = []) async throws -> [LuaValue] {
    defer { endingSignals?.endIfReceived() }
    let task = try state.start(function, arguments.map { LuaString(bytes: $0.systemBytes) })
    return try await interrupts.whileCodeRuns {
      task.stop()
    } await: {
      try await task.value()
    }
  }

  /// Waits for all tasks, and throws if anything failed that nobody waited for.
  func finishTasks() async throws {
    defer { endingSignals?.endIfReceived() }
    var isStopped = false
    let failures = await interrupts.whileCodeRuns { [state] in
      isStopped = true
      state.stopTasks()
    } await: {
      await state.finishTasks()
    }
    for failure in failures where !failure.is(.interrupted) { Diagnostics.report(failure) }
    if isStopped || failures.contains(where: { $0.is(.interrupted) }) {
      throw LuaError(.interrupted, "interrupted")
    }
    if !failures.isEmpty || hasFailedObserver { throw ExitCode.failure }
  }

  /// From now on the code is that of the prompt, which goes on after Ctrl-C.
  func noteThatPromptRuns() { lastResort.noteThatPromptRuns() }

  /// Reads a line; at Ctrl-C the reader drops what was typed.
  func readLine(from reader: any LineReader, prompt: String) async throws -> LineInput {
    defer { endingSignals?.endIfReceived() }
    return try await interrupts.whileIdle {
      reader.interrupt()
    } await: {
      try await reader.readLine(prompt: prompt)
    }
  }
}
