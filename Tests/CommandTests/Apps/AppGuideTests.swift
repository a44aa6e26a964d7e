import Foundation
import Testing
import TestSupport

/// The guide's blocks are run by `DocumentTests`.
@Suite("The guide to apps in Lua")
struct AppGuideTests {
  private let app: AppFolder

  init() throws { app = try AppFolder() }

  /// Code that makes the mistakes of the guide's table, in the order of its rows.
  private static let mistakes = [
    "feature \"x\" { state = { items = {} } }",
    "feature \"x\" { actions = { add = action { \"n: integer\" } } }",
    """
    feature "x" {
      derived = { a = function(state) return state.b end, b = function(state) return state.a end },
    }
    """,
    """
    local derived = { d0 = function(state) return state.n end }
    for i = 1, 70 do derived["d" .. i] = function(state) return state["d" .. i - 1] end end
    feature "x" { state = { n = 0 }, derived = derived }
    """,
    "feature \"x\" { state = { n = 0 }, derived = { a = function(state) while true do end end } }",
    "feature \"x\" { state = { n = 0 }, derived = { d = function(state) return state.m end } }",
    "feature \"x\" { state = { n = intger } }",
    "feature \"x\" { state = { n = 0 }, derived = { d = function() feature \"y\" {} return 1 end } }",
    "feature \"x\" { state = { n = 0 } } feature \"x\" { state = { n = 0 } }",
    "feature \"counter\" { state = { n = 0 } }",
  ]

  /// The first column of the table.
  private static func messages() throws -> [String] {
    let prose = try Document("Documentation/apps-in-lua.md").prose
    let start = try #require(prose.firstIndex(of: "| error | reason |"))
    return prose[start...].dropFirst(2).prefix { $0.hasPrefix("| ") }
      .compactMap { $0.firstMatch(of: /^\| `([^`]*)`/).map { String($0.1) } }
  }

  @Test("has the errors of mistakes")
  func mistakes() async throws {
    let messages = try Self.messages()
    #expect(messages.count == Self.mistakes.count + 1)
    for (message, code) in zip(messages, Self.mistakes) {
      _ = try app.folder.write(code, to: "x.lua")
      let result = try await app("--app", "x.lua", "-e", "print(1)")
      #expect(result.error.contains(message))
      #expect(result.output == "")
      #expect(result.status == .exited(1))
    }
    let script = try await app("x.lua")
    #expect(try script.error.contains(#require(messages.last)))
  }
}
