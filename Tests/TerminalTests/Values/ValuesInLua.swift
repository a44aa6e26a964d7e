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

  func shown(_ example: ShownCase) async throws -> String {
    try await shown(example.code, columns: example.columns, rows: example.rows)
  }

  /// The one line that a value is shown on, as those are that `.expect` pins.
  func line(_ source: String, columns: Int = 60) async throws -> String {
    formatter.line(of: try await values(source).first ?? .nil, columns: columns).text
  }

  func whole(_ source: String) async throws -> String {
    formatter.whole(of: try await values(source))
  }
}

/// Lua code, and what the prompt shows for its results on a screen.
struct ShownCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let code: String
  let text: String
  let columns: Int
  let rows: Int

  /// Reads cases: a title after `--`, the lines of code after `>`, and what is shown.
  static func list(columns: Int = 60, rows: Int = 20, _ text: String) -> [ShownCase] {
    ("\n" + text).split(separator: "\n-- ").map { part in
      let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
      let code = lines.dropFirst().prefix { $0.hasPrefix(">") }
      return ShownCase(
        testDescription: String(lines[0]),
        code: code.map { String($0.dropFirst(2)) }.joined(separator: "\n"),
        text: lines.dropFirst(1 + code.count).joined(separator: "\n"), columns: columns,
        rows: rows)
    }
  }
}
