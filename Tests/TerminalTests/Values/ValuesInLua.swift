import Lua
import PrimereplLineEditing
import SampleApp
import Scripting
import TestSupport
import Testing

@testable import PrimereplTerminal

/// An app in its own Lua state, and the values of Lua code as the prompt shows them.
@MainActor
final class ValuesInLua {
  let state: LuaState
  let app: ScriptedApp
  let formatter: ValueFormatter

  init() throws {
    state = try LuaState()
    app = try ScriptedApp(in: state, environment: .sample(clock: ManualClock()))
    formatter = try ValueFormatter(app: app, state: state)
  }

  /// Runs Lua code that is named as at the prompt.
  func values(_ source: String) async throws -> [LuaValue] {
    try await state.run(state.load(source, name: .text("stdin")))
  }

  func styled(_ source: String, columns: Int = 60, rows: Int = 20) async throws -> [StyledText] {
    formatter.lines(
      of: try await values(source), in: ScreenSize(columns: columns, rows: rows))
  }

  /// The lines that the prompt shows for the results of Lua code, without their styles.
  func shown(_ source: String, columns: Int = 60, rows: Int = 20) async throws -> String {
    try await styled(source, columns: columns, rows: rows).map(\.text).joined(separator: "\n")
  }

  /// Expects what the input of a case shows.
  func check(_ example: PromptCase) async throws {
    let text = try await shown(example.input, columns: example.columns, rows: example.rows)
    #expect(text == example.shown)
  }

  /// The one line that a value is shown on, as those are that `.expect` pins.
  func line(_ source: String, columns: Int = 60) async throws -> String {
    formatter.line(of: try await values(source).first ?? .nil, columns: columns).text
  }

  func whole(_ source: String) async throws -> String {
    formatter.whole(of: try await values(source))
  }
}
