import Lua
import PrimereplLineEditing
import SampleApp
import Scripting

@testable import PrimereplTerminal

/// An app whose code is run as at the prompt, to see how its errors are reported.
@MainActor
struct ErrorSession {
  let state: LuaState
  let app: ScriptedApp
  private let sources = SourceTexts(readsFiles: true)

  init() throws {
    state = try LuaState()
    app = try ScriptedApp(in: state)
  }

  var context: ErrorReport.Context {
    var context = ErrorReport.Context(
      names: KnownNames(state: state, modules: app.modules), sources: sources)
    context.show = { value in StyledText("<\(value)>") }
    return context
  }

  /// Runs an input that must work.
  func run(_ input: String, number: Int = 1) async throws(LuaError) {
    let prompt = PromptInput(input, number: number)
    sources[prompt.chunkName] = input
    try await state.run(prompt.compile(in: state))
  }

  /// Runs an input that must fail, and returns its error.
  func error(of input: String, number: Int = 2) async -> LuaError? {
    do throws(LuaError) {
      try await run(input, number: number)
      return nil
    } catch {
      return error
    }
  }

  /// Runs an input that must fail, and returns its report.
  func report(on input: String, fault: Int? = nil) async throws -> ErrorReport {
    guard let error = await error(of: input) else { throw NoError(input: input) }
    return ErrorReport(
      error, in: ErrorReport.Input(chunk: "input 2", text: input, fault: fault), context)
  }

  /// The text of the report on an input's error.
  func text(of input: String, fault: Int? = nil) async throws -> String {
    try await report(on: input, fault: fault).text
  }

  private struct NoError: Error { let input: String }
}

extension ErrorReport {
  var text: String { lines.map(\.text).joined(separator: "\n") }
}
