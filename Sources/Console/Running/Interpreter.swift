import ArgumentParser
import Lua
import PrimereplFoundation
import PrimereplPlatform
import PrimereplTerminal
import Scenarios
import Scripting
import StateStore

/// The command's Lua state with the app in it, where code runs so that Ctrl-C stops it.
@MainActor
final class Interpreter {
  private(set) var console: Console
  let state: LuaState
  let app: ScriptedApp

  let sources: SourceTexts
  private let isSandboxed: Bool

  /// Nil if the session is in memory only.
  let session: Session?

  var notify: (String) -> Void = Diagnostics.print {
    didSet { session?.notify = notify }
  }

  /// The actions of each command of the prompt, or of pages.
  var commands = CommandLog()

  /// Identifies the code of the app: it is another one after a reload.
  private(set) var appVersion = 1

  private let interrupts: InterruptHandler
  private let watchdog: Watchdog

  /// Nil without `--watch`.
  private(set) var appWatcher: AppWatcher?
  private let codeLimits: DeclaredApp.Limits

  /// Nil if the session is in memory only.
  let termination: TerminationHandler?

  /// The failures of subscribers, which are reported at once and don't stop the script.
  private var observerFailures = FailureReports()

  /// Makes an interpreter, whose code keeps to limits and a sandbox.
  ///
  /// A prompt describes all of the app's modules, for help and completion; a script those that it uses.
  init(
    of console: Console, in environment: [String: String], _ limits: CodeLimits,
    _ sandbox: CodeSandbox, session: Session?, forPrompt isForPrompt: Bool
  ) throws {
    self.console = console
    codeLimits = limits.ofApp
    isSandboxed = sandbox.isOn
    sources = SourceTexts(readsFiles: !sandbox.isOn)
    state = try LuaState(libraries: sandbox.isOn ? .sandbox : .all)
    let gauge = try state.memoryGauge()
    let options = ServiceOptions(
      environment: environment, documents: sandbox.documents { gauge.hasRoom(for: $0) },
      memoryLimit: limits.memory?.bytes)
    app = try ScriptedApp(
      in: state, store: session?.store ?? Store(console.schema.get()),
      modules: console.modules, environment: console.environment(options),
      save: session.map { session in
        { try MainActor.assumeIsolated { try session.saveOrThrow() } }
      }, describesModules: isForPrompt)
    app.enableScenarioExport()
    // As the lua command does: most garbage is young.
    try state.global("collectgarbage", as: LuaFunction.self).call("generational", as: Void.self)
    self.session = session
    session?.texts = app.texts
    session?.checkStop = { [state] in
      do {
        try state.checkStop()
      } catch let error as LuaError where error.is(.stateClosed) {
        // Its finalizers have run: there is no code to stop.
      }
      if InterruptHandler.takeInterrupt() { throw LuaError(.interrupted, "interrupted") }
    }
    try state.limitMemory(to: limits.memory?.bytes, counting: .process)
    state.limitTime(to: limits.time.map { .seconds($0) })
    let interrupter = try state.interrupter()
    let watchdog = try Watchdog(
      stopping: interrupter, console.appInterrupter, session: session, timeLimit: state.timeLimit)
    console.appWatchdog?.end()
    self.watchdog = watchdog
    interrupts = try InterruptHandler(
      stopping: interrupter, console.appInterrupter, watchdog: watchdog)
    termination = try session.map { session in
      try TerminationHandler(stopping: interrupter, watchdog: watchdog) { _ = session.close() }
    }
    state.whenScriptExits { [session, termination, store = app.store] status, stop in
      MainActor.assumeIsolated {
        do {
          // A script may end in the middle of a function: what that has done counts.
          try store.abandonGroup(isKept: stop == nil)
        } catch {
          Diagnostics.report(error)
        }
        termination?.endIfReceived()
        var status = status
        if let stop {
          watchdog.recordStop(stop)
          Diagnostics.report(stop)
          status = Diagnostics.status(of: stop).rawValue
        }
        let isSaved = session?.close() ?? true
        termination?.uninstall()
        return isSaved || status != EXIT_SUCCESS ? status : EXIT_FAILURE
      }
    }
    // The formatter is made when it is needed: it reads the names of Lua's functions.
    app.showing = { [unowned app, state] values in
      try MainActor.assumeIsolated {
        try ValueFormatter(app: app, state: state).whole(of: values)
      }
    }
    session?.onRebase = { [unowned self] earlier, positions in
      MainActor.assumeIsolated {
        commands.renumber(positions, from: earlier, to: app.store.contents)
      }
    }
    app.store.onObserverFailure = { [unowned self] error in
      // A stop is raised again, and reported, in the code whose action called the observer.
      guard !(error is ObserverStopped) else { return }
      if observerFailures.shouldReportNext() { notify(text(of: error)) }
    }
  }

  /// Makes an interpreter, does something with it, and closes it and its session.
  ///
  /// - Throws: The exit status of what failed, which is reported.
  static func using(
    _ session: Session?, of console: Console, in environment: [String: String],
    _ limits: CodeLimits, _ sandbox: CodeSandbox, forPrompt isForPrompt: Bool,
    _ body: (Interpreter) async throws -> Void
  ) async throws {
    let interpreter = try Interpreter(
      of: console, in: environment, limits, sandbox, session: session, forPrompt: isForPrompt)
    let autosave = session.map { session in Task { await session.autosave() } }
    // Errors are reported before the script's finalizers run.
    let status = await Diagnostics.status(describing: interpreter.text) {
      try await body(interpreter)
    }
    autosave?.cancel()
    session?.finish()
    let closingStatus = await Diagnostics.status { try interpreter.close() }
    // The finalizers may have changed the state.
    let isSaved = session?.close() ?? true
    interpreter.termination?.uninstall()
    if status != .success { throw status }
    if closingStatus != .success { throw closingStatus }
    if !isSaved { throw ExitCode.failure }
  }

  /// Closes the Lua state, which runs a script's finalizers; throws if they were stopped.
  func close() throws {
    let stop = state.close()
    reportRemainingFailures()
    interrupts.uninstall()
    termination?.endIfReceived()
    if let stop {
      watchdog.recordStop(stop)
      throw stop
    }
  }

  // MARK: - Errors

  var errorContext: ErrorReport.Context {
    ErrorReport.Context(
      names: KnownNames(state: state, modules: app.modules), sources: sources,
      isSandboxed: isSandboxed, appPaths: Set(console.appPaths),
      isSecret: { [app] in InputSecrets(of: app).mayBe(in: $0, hasFailed: true) })
  }

  func text(of error: any Error) -> String {
    guard let error = error as? LuaError else { return error.userMessage }
    var context = errorContext
    context.isScript = true
    return ErrorReport(error, in: nil, context).lines.map(\.text).joined(separator: "\n")
  }

  /// Reports the number of further failures of subscribers, and starts counting again.
  func reportRemainingFailures() {
    if let rest = observerFailures.rest(of: "subscriber call") { notify(rest) }
    observerFailures = FailureReports()
  }

  // MARK: - Running

  /// Sets `arg` as the lua command does: the script at 0, its arguments after it, the command before it.
  ///
  /// The last arguments of the command line are the script and its own arguments, `count` of them together.
  func setArguments(_ arguments: [String], script count: Int) throws {
    let script = count == 0 ? 0 : arguments.count - count
    let table = try state.makeTable()
    for (position, argument) in arguments.enumerated() {
      try table.set(position - script, to: LuaString(bytes: argument.systemBytes))
    }
    try state.setGlobal("arg", to: table)
  }

  /// Loads a module into a global variable, as `-l` does: `module`, or `variable=module`.
  func require(_ library: String) async throws {
    let names = library.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let source = "local variable, module = ...; _ENV[variable] = require(module)"
    try await run(
      Array(source.utf8), name: .text(Self.commandLine),
      arguments: [names[0], names[names.count - 1]].map(String.init))
  }

  /// Nil means standard input.
  func runScript(_ path: String?, arguments: [String]) async throws {
    let source = try await read(path)
    if let path {
      sources.add(String(systemBytes: source), ofFile: path)
    } else {
      sources["stdin"] = String(systemBytes: source)
    }
    if let path, !isSandboxed { try findModules(beside: path) }
    let name = path.map { ChunkName.fileBytes($0.systemBytes) } ?? .text("stdin")
    try await run(source, name: name, arguments: arguments)
  }

  /// Lets `require` look in a script's folder, after the places where it looks for the lua command.
  private func findModules(beside script: String) throws {
    guard case .table(let package) = try state.globals().rawGet("package"),
      case .string(let known) = try package.rawGet("path")
    else { return }
    let folder = FilePath.folder(
      of: FileSystem.isLink(script) ? FileSystem.resolved(script) : script)
    // The path has no way to write these characters.
    guard !folder.utf8.contains(where: { [UInt8(ascii: ";"), UInt8(ascii: "?")].contains($0) })
    else { return }
    let templates = ["?.lua", "?/init.lua"].map { Array("\(folder)/\($0)".systemBytes) }
    let separator = UInt8(ascii: ";")
    let places = known.bytes.split(separator: separator).map(Array.init)
    let path = (places + templates.filter { !places.contains($0) }).joined(separator: [separator])
    try package.rawSet("path", to: LuaString(bytes: Array(path)))
  }

  /// Reads a script; meanwhile Ctrl-C ends the command.
  private func read(_ path: String?) async throws -> [UInt8] {
    try await whileReading {
      Diagnostics.report(CommandError.interrupted)
      exit(Diagnostics.interruption.rawValue)
    } await: {
      try await ScriptFile.read(path)
    }
  }

  func runCode(_ code: String) async throws {
    sources[Self.commandLine] = code
    try await run(code.systemBytes, name: .text(Self.commandLine))
  }

  /// The name of the chunks of `-e` and `-l`, as the lua command calls them.
  private static let commandLine = "(command line)"

  /// Calls a function of a module, `app[module][name]`, to its end.
  func call(
    _ name: String, of module: String, _ arguments: [any LuaPushable]
  ) async throws -> [LuaValue] {
    try await run(app.start(name, of: module, arguments, in: state))
  }

  private func run(_ source: [UInt8], name: ChunkName, arguments: [String] = []) async throws {
    try await run(state.load(source, name: name), arguments)
  }

  @discardableResult
  func run(_ function: LuaFunction, _ arguments: [String] = []) async throws -> [LuaValue] {
    try await run(state.start(function, arguments.map { LuaString(bytes: $0.systemBytes) }))
  }

  /// Runs Swift code that calls metamethods of Lua, such as `__pairs`: Ctrl-C and limits stop it as they do Lua code.
  func runMetamethods<Value>(_ body: @escaping () throws -> Value) async throws -> Value {
    var result: Result<Value, any Error>?
    // The error is returned beside the function, as scripts would get it with its code.
    try await run(state.function("value") { result = Result(catching: body) })
    guard let result else { throw CommandError.interrupted }
    return try result.get()
  }

  /// Waits for the end of a task that was started, which Ctrl-C stops.
  private func run(_ task: LuaTask) async throws -> [LuaValue] {
    defer { termination?.endIfReceived() }
    return try await interrupts.whileCodeRuns {
      task.stop()
    } await: {
      do throws(LuaError) {
        return try await task.value()
      } catch {
        if error.isStop { watchdog.recordStop(error) }
        throw error
      }
    }
  }

  /// Waits for all tasks, and throws if one failed and was never awaited.
  func finishTasks() async throws {
    defer { termination?.endIfReceived() }
    var isStopped = false
    let failures = await interrupts.whileCodeRuns { [state] in
      isStopped = true
      state.stopTasks()
    } await: {
      await state.finishTasks()
    }
    if let stop = failures.first(where: \.isStop) { watchdog.recordStop(stop) }
    var reports = FailureReports()
    for failure in failures where !failure.is(.interrupted) && reports.shouldReportNext() {
      Diagnostics.print(text(of: failure))
    }
    if let rest = reports.rest(of: "task") { Diagnostics.print(rest) }
    if isStopped || failures.contains(where: { $0.is(.interrupted) }) {
      throw LuaError(.interrupted, "interrupted")
    }
    if !failures.isEmpty || observerFailures.count > 0 { throw ExitCode.failure }
  }

  // MARK: - The app's files

  func watchApp() { appWatcher = AppWatcher(console.appPaths) }

  /// Loads the files of the app again; the session's state and history stay as they are.
  ///
  /// - Throws: The error in the files, or the reason why they can't have the state; the session is then as before.
  func reloadApp() throws {
    guard let files = console.appFiles else {
      throw CommandError(
        description: "there are no files to reload: open the prompt with --app FILE")
    }
    func stop(_ interrupter: LuaInterrupter?) {
      interrupts.setAppInterrupter(interrupter)
      watchdog.setAppInterrupter(interrupter)
    }
    // Ctrl-C stops the new code; unless it replaces the old one, that again.
    defer { stop(console.appInterrupter) }
    let new = try console.app(of: files, codeLimits) { stop($0) }
    new.appWatchdog?.end()
    appWatcher?.add(new.appPaths)
    try session?.saveBeforeReloading()
    let reloaded = try app.store.reloaded(with: new.schema.get())
    let modules = try app.reloadedModules(new.modules)
    if let session {
      session.adopt(reloaded)
    } else {
      app.store.adopt(reloaded)
    }
    try app.adopt(modules)
    console = new
    appVersion += 1
    if let message = Session.message(onGone: reloaded.gone) { notify(message) }
    // Of one that the app didn't have meanwhile, the answer is lost.
    try app.store.endLostRequests()
  }

  // MARK: - The prompt

  /// Marks that the prompt's code runs from now on; the prompt continues after Ctrl-C.
  func beginPrompt() { watchdog.beginPrompt() }

  /// Runs a function until `wait` ends, which returns whether the function's task has ended; Ctrl-C stops it.
  ///
  /// - Returns: The results; or the task, if it continues.
  func run(
    _ function: LuaFunction, awaiting wait: (LuaTask) async -> Bool
  ) async throws -> (values: [LuaValue]?, task: LuaTask) {
    defer { termination?.endIfReceived() }
    let task = try state.start(function)
    return try await interrupts.whileCodeRuns {
      task.stop()
    } await: {
      await wait(task) ? (try await task.value(), task) : (nil, task)
    }
  }

  /// Compiles a file, which must be one that can be read at once.
  func load(file path: String) throws -> LuaFunction {
    try state.load(ScriptFile.readRegular(path), name: .fileBytes(path.systemBytes))
  }

  /// Waits for the user, or for anything else but code; Ctrl-C runs an action instead.
  func whileReading<Result>(
    _ interrupt: @escaping @MainActor () -> Void, await read: () async throws -> Result
  ) async rethrows -> Result {
    defer { termination?.endIfReceived() }
    return try await interrupts.whileIdle(interrupt) { try await read() }
  }

  /// Waits for Ctrl-C, which also stops the code that runs meanwhile.
  func waitForInterrupt() async {
    let (ending, end) = AsyncStream.makeStream(of: Void.self)
    await whileReading {
      end.finish()
    } await: {
      for await _ in ending {}
    }
  }

  /// Waits for work that isn't code; Ctrl-C cancels it.
  func cancellable<Result: Sendable>(
    _ work: @escaping @MainActor () async throws -> Result
  ) async throws -> Result {
    let task = Task { try await work() }
    return try await whileReading {
      task.cancel()
    } await: {
      try await task.value
    }
  }

  /// Runs a program that the user named on a file, on the terminal; Ctrl-C is for that program.
  func runForeground(_ command: String, on path: String) async throws -> Int32 {
    try await whileReading({}, await: { try await ForegroundProgram.run(command, on: path) })
  }
}

enum ScriptFile {
  /// Reads a file, or standard input if the path is nil; off the caller's actor if that may take long, as for a pipe.
  static func read(_ path: String?) async throws(CommandError) -> [UInt8] {
    if path.map(FileSystem.kind(of:)) == .file { return try readNow(path) }
    return try await readInBackground(path)
  }

  /// Reads a file of the disk, which no Ctrl-C needs to stop.
  static func readRegular(_ path: String) throws(CommandError) -> [UInt8] {
    do throws(SystemCallError) {
      return try FileSystem.contents(of: path)
    } catch {
      throw .scriptUnreadable(path, reason: error.reason)
    }
  }

  @concurrent
  private static func readInBackground(_ path: String?) async throws(CommandError) -> [UInt8] {
    try readNow(path)
  }

  private static func readNow(_ path: String?) throws(CommandError) -> [UInt8] {
    do throws(SystemCallError) {
      // On the main thread a signal is Ctrl-C; another thread leaves it to the main thread.
      let retries = !SystemThread.isMain
      guard let path else { return try FileDescriptor.readAll(STDIN_FILENO, retries: retries) }
      let descriptor = try FileSystem.open(path, O_RDONLY)
      defer { close(descriptor) }
      return try FileDescriptor.readAll(descriptor, retries: retries)
    } catch {
      if error.call == "read", error.errorNumber == EINTR { throw .interrupted }
      throw .scriptUnreadable(path ?? "standard input", reason: error.reason)
    }
  }
}
