import ArgumentParser
import StateStore
import Foundation
import Lua

/// What the command does when no other command is named: runs code and scripts, or opens the prompt.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run code and scripts, or open the prompt.",
    usage: RootCommand.usage, shouldDisplay: false)

  @Option(
    name: .customShort("e", allowingJoined: true), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Run Lua code.", valueName: "code"))
  private var code: [String] = []

  @Option(
    name: .customShort("l", allowingJoined: true), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Load a module into a global variable of its name.", valueName: "module"))
  private var libraries: [String] = []

  @Flag(name: .customShort("i"), help: "Open the prompt after the code and the script.")
  private var isInteractive = false

  @Option(
    help: ArgumentHelp(
      "Keep the session in this file, and go on with it. \(Console.current.variable("STATE")) does the same.",
      valueName: "file"))
  private var state: String?

  @Flag(help: "Keep the session in memory only, also at the prompt.")
  private var ephemeral = false

  @Flag(help: "Run without what reaches outside: files, processes, the environment, debug.")
  private var sandbox = false

  @Flag(help: "In the sandbox, allow requests over the network.")
  private var allowNetwork = false

  @Option(help: "Limit the memory of Lua code, such as 64M.")
  private var maxMemory: MemorySize?

  @Option(help: "Limit the seconds that a chunk, a script or a line may take.")
  private var maxTime: Double?

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp(
      "A script, or - for standard input, and its arguments.", valueName: "script"))
  private var script: [String] = []

  /// An option here comes after all that are known, since what follows the script is passed on unread.
  mutating func validate() throws {
    if let maxTime, !(maxTime > 0 && maxTime < Double(Int.max)) {
      throw ValidationError("--max-time needs a number of seconds above 0, not \(maxTime)")
    }
    if state != nil, ephemeral {
      throw ValidationError("--state names a file, and --ephemeral forbids any: leave one out")
    }
    if allowNetwork, !sandbox {
      throw ValidationError("--allow-network opens the sandbox to the network: add --sandbox")
    }
    if state == "" { throw ValidationError("--state needs the name of a file") }
    switch script.first {
    case "--": script.removeFirst()
    case "--help", "-h": throw CleanExit.helpRequest(RootCommand.self)
    case "--version": throw CleanExit.message(RootCommand.version)
    case let option? where option.hasPrefix("-") && option != "-":
      throw ValidationError("Unknown option '\(option)'")
    default: break
    }
  }

  /// The file descriptors that the run-time opens at once, and some to spare: it ends the process if it can't.
  private static let startDescriptors = 10

  @MainActor
  func run() async throws {
    StandardStreams.occupyClosed()
    let environment = CurrentProcess.environment
    let status = await Diagnostics.status {
      guard OpenDescriptors.canOpen(Self.startDescriptors) else {
        throw CommandError.tooFewDescriptors
      }
      // They wait on other threads: for the time to pass, or for lines to be typed.
      if maxTime != nil || opensPrompt { try Threads.check() }
      let savedSession = try openSession(in: environment)
      let interpreter = try Interpreter(
        environment: environment, savedSession: savedSession, sandboxed: sandbox,
        allowsNetwork: allowNetwork,
        limits: .init(memory: maxMemory?.bytes, seconds: maxTime))
      let saving = savedSession.map { savedSession in Task { await savedSession.saveRepeatedly() } }
      // What went wrong is reported before the script's finalizers run.
      let status = await Diagnostics.status { try await run(in: interpreter, environment) }
      saving?.cancel()
      savedSession?.save()
      let closingStatus = await Diagnostics.status { try interpreter.close() }
      // Finalizers may have done something, too.
      let isSaved = savedSession?.finish() ?? true
      interpreter.endingSignals?.uninstall(isSaved: true)
      if status != .success { throw status }
      if closingStatus != .success { throw closingStatus }
      if !isSaved { throw ExitCode.failure }
    }
    if status != .success { throw status }
  }

  /// Opens the session that is kept in a file; nil for one in memory.
  @MainActor
  private func openSession(in environment: [String: String]) throws -> SavedSession? {
    guard !ephemeral else { return nil }
    // Files are saved in the background, and opened and closed by Dispatch's queues.
    func open(_ path: String) throws -> SavedSession {
      try Threads.check()
      return try SavedSession(path: path, schema: Console.current.schema)
    }
    if let state = state ?? environment[Console.current.variable("STATE")], !state.isEmpty {
      return try open(CommandError.path(state))
    }
    // Code and scripts begin anew, so that they do the same each time.
    guard readsStandardInput, opensPrompt else { return nil }
    let path = try DataFolder.path(of: "session.sqlite", in: environment)
    do {
      return try open(path)
    } catch {
      Diagnostics.report(error)
      Diagnostics.note(
        "the prompt's own session is \(path.shownSystemText): --ephemeral opens a prompt without it"
      )
      throw ExitCode.failure
    }
  }

  @MainActor
  private func run(in interpreter: Interpreter, _ environment: [String: String]) async throws {
    try interpreter.setArguments(
      CurrentProcess.arguments, script: script.isEmpty ? nil : script.count)
    for library in libraries { try await interpreter.require(library) }
    for chunk in code {
      try await interpreter.run(chunk.systemBytes, name: .text("(command line)"))
    }
    if runsScript {
      let source = try await interpreter.readScript(scriptPath)
      let arguments = Array(script.dropFirst())
      try await interpreter.run(source.bytes, name: source.name, arguments: arguments)
    }
    if opensPrompt {
      try await Prompt(interpreter: interpreter, environment: environment).run()
    } else {
      try await interpreter.finishTasks()
    }
  }

  /// Whether there is nothing to run but what standard input holds.
  private var readsStandardInput: Bool { script.isEmpty && code.isEmpty && libraries.isEmpty }

  private var opensPrompt: Bool {
    isInteractive || (readsStandardInput && isatty(STDIN_FILENO) != 0)
  }

  private var runsScript: Bool { !script.isEmpty || (readsStandardInput && !opensPrompt) }

  /// The script's file; `nil` for standard input.
  private var scriptPath: String? { script.first == "-" ? nil : script.first }
}
