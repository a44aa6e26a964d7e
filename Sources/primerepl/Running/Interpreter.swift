import ArgumentParser
import Bridge
import Domain
import Foundation
import Lua

/// The Lua state of the command, with the app in it, and what runs code there so that Ctrl-C stops it.
@MainActor
final class Interpreter {
  let state: LuaState
  let session: AppSession

  /// The session's file; nil where it is in memory only.
  let savedSession: SavedSession?

  /// Shows the user a message that no code has asked for.
  var notify: (String) -> Void = Diagnostics.note {
    didSet { savedSession?.notify = notify }
  }

  private let interrupts: InterruptSignal

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
  ///   - limits: What code may use up.
  /// - Throws: `WolframError` if the environment names an address that can't be one.
  init(
    environment: [String: String], savedSession: SavedSession?, sandboxed: Bool, limits: Limits
  ) throws {
    state = try LuaState(libraries: sandboxed ? .sandbox : .all)
    let services = Services(
      primes: LocalPrimes(helper: Self.primeHelper),
      wolfram: WolframClient(configuration: try .init(environment: environment)),
      sources: sandboxed ? .refusing : SourceLoader(),
      exports: sandboxed ? .refusing : ExportFiles(),
      identifiers: savedSession?.identifiers ?? SequentialIdentifiers())
    session = try AppSession(
      in: state, store: savedSession?.store ?? Store(), services: services,
      save: savedSession.map { savedSession in
        { try MainActor.assumeIsolated { try savedSession.saveNow() } }
      })
    self.savedSession = savedSession
    try state.limitMemory(to: limits.memory)
    state.limitTime(to: limits.seconds.map { .seconds($0) })
    interrupts = try InterruptSignal(stopping: state.interrupter())
    if savedSession != nil, !sandboxed { try saveAtExit() }
    session.store.onObserverFailure = { [unowned self] error in
      // A stop goes on, and is reported, in the code whose action the observer heard of.
      guard !Diagnostics.isStop(error) else { return }
      notify(Diagnostics.text(of: error))
      hasFailedObserver = true
    }
  }

  /// Makes `os.exit`, which ends the process from within, save the session before.
  private func saveAtExit() throws {
    let hook = LuaModule("session", help: "The session's file.")
    hook.function("save", help: "Saves the session.", example: "save()") { [savedSession] () in
      MainActor.assumeIsolated { savedSession?.finish() ?? true }
    }
    let saveFunction = try state.makeTable(hook).get("save", as: LuaFunction.self)
    let wrap = """
      local save, exit = ..., os.exit
      function os.exit(status, ...)
        if not save() and (status == nil or status == true or status == 0) then status = false end
        exit(status, ...)
      end
      """
    try state.load(wrap, name: .text("session")).call(saveFunction)
  }

  /// Closes the state; a script's finalizers run then, which Ctrl-C stops.
  func close() {
    state.close()
    interrupts.uninstall()
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
      try table.set(position - script, to: argument)
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
    try await interrupts.whileIdle {
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
    let task = try state.start(function, arguments)
    return try await interrupts.whileIdle {
      task.stop()
    } await: {
      try await task.value()
    }
  }

  /// Waits for all tasks, and throws if anything failed that nobody waited for.
  func finishTasks() async throws {
    var isStopped = false
    let failures = await interrupts.whileIdle { [state] in
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

  /// Reads a line; at Ctrl-C the reader drops what was typed.
  func readLine(from reader: any LineReader, prompt: String) async throws -> LineInput {
    try await interrupts.whileIdle {
      reader.interrupt()
    } await: {
      try await reader.readLine(prompt: prompt)
    }
  }

  /// The command itself, as the process that computes large primes.
  private static var primeHelper: PrimeHelper? {
    executable.map { PrimeHelper(executable: $0, arguments: [PrimeHelperCommand.name]) }
  }

  private static var executable: String? {
    #if os(Linux)
      // Bundle.main would add a tenth to the time it takes to start.
      "/proc/self/exe"
    #else
      Bundle.main.executablePath
    #endif
  }
}
