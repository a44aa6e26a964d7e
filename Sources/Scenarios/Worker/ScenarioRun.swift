import Lua
import PrimereplFoundation
import Scripting
import StateStore

/// Runs a scenario file in a fresh state: to list its scenarios, or to run one of them.
@MainActor
enum ScenarioRun {
  static func list(
    _ file: ScenarioFile, of app: ScenarioApp, _ settings: WorkerSettings
  ) async -> ListedFile {
    do {
      let state = try ScenarioState(of: app, file, running: nil, settings)
      defer { state.close() }
      var listed = ListedFile()
      do {
        try await state.load()
        listed.scenarios = state.host.declarations
        if file.hasManyStatements { file.findParts(functions: state.host.functions) }
        if listed.scenarios.isEmpty {
          listed.problem = FileProblem(
            file: file.path, message: "the file declares no scenario: call scenario(name, function)"
          )
        }
      } catch {
        listed.problem = problem(of: error, in: file, modules: state.requiredFiles)
      }
      listed.modules = state.requiredFiles
      return listed
    } catch {
      return ListedFile(problem: problem(of: error, in: file))
    }
  }

  static func coverageItems(
    of app: ScenarioApp, _ settings: WorkerSettings
  ) throws -> [CoverageItem] {
    // Any file would do, as it isn't run.
    let file = try ScenarioFile(path: ScenarioFile.defaultProperties)
    let state = try ScenarioState(of: app, file, running: nil, settings)
    defer { state.close() }
    return state.coverageItems
  }

  /// Runs a scenario of a file; `report` is called at each of its stages, before it begins.
  static func run(
    _ scenario: ScenarioDescription, in file: ScenarioFile, of app: ScenarioApp,
    _ settings: WorkerSettings,
    reporting report: @escaping (ScenarioProgress) throws -> Void = { _ in }
  ) async -> EndedScenario {
    let start = ContinuousClock.now
    var ended: EndedScenario
    do {
      func makeState(_ seed: Int?) async throws -> ScenarioState {
        let state = try ScenarioState(of: app, file, running: scenario, seed: seed, settings)
        state.report = report
        do {
          try await state.load()
        } catch {
          throw error as? FileProblem
            ?? problem(of: error, in: file, modules: state.requiredFiles)
        }
        return state
      }
      var state = try await makeState(nil)
      if let plan = state.property {
        // Its first run has the seed that it asks for.
        state.close()
        let start = ContinuousClock.now
        let end = start + .seconds(state.timeLimit)
        state = try await PropertyRun(plan: plan, deadline: end, report: report) {
          try await makeState($0)
        }
        .run()
      } else {
        await state.runScenario()
      }
      state.close()
      ended = state.finish()
    } catch {
      let problem = error as? FileProblem ?? problem(of: error, in: file)
      ended = EndedScenario(failures: [
        ScenarioFailure(.error, problem.message, at: problem.location)
      ])
    }
    ended.seconds = (ContinuousClock.now - start) / .seconds(1)
    return ended
  }

  /// An error of a file as a whole, with the line that its message names.
  private static func problem(
    of error: any Error, in file: ScenarioFile, modules: [String] = []
  ) -> FileProblem {
    let text = (error as? LuaError)?.description ?? error.userMessage
    guard let (location, message) = file.location(inMessage: text, modules: modules) else {
      return FileProblem(file: file.path, message: text)
    }
    return FileProblem(file: file.path, message: message, location: location)
  }
}
