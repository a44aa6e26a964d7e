import ArgumentParser
import Lua
import PrimereplFoundation
import PrimereplPage
import PrimereplPlatform
import PrimereplTerminal
import Scenarios
import StateStore

/// The command itself: runs code and scripts, or opens the prompt.
struct RunCommand: AppCommand {
  // All that the parser does at a start takes time: it makes a tree of the subcommands, looks for names of help by
  // reflection, and for `--generate-completion-script`, which the console handles, unless there is a super-command.
  static let configuration = CommandConfiguration(
    commandName: CurrentProcess.name, _superCommandName: "", helpNames: [])

  @Option(
    name: .customShort("e", allowingJoined: true), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Run Lua code.", valueName: "code"))
  private var code: [String] = []

  @Option(
    name: .customShort("l", allowingJoined: true), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Load a module into a global variable of its name, or of the name in <name>=<module>.",
      valueName: "module"))
  private var libraries: [String] = []

  @Flag(name: .customShort("i"), help: "Open the prompt after the code and the script.")
  private var isInteractive = false

  @Flag(name: .customShort("v"), help: "Print the version first.")
  private var shouldPrintVersion = false

  // Not a group of options: the parser would search for its conformances, at each start.
  @Option(
    name: .customLong("app"), help: AppOptions.filesHelp, completion: AppOptions.filesCompletion)
  private var appFiles: [String] = []

  @Flag(help: AppOptions.bareHelp)
  private var bare = false

  @Option(
    help: ArgumentHelp(
      "Keep the session in this file (~ is $HOME), or on a server: postgresql://user@host/database?session=name.",
      valueName: "file"),
    completion: .file())
  private var state: String?

  @Option(
    help: ArgumentHelp(
      "Copy the session of --state to this file or server, and exit.", valueName: "file"),
    completion: .file())
  private var copyTo: String?

  @Flag(help: "Reload the files of --app when they change; only at the prompt.")
  private var watch = false

  @Flag(help: "Show the app in a browser while it runs: prints the address of a page.")
  private var serve = false

  @Flag(help: "Keep the session in memory only, even at the prompt.")
  private var ephemeral = false

  @Flag(help: "Run without io, debug, and access to files and the network.")
  private var sandbox = false

  @Flag(help: "Allow the sandbox to use the network.")
  private var allowNetwork = false

  @Option(
    help: ArgumentHelp("Limit the memory of Lua code: 500K, 64M, 1G.", valueName: "size"),
    transform: MemorySize.init)
  private var maxMemory: MemorySize?

  @Option(
    help: ArgumentHelp("Limit the time of each -e, script or input.", valueName: "seconds"))
  private var maxTime: Double?

  @Flag(help: "Use no colors, like NO_COLOR.")
  private var noColor = false

  @Flag(name: [.customShort("q"), .long], help: "Open the prompt without a banner.")
  private var quiet = false

  @Flag(
    name: .customLong(Self.namesOption),
    help: ArgumentHelp("List what can be typed after run, for completion.", visibility: .hidden))
  private var listsNames = false

  /// The option of the shells' completions, with which nothing is run, whatever follows.
  static let namesOption = "run-names"

  @Flag(name: .customLong("version"), help: "Show the version.")
  private var isVersionRequested = false

  // Hidden, or completion would offer nothing but files, and no options and subcommands.
  @Argument(parsing: .captureForPassthrough, help: .hidden)
  private var script: [String] = []

  var app: AppOptions { AppOptions(files: appFiles, bare: bare) }

  private var codeSandbox: CodeSandbox { CodeSandbox(isOn: sandbox, allowsNetwork: allowNetwork) }

  private var limits: CodeLimits { CodeLimits(memory: maxMemory, time: maxTime) }

  var codeLimits: DeclaredApp.Limits { limits.ofApp }

  /// Handles the options in `script`: those after the known ones, as everything from the script on is passed to it.
  mutating func validate() throws {
    try app.validate()
    try limits.validate()
    if state != nil, ephemeral {
      throw ValidationError("--state and --ephemeral exclude each other")
    }
    try codeSandbox.validate()
    if state == "" { throw ValidationError("--state needs a file name or an address") }
    if copyTo == "" { throw ValidationError("--copy-to needs a file name or an address") }
    if copyTo != nil, hasCode || ephemeral {
      throw ValidationError("--copy-to only copies: leave out code, scripts and --ephemeral")
    }
    switch script.first {
    case "--": script.removeFirst()
    case "--help", "-h": throw CleanExit.helpRequest(Self.self)
    case let option? where option.hasPrefix("-") && option != "-":
      let suggestion = try option.nearest(of: Self.options).map { ". Did you mean '\($0)'?" } ?? ""
      throw ValidationError("Unknown option '\(option)'\(suggestion)")
    default: break
    }
  }

  /// The names of the options that the help lists.
  private static var options: [String] {
    get throws {
      try (CommandTree.of(DescribedCommand.self).arguments ?? []).filter(\.shouldDisplay)
        .flatMap(\.spellings).filter { $0.hasPrefix("--") }
    }
  }

  @MainActor
  func run(in console: Console) async throws {
    if shouldPrintVersion || isVersionRequested {
      CurrentProcess.print(console.versionLine)
      guard !isVersionRequested, hasCode || shouldOpenPrompt else { return }
    }
    if listsNames {
      guard callsFunction else { return }
      let words = Array(script.dropFirst())
      return try Self.withModules(of: console) { modules in
        for name in FunctionCall.names(after: words, in: modules) { CurrentProcess.print(name) }
      }
    }
    let call = callsFunction ? try functionCall(of: console) : nil
    let environment = CurrentProcess.environment
    if let copyTo { return try await copySession(to: copyTo, of: console, environment) }
    let session = try openSession(of: console, in: environment)
    try await Interpreter.using(
      session, of: console, in: environment, limits, codeSandbox,
      forPrompt: shouldOpenPrompt || serve
    ) { interpreter in
      try await run(in: interpreter, environment, call)
    }
  }

  @MainActor
  private func copySession(
    to target: String, of console: Console, _ environment: [String: String]
  ) async throws {
    guard let source = state ?? environment[console.variable("STATE")], !source.isEmpty else {
      throw ValidationError("--copy-to needs --state, which names the session to copy")
    }
    let copy = SessionCopy(
      console: console, source: try console.place(of: source),
      target: try console.place(of: target))
    let count = try limits.enforced { try copy.run() }
    Diagnostics.print("copied a history of \(count.counted("action"))")
  }

  /// Nil for a session in memory only.
  @MainActor
  private func openSession(
    of console: Console, in environment: [String: String]
  ) throws -> Session? {
    guard !ephemeral else { return nil }
    if let session = try console.session(named: state, in: environment, limits) {
      return session
    }
    // Code and scripts start with a new session, so that each run does the same.
    guard callsFunction || !hasCode && shouldOpenPrompt else { return nil }
    return try console.promptSession(in: environment, limits)
  }

  @MainActor
  private func run(
    in interpreter: Interpreter, _ environment: [String: String], _ call: FunctionCall?
  ) async throws {
    // The script's own arguments are as they were given, also addresses whose passwords the system doesn't show.
    try interpreter.setArguments(
      CurrentProcess.arguments.dropLast(script.count) + script, script: script.count)
    let server = serve ? try PageServer(of: interpreter) : nil
    defer { server?.stop() }
    if let server { Diagnostics.print(server.address) }
    do {
      try await runCode(in: interpreter, call)
    } catch {
      // The prompt is the place to find the cause.
      guard isInteractive else { throw error }
      Diagnostics.print(interpreter.text(of: error))
    }
    if shouldOpenPrompt {
      if watch { interpreter.watchApp() }
      let prompt = try Prompt(
        interpreter: interpreter, environment: environment, allowsColors: !noColor)
      prompt.pageServer = server
      try await prompt.run(showsBanner: !quiet && !shouldPrintVersion)
    } else {
      try await interpreter.finishTasks()
    }
  }

  @MainActor
  private func runCode(in interpreter: Interpreter, _ call: FunctionCall?) async throws {
    for library in libraries { try await interpreter.require(library) }
    for chunk in code { try await interpreter.runCode(chunk) }
    if let call {
      try await call.run(in: interpreter)
    } else if hasScript {
      let path = script.first == "-" ? nil : script.first
      if let path { try checkIsScript(path) }
      try await interpreter.runScript(path, arguments: Array(script.dropFirst()))
    }
  }

  /// The call of a function of the app: of its files if it has some.
  ///
  /// It is read before a session is opened, or any code runs.
  ///
  /// - Throws: `ValidationError` for wrong usage; the exit status of help, which is printed.
  @MainActor
  private func functionCall(of console: Console) throws -> FunctionCall {
    let words = Array(script.dropFirst())
    do {
      return try Self.withModules(of: console) { try FunctionCall(words, of: $0) }
    } catch let error as FunctionCall.HelpRequest {
      CurrentProcess.print(error.text)
      throw ExitCode.success
    }
  }

  /// The modules whose functions `run` calls reach no session and no service.
  @MainActor
  private static func withModules<Result>(
    of console: Console, _ body: ([LuaModule]) throws -> Result
  ) throws -> Result {
    try console.withSandboxedApp { app in
      let features = app.store.schema.featureNames
      let names = console.declaredNames.isEmpty ? features : console.declaredNames
      return try body(names.compactMap { name in app.modules.first { $0.name == name } })
    }
  }

  /// Refuses a scenario file, and a misspelled subcommand.
  private func checkIsScript(_ path: String) throws(CommandError) {
    switch FileSystem.kind(of: path) {
    case .file where path.hasSuffix(ScenarioRecording.fileNameEnd):
      throw CommandError(
        description: "\(path) has scenarios: run \(CurrentProcess.name) test \(path)")
    case nil:
      let names = Subcommands.all.compactMap { $0.configuration.commandName }
      if let name = path.nearest(of: names) {
        throw CommandError(
          description: "there is no script \(path); did you mean \(CurrentProcess.name) \(name)?")
      }
    default: break
    }
  }

  /// Whether a function of the app is called: `run NAME` in place of a script.
  private var callsFunction: Bool { script.first == FunctionCall.word }

  private var hasCode: Bool { !(script.isEmpty && code.isEmpty && libraries.isEmpty) }

  /// Whether standard input is what runs, as code at the prompt or as a script.
  private var shouldReadStandardInput: Bool { !hasCode && !shouldPrintVersion }

  private var shouldOpenPrompt: Bool {
    isInteractive || (shouldReadStandardInput && isatty(STDIN_FILENO) != 0)
  }

  private var hasScript: Bool { !script.isEmpty || (shouldReadStandardInput && !shouldOpenPrompt) }
}
