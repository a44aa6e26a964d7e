import LineEditing
import Lua
import SampleApp
import Scripting

@testable import Console

/// An app whose code is run as at the prompt, to see how its errors are reported.
@MainActor
struct ErrorSession {
  let state: LuaState
  let app: ScriptedApp

  init() throws {
    state = try LuaState()
    app = try ScriptedApp(in: state)
  }

  var context: ErrorReport.Context {
    ErrorReport.Context(
      names: KnownNames(state: state, modules: app.modules),
      show: { value in StyledText("<\(value)>") })
  }

  /// Runs an input that must work.
  func run(_ input: String) async throws(LuaError) {
    try await state.run(compiled(input))
  }

  /// Runs an input that must fail, and returns its error.
  func error(of input: String) async -> LuaError? {
    do throws(LuaError) {
      try await run(input)
      return nil
    } catch {
      return error
    }
  }

  /// The input as an expression, or else as statements.
  private func compiled(_ input: String) throws(LuaError) -> LuaFunction {
    do throws(LuaError) {
      return try state.load("return " + input, name: .text("stdin"))
    } catch {
      return try state.load(input, name: .text("stdin"))
    }
  }

  /// Runs an input that must fail, and returns its report.
  func report(on input: String, fault: Int? = nil) async throws -> ErrorReport {
    guard let error = await error(of: input) else { throw NoError(input: input) }
    return ErrorReport(error, in: ErrorReport.Input(text: input, fault: fault), context)
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
