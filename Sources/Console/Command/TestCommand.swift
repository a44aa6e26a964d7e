import ArgumentParser
import PrimereplFoundation
import PrimereplPlatform
import Scenarios
import StateStore

struct TestCommand: AppCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Run scenarios: files named *.scenario.lua that say what the app does.",
    discussion: """
      Each scenario runs in a new Lua state with a new app in memory. Waiting takes no real time, and the network is \
      refused unless --live is given.

      Exit status: 0 if all passed; 1 if some failed, or none was chosen; 64 for wrong options; 66 if a file is \
      missing or can't be loaded; 130 after Ctrl-C. Another signal ends the run, too, and then the process.
      """)

  @Argument(
    help: "Files, folders, or FILE:LINE of a scenario; by default, the working directory.",
    completion: .file(extensions: ["lua"]))
  private var paths: [String] = ["."]

  @OptionGroup var app: AppOptions
  @OptionGroup(title: "Selection") private var selection: SelectionOptions
  @OptionGroup(title: "Running") private var running: RunningOptions
  @OptionGroup(title: "Reports") private var reporting: ReportingOptions

  func validate() throws {
    guard running.shouldWatch else { return }
    if reporting.shouldList { throw ValidationError("--watch runs scenarios, and --list doesn't") }
    if running.shouldCheckProperties {
      throw ValidationError("--watch needs files, and --properties has none")
    }
  }

  @MainActor
  func run(in console: Console) async throws {
    let environment = CurrentProcess.environment
    var options = RunOptions()
    options.paths = paths
    options.selection = selection.selection
    running.apply(to: &options, environment)
    reporting.apply(to: &options)
    ChildProcesses.own()
    // Checks the app once, instead of in each scenario.
    try console.withSandboxedApp { _ in }
    // Before an error is reported: nobody reads that a pipe is closed.
    defer { RunInterrupt.endProcess() }
    if running.shouldWatch {
      try await watch(console, options, environment)
    } else {
      try await run(console, options, environment)
    }
  }

  /// Runs the scenarios, and again what changed or what a key asks for, until Ctrl-C.
  @MainActor
  private func watch(
    _ console: Console, _ options: RunOptions, _ environment: [String: String]
  ) async throws {
    let watcher = ScenarioWatcher(options.paths)
    let keys = WatchKeys()
    defer { keys?.close() }
    let all = options
    var options = options
    var reason: String?
    while true {
      var isWaiting = false
      let next = Task { try await watcher.next { isWaiting ? keys?.command() : nil } }
      if keys != nil { beginScreen(reason) }
      let isOutdated = try await runEndsEarly(console, options, environment, watcher)
      try RunInterrupt.install { watcher.stop() }
      defer { RunInterrupt.uninstall() }
      isWaiting = true
      if !isOutdated {
        let ending = keys == nil ? "Ctrl-C ends" : WatchKeys.help
        Diagnostics.print("waiting for changes; \(ending)")
      }
      switch try await next.value {
      case .changed(let files):
        // Files whose run a change has ended run again with the changed ones.
        options.paths = isOutdated ? options.paths + files : files
        options.selection = all.selection
        reason = "changed: " + files.joined(separator: ", ")
      case .command(.quit): return
      case .stopped: throw Diagnostics.interruption
      case .command(let command):
        options = all
        reason = options.selection.apply(command)
      }
    }
  }

  /// Clears the terminal, and says when a run begins and why.
  private func beginScreen(_ reason: String?) {
    let time = Date.now.localTime("%H:%M:%S")
    CurrentProcess.flush()
    CurrentProcess.write(
      Array("\u{1B}[H\u{1B}[2J\u{1B}[3J\(time)  \((reason ?? "all scenarios").printable)\n\n".utf8),
      to: STDOUT_FILENO)
  }

  /// Runs scenarios, whose failures the next run may mend; returns whether a change ended the run.
  @MainActor
  private func runEndsEarly(
    _ console: Console, _ options: RunOptions, _ environment: [String: String],
    _ watcher: ScenarioWatcher
  ) async throws -> Bool {
    do {
      try await run(console, options, environment, watcher)
      return false
    } catch let status as ExitCode {
      return status == Diagnostics.interruption
    }
  }

  @MainActor
  private func run(
    _ console: Console, _ options: RunOptions, _ environment: [String: String],
    _ watcher: ScenarioWatcher? = nil
  ) async throws {
    // A process that crashed leaves those that it started.
    defer { ChildProcesses.endAll() }
    let runner = try ScenarioRunner(
      program: console.name, version: console.version,
      appArguments: console.appFiles?.arguments ?? [],
      worker: ScenarioWorkerCommand.command(of: console), options: options,
      reports: reporting.reports, reportOptions: reporting.options(in: environment),
      recordFolder: recordFolder(of: console, in: environment), watcher: watcher)
    try RunInterrupt.install {
      watcher?.stop()
      runner.interrupt()
    }
    watcher?.onChange = { runner.interrupt() }
    defer {
      RunInterrupt.uninstall()
      watcher?.onChange = {}
    }
    let plan = try await runner.plan()
    if reporting.shouldList { return try list(plan) }
    switch try await runner.run(plan) {
    case .passed: return
    case .failed: throw ExitCode.failure
    case .unloadable: throw Self.noInput
    case .interrupted: throw Diagnostics.interruption
    case .noneMatched:
      Diagnostics.print("no scenario matches: --list without a selection shows all")
      throw ExitCode.failure
    }
  }

  /// The folder of the records of failed scenarios; nil without a home, unless a record is needed.
  private func recordFolder(
    of console: Console, in environment: [String: String]
  ) throws -> String? {
    do throws(CommandError) {
      return try UserFiles(of: console, in: environment).runRecords
    } catch {
      if selection.selection.isLastFailed { throw error }
      return nil
    }
  }

  /// The status for input that is missing or can't be read: EX_NOINPUT of sysexits(3).
  private static let noInput = ExitCode(66)

  private func list(_ plan: RunPlan) throws {
    for scenario in plan.scenarios {
      let tags = scenario.tags.isEmpty ? "" : "  [\(scenario.tags.joined(separator: ", "))]"
      CurrentProcess.print(
        "\(scenario.id.file):\(scenario.line): \(scenario.fullName)\(tags)".printable)
    }
    for problem in plan.problems {
      let place = problem.location.map { "\($0.file):\($0.line)" } ?? problem.file
      Diagnostics.print("\(place): \(problem.message)")
    }
    if !plan.problems.isEmpty { throw Self.noInput }
  }
}

extension RunOptions.Selection {
  /// Returns the choice in words.
  fileprivate mutating func apply(_ command: WatchCommand) -> String {
    switch command {
    case .runAll, .quit: return "all scenarios"
    case .runFailed:
      isLastFailed = true
      return "those that failed the last time"
    case .filter(let text):
      guard !text.isEmpty else { return "all scenarios" }
      filters = [text]
      return "filter: \(text)"
    }
  }
}

/// Ctrl-C and other signals while scenarios run: the first ends the run, which is then reported and leaves no folders
/// behind; the second ends the process.
@MainActor
private enum RunInterrupt {
  /// Among them is SIGPIPE: if the reader of the output is gone, the next write fails, too.
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGPIPE]
  private static var received: Int32?

  /// Makes the next signal run an action instead of ending the process, unless it is ignored, as by `nohup`.
  static func install(_ action: @escaping @MainActor () -> Void) throws {
    for number in signals where Signal.action(of: number) != nil {
      let flags = number == SIGPIPE ? 0 : Int32(bitPattern: UInt32(SA_RESETHAND))
      try SignalAction.set(for: number, flags: flags) { number in
        received = number
        action()
      }
    }
  }

  static func uninstall() {
    SignalAction.runPending()
    for number in signals where Signal.action(of: number) != nil {
      SignalAction.remove(for: number)
    }
  }

  /// Ends the process by the signal that came, except for Ctrl-C, which has an exit status.
  static func endProcess() {
    guard let received, received != SIGINT else { return }
    signal(received, SIG_DFL)
    Signal.raise(received)
  }
}
