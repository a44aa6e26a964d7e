import Foundation
import Lua
import SampleApp
import Scripting
import StateStore
import Testing

@testable import Console

@MainActor
@Suite("The reference")
struct DocsTests {
  private let app = Console.sample

  private func modules() throws -> [LuaModule] {
    try ScriptedApp(in: LuaState()).modules
  }

  @Test("has every member of every module, with its signature, help and example")
  func members() throws {
    let text = try DocsCommand.text(in: .markdown, of: app)
    for module in try modules() {
      #expect(text.contains("\n## \(module.name)\n"))
      for member in module.documentation {
        #expect(text.contains("\n### `\(module.name).\(member.signature)`\n"))
        #expect(text.contains("\n```lua\n\(member.example)\n```\n"))
      }
    }
    #expect(text.contains("\nThe nth prime. Waits; other tasks continue.\n"))
    #expect(text.contains("Error codes: `overflow`, `out_of_range`."))
  }

  @Test(
    "has the objects, errors and global variables",
    arguments: [
      "### person\n", "`person.age: integer`",
      "\n- `[source: \"local\"|\"remote\"]`: The service that is asked.\n", "### subscription\n",
      "`task:await(): any...`",
      "`err.code: string`", "### `inspect(value: any): string`", "`#list`",
    ])
  func others(text: String) throws {
    #expect(try DocsCommand.text(in: .markdown, of: app).contains(text))
  }

  @Test("is the same each time")
  func deterministic() throws {
    for format in DocsCommand.Format.allCases {
      #expect(
        try DocsCommand.text(in: format, of: app) == DocsCommand.text(in: format, of: app))
    }
  }

  @Test("escapes what Markdown would take for markup")
  func escaping() throws {
    let text = try DocsCommand.text(in: .markdown, of: .odd)
    #expect(text.contains("A \\<b> \\*text\\* with \\`ticks\\`."))
    #expect(text.contains("\n### `` odd.ti`ck(end: integer): integer ``\n"))
  }

  @Test("is a choice of two formats")
  func formats() throws {
    #expect(throws: Never.self) { try DocsCommand.parse(["--format", "luals"]) }
    #expect(throws: (any Error).self) { try DocsCommand.parse(["--format", "html"]) }
    #expect(throws: (any Error).self) { try DocsCommand.parse(["counter", "--format", "luals"]) }
  }
}

@MainActor
@Suite("The definitions for the Lua language server")
struct LanguageServerDefinitionTests {
  private let app = Console.sample

  private func definitions() throws -> String { try DocsCommand.text(in: .luals, of: app) }

  @Test("are Lua that can be loaded, whatever the names of an app's members")
  func areLua() throws {
    let state = try LuaState()
    for console in [app, .odd] {
      let text = try DocsCommand.text(in: .luals, of: console)
      #expect(throws: Never.self) { try state.load(text, name: .text("definitions")).call() }
      #expect(text.hasPrefix("---@meta\n"))
    }
  }

  @Test(
    "describe functions, fields and objects",
    arguments: [
      """
      ---@class module.counter
      ---@field count integer The count; assignable.
      """,
      """
      ---@param by? integer
      ---@return integer
      function counter.increment(by) end
      """,
      """
      ---@async
      ---@param n integer
      ---@return integer
      function oracle.nth(n) end
      """,
      """
      ---@class task
      """,
      """
      ---@async
      ---@return any ...
      function object:await() end
      """,
      """
      ---@class todo.items
      ---@field [integer] todo.item
      """,
      "---@field loading boolean Whether fetch is pending.",
      "---@field items todo.items The items, newest first.",
      "---@field query string The text that filtered() searches for. Assignable.",
      #"---@field path ("basics"|"password"|"summary")[] The steps."#,
      "---@field modal table? The modal.", "---@field last_query string? The last query.",
      "---@field age integer", "---@field counter module.counter", "---@field [integer] integer",
      #"---@param options? {source?: "local"|"remote"} source: The service that is asked."#,
      "---@param person {name: string, age: integer}", "---@param ... any",
      "---@class null", "---@class error\n---@field code string",
    ])
  func definition(text: String) throws {
    #expect(try definitions().contains(text))
  }

  @Test("keep texts of several lines inside comments")
  func lines() throws {
    let text = try DocsCommand.text(in: .luals, of: .odd)
    #expect(text.contains("---First line.\n---error('second line')\n"))
    #expect(text.contains(#"odd["end"] = function(end_) end"#))
  }

  @Test("name every class once, and take no text for one")
  func classNames() throws {
    let names = try definitions().matches(of: /(?m)^---@class (\S+)/).map { String($0.1) }
    #expect(Set(names).count == names.count)
    #expect(!names.contains("basics"))
  }

  @Test("name every class that they use")
  func classes() throws {
    let text = try definitions()
    let named = Set(text.matches(of: /(?m)^---@class (\S+)/).map { String($0.1) })
    for match in text.matches(of: /(?m)^---@return ([a-z.]+)/) {
      let builtIn = [
        "any", "boolean", "function", "integer", "number", "string", "table", "userdata",
      ]
      #expect(named.contains(String(match.1)) || builtIn.contains(String(match.1)), "\(match.1)")
    }
  }
}

extension Console {
  fileprivate static let sample = Console(
    "sample", features: SampleApp.features, derived: [PrimeCard.field], modules: [.oracle],
    services: { _ in SampleServices() })

  /// An app whose members have odd names and texts.
  fileprivate static let odd = Console("odd-app", features: [Odd.self])
}

private enum Odd: ScriptableFeature {
  struct State: Codable, Equatable, Sendable { var count = 0 }
  enum Action: Codable, Equatable, Sendable { case nothing }

  static let name = "odd"
  static let help = "A <b> *text* with `ticks`."
  static var initial: State { State() }
  static var fields: [Field<Odd>] { [.value("count", \.count)] }
  static func reduce(_ state: inout State, _ action: Action) throws {}

  static func describe(_ module: FeatureModule<Odd>) {
    for name in ["end", "two words", "ti`ck", "\"]] os.exit() --[["] {
      module.function(name, "end", help: "First line.\nerror('second line')", example: "x\r\ny") {
        (number: Int) in number
      }
    }
    module.property("a\nb", help: "A\nfield.", example: "odd") { 1 }
  }
}
