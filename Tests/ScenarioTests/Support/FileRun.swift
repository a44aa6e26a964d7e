import Foundation
import PrimereplLoading
import SampleApp
import Scripting
import StateStore
import Testing
import TestSupport

@testable import Scenarios

/// A scenario file of the app whose scenarios run in this process, without a runner.
@MainActor
final class FileRun {
  /// The folder of the file.
  let folder: TemporaryFolder
  private let file: ScenarioFile
  private let app: ScenarioApp
  private var settings: WorkerSettings

  /// Writes a file, into a new folder unless one is given.
  init(
    _ source: String, in folder: TemporaryFolder? = nil, of app: ScenarioApp = .sample,
    settings: WorkerSettings = WorkerSettings()
  ) throws {
    self.app = app
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    self.settings = settings
    self.settings.temporaryFolder = folder.path(of: "tmp")
    file = try ScenarioFile(path: folder.write(source, to: "file.scenario.lua"))
  }

  /// The scenarios that the file declares.
  func list() async -> ListedFile { await ScenarioRun.list(file, of: app, settings) }

  /// Runs a scenario by its full name.
  func run(_ name: String) async throws -> EndedScenario {
    let listed = await list()
    guard let scenario = listed.scenarios.first(where: { $0.fullName == name }) else {
      throw NotDeclared(name: name, problem: listed.problem?.message)
    }
    return await run(scenario)
  }

  func run(_ scenario: ScenarioDescription) async -> EndedScenario {
    await ScenarioRun.run(scenario, in: file, of: app, settings)
  }

  /// Runs all scenarios, and returns their failures.
  func failures() async throws -> [ScenarioFailure] {
    let listed = await list()
    if let problem = listed.problem { throw problem }
    var failures: [ScenarioFailure] = []
    for scenario in listed.scenarios { failures += await run(scenario).failures ?? [] }
    return failures
  }

  /// The simpler steps that a run of the file's first scenario, a property, would try in place of one.
  func simplerSteps(than step: String) async throws -> [String] {
    let listed = await list()
    guard let scenario = listed.scenarios.first else {
      throw NotDeclared(name: "", problem: listed.problem?.message)
    }
    let state = try ScenarioState(of: app, file, running: scenario, settings)
    defer { state.close() }
    try await state.load()
    await state.runScenario()
    return state.vocabulary.simplerSteps(than: step)
  }

  /// The failures of a scenario with a body, which begins at the first line of the file.
  static func failures(_ body: String, options: String = "{}") async throws -> [ScenarioFailure] {
    let source = "scenario('it', \(options), function() \(body)\nend)"
    return try await FileRun(source).run("it").failures ?? []
  }

  /// Runs the body of a scenario, and compares its result: `passes`, or its failures.
  static func check(_ example: LuaCase, options: String = "{}") async throws {
    let result = try await failures(example.code, options: options).result
    #expect(example.allows(result), "\(example.code) gives \(result)")
  }

  /// Runs all scenarios of a file, and compares their result: `passes`, or their failures.
  static func check(file example: LuaCase, of app: ScenarioApp = .sample) async throws {
    let result = try await FileRun(example.code, of: app).failures().result
    #expect(example.allows(result), "\(example.code) gives \(result)")
  }

  /// The failure of a scenario with a body that fails in one way.
  static func failure(_ body: String, options: String = "{}") async throws -> ScenarioFailure {
    let failures = try await failures(body, options: options)
    guard let failure = failures.first, failures.count == 1 else {
      throw OtherFailures(messages: failures.map(\.message))
    }
    return failure
  }

  /// The scenario isn't in the file.
  struct NotDeclared: Error {
    let name: String
    let problem: String?
  }

  /// Not exactly one thing failed.
  struct OtherFailures: Error { let messages: [String] }
}

extension ScenarioApp {
  /// The sample app.
  static let sample = ScenarioApp(
    schema: SampleApp.schema, modules: SampleApp.modules,
    environment: {
      .sample(
        clock: $0.clock, stubs: $0.stubs, documents: DocumentAccess(network: .refusedInScenario))
    })

  /// An app with a feature of its own.
  static let cart: ScenarioApp = {
    do {
      return ScenarioApp(
        schema: try StoreSchema(features: [Cart.self]),
        modules: [ScriptModule(Cart.self)],
        environment: { ScriptEnvironment(clock: $0.clock, stubs: $0.stubs, documents: .refusing) })
    } catch {
      preconditionFailure("\(error)")
    }
  }()
}

extension [ScenarioFailure] {
  /// The result of a scenario with these failures, as text.
  var result: String { isEmpty ? "passes" : map(\.text).joined(separator: " | ") }
}

extension ScenarioFailure {
  /// The failure as text: its line unless that is the first one, its kind unless it is an
  /// expectation, its message, and what differs.
  var text: String {
    let place =
      switch location?.line {
      case nil: "nowhere: "
      case 1?: ""
      case let line?: "line \(line): "
      }
    let kind = kind == .expectation ? "" : "\(kind.rawValue): "
    return ([place + kind + message] + differenceLines).joined(separator: "; ")
  }

  /// The differences as lines such as `count: 1 -> 2`: the path unless it is the whole value, what
  /// was expected, and what was found.
  var differenceLines: [String] {
    differences.map {
      ($0.path.isEmpty ? "" : $0.path + ": ")
        + "\($0.expected ?? "nothing") -> \($0.actual ?? "nothing")"
    }
  }
}
