import Lua
import PrimereplFoundation
import PrimereplPlatform
import StateStore

/// The worker process: lists and runs the scenarios of files that the runner names, one at a time.
///
/// It is a separate process, since a scenario can crash it, or never end in a function that can't be stopped.
@MainActor
package final class ScenarioWorker {
  private let app: ScenarioApp
  private let connection: WorkerConnection
  private var settings = WorkerSettings()
  /// The file that was used last.
  private var file: ScenarioFile?

  /// Takes over the process: its standard input, a socket, becomes the connection to the runner.
  ///
  /// - Throws: `WorkerError` if standard input isn't the socket that a runner makes.
  package init(of app: ScenarioApp) throws {
    self.app = app
    // Ctrl-C at a terminal reaches all processes there; the runner decides what to end.
    signal(SIGINT, SIG_IGN)
    // Scenarios may write to processes that have ended. A handler isn't inherited by those that they start.
    Signal.setHandler(of: SIGPIPE) { _ in }
    ChildProcesses.own()
    connection = try WorkerConnection()
    try CapturedOutput.check()
  }

  /// Serves the runner until it closes the connection.
  package func run() async throws {
    while let request = try connection.nextRequest() {
      if case .configure = request {} else { try connection.reply(.began) }
      switch request {
      case .configure(let settings): self.settings = settings
      case .list(let path): try await list(path)
      case .listCoverageItems:
        try connection.reply(.coverageItems(ScenarioRun.coverageItems(of: app, settings)))
      case .run(let path, let scenarios):
        for scenario in scenarios {
          // A secret of one scenario may be a common word in another, whose report would depend on the order.
          Secret.forgetTexts()
          try await run(scenario, in: path)
          // Lets the main actor do what is left of the scenario: jobs that wait for it would pile up.
          await Task.yield()
        }
      }
    }
  }

  private func list(_ path: String) async throws {
    let file: ScenarioFile
    do throws(FileProblem) {
      file = try ScenarioFile(path: path)
    } catch {
      return try connection.reply(.listed(ListedFile(problem: error)))
    }
    self.file = file
    try connection.reply(.listed(await listed(file)))
  }

  private func listed(_ file: ScenarioFile) async -> ListedFile {
    let listed = await ScenarioRun.list(file, of: app, settings)
    // The file writes it again for each of its scenarios.
    _ = CapturedOutput.take()
    return listed
  }

  private func run(_ scenario: ScenarioDescription, in path: String) async throws {
    if file?.path != path {
      do throws(FileProblem) {
        let file = try ScenarioFile(path: path)
        self.file = file
        if file.hasManyStatements { _ = await listed(file) }
      } catch {
        let failure = ScenarioFailure(.error, error.message, at: error.location)
        return try connection.reply(.ended(EndedScenario(failures: [failure])))
      }
    }
    guard let file else { return }
    var ended = await ScenarioRun.run(scenario, in: file, of: app, settings) { [connection] in
      try connection.reply(.progress($0))
    }
    // os.setlocale changes the whole process.
    setlocale(LC_ALL, "C")
    let text = CapturedOutput.take()
    if !text.isEmpty { ended.output = text }
    try connection.reply(.ended(ended))
  }
}
