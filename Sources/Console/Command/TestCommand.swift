import ArgumentParser
import Foundation
import Lua
import Scenarios
import StateStore
import Synchronization
import Platform

/// `test`: runs scenarios.
struct TestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Run scenarios: files named *.scenario.lua that say what the app does.",
    discussion: """
      Each scenario runs in a new Lua state with a new app in memory. Waiting takes no real time, and the network is \
      refused unless --live is given.

      Exit status: 0 if all passed; 1 if some failed, or none was chosen; 64 for wrong options; 66 if a file is \
      missing or can't be loaded; 130 after Ctrl-C. Another signal ends the run, too, and then the process.
      """)

  @Argument(help: "Files, folders, or FILE:LINE of a scenario; by default, the working directory.")
  private var paths: [String] = ["."]

  @OptionGroup(title: "Selection") private var selection: SelectionOptions
  @OptionGroup(title: "Running") private var running: RunningOptions
  @OptionGroup(title: "Reports") private var reporting: ReportingOptions

  func validate() throws {
    guard running.watches else { return }
    if reporting.lists { throw ValidationError("--watch runs scenarios, and --list doesn't") }
    if running.checksProperties {
      throw ValidationError("--watch needs files, and --properties has none")
    }
  }

  @MainActor
  func run() async throws {
    let environment = CurrentProcess.environment
    var options = RunOptions()
    options.paths = paths
    options.selection = selection.selection
    running.apply(to: &options, environment)
    reporting.apply(to: &options)
    let status = await Diagnostics.status {
      try Threads.check()
      try Self.checkApp()
      // Before an error is reported: nobody reads that a pipe is closed.
      defer { RunInterrupt.endProcess() }
      if running.watches {
        try await watch(options, environment)
      } else {
        try await run(options, environment)
      }
    }
    if status != .success { throw status }
  }

  /// Checks the app once, instead of in each scenario.
  @MainActor
  private static func checkApp() throws {
    let state = try LuaState(libraries: .sandbox)
    defer { state.close() }
    _ = try Console.current.sandboxedApp(in: state)
  }

  /// Runs the scenarios, and again what changed, until Ctrl-C.
  @MainActor
  private func watch(_ options: RunOptions, _ environment: [String: String]) async throws {
    let watcher = ScenarioWatcher(options.paths)
    var options = options
    while true {
      let changes = Task { try await watcher.changedFiles() }
      var isOutdated = false
      do {
        try await run(options, environment, watcher)
      } catch let status as ExitCode {
        // The next run may pass.
        isOutdated = status == Diagnostics.interruption
      }
      try RunInterrupt.install { watcher.stop() }
      defer { RunInterrupt.uninstall() }
      if !isOutdated { Diagnostics.note("waiting for changes; Ctrl-C ends") }
      guard let changed = try await changes.value else { throw Diagnostics.interruption }
      // What a change ended runs again with what changed.
      options.paths = isOutdated ? options.paths + changed : changed
    }
  }

  @MainActor
  private func run(
    _ options: RunOptions, _ environment: [String: String], _ watcher: ScenarioWatcher? = nil
  ) async throws {
    let console = Console.current
    let runner = try ScenarioRunner(
      program: console.name, worker: [CurrentProcess.executable, ScenarioWorkerCommand.name],
      options: options, reports: reporting.reports(in: environment),
      recordFolder: recordFolder(in: environment), watcher: watcher)
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
    if reporting.lists { return try list(plan) }
    switch try await runner.run(plan) {
    case .passed: return
    case .failed: throw ExitCode.failure
    case .unloadable: throw Self.noInput
    case .interrupted: throw Diagnostics.interruption
    case .noneMatched:
      Diagnostics.note("no scenario matches: --list without a selection shows all")
      throw ExitCode.failure
    }
  }

  /// The folder of the records of failed scenarios; nil without a home, which matters only if a record is asked for.
  private func recordFolder(in environment: [String: String]) throws -> String? {
    do throws(CommandError) {
      return try UserFiles.runRecords(in: environment)
    } catch {
      if selection.selection.isLastFailed { throw error }
      return nil
    }
  }

  /// The status for input that is missing or can't be read: EX_NOINPUT of sysexits(3).
  private static let noInput = ExitCode(66)

  /// Prints the scenarios instead of running them.
  private func list(_ plan: RunPlan) throws {
    for scenario in plan.scenarios {
      let tags = scenario.tags.isEmpty ? "" : "  [\(scenario.tags.joined(separator: ", "))]"
      CurrentProcess.print(
        "\(scenario.id.file):\(scenario.line): \(scenario.fullName)\(tags)".escapingControls)
    }
    for problem in plan.problems {
      let place = problem.location.map { "\($0.file):\($0.line)" } ?? problem.file
      Diagnostics.note("\(place): \(problem.message)")
    }
    if !plan.problems.isEmpty { throw Self.noInput }
  }
}

/// Ctrl-C and other signals while scenarios run: the first ends the run, which is then reported and leaves no folders
/// behind; the second ends the process.
@MainActor
private enum RunInterrupt {
  /// The reader of the output may be gone: then the next write fails, too.
  private nonisolated static let signals = [SIGINT, SIGTERM, SIGHUP, SIGPIPE]

  // Safe: written before the handlers are installed.
  private nonisolated(unsafe) static var wakePipe: WakePipe?
  /// The last signal; 0 if none came.
  private nonisolated static let received = Atomic<Int32>(0)
  private static var action: @MainActor () -> Void = {}

  /// Has the next signal do something else than to end the process, unless it is ignored, as by `nohup`.
  static func install(_ action: @escaping @MainActor () -> Void) throws {
    self.action = action
    if wakePipe == nil {
      let pipe = try WakePipe()
      wakePipe = pipe
      MainLoop.watch(pipe.readEnd) {
        pipe.drain()
        Self.action()
      }
    }
    for number in signals where Signal.action(of: number) != nil {
      Signal.setHandler(of: number) { number in
        RunInterrupt.received.store(number, ordering: .relaxed)
        RunInterrupt.wakePipe?.wake(UInt8(truncatingIfNeeded: number))
        if number != SIGPIPE { signal(number, SIG_DFL) }
      }
    }
  }

  static func uninstall() {
    for number in signals where Signal.action(of: number) != nil { signal(number, SIG_DFL) }
    action = {}
  }

  /// Ends the process by the signal that came, if it isn't Ctrl-C, which has a status of its own.
  static func endProcess() {
    let number = received.load(ordering: .relaxed)
    guard number != 0, number != SIGINT else { return }
    signal(number, SIG_DFL)
    Signal.raise(number)
  }
}
