import Lua
import SampleApp
import Testing
import TestSupport

@testable import Scenarios
@testable import Scripting

@MainActor
@Suite("The definitions of the vocabulary")
struct DefinitionTests {
  private let definitions = SignatureTable.ofScenarios(stubbable: ["todo.fetch"]).definitions

  /// Runs a scenario file, which has the definitions as a text, and in a table as they would define global variables.
  ///
  /// - Returns: The messages of the failures of the scenario `it`, or of the mistake in its declaration.
  private func failures(_ code: String) async throws -> [String] {
    let folder = try TemporaryFolder()
    let path = try folder.write(definitions, to: "definitions.lua")
    let source = """
      local function names(...)
        local names = {}
        for _, table in ipairs({ ... }) do
          for name in pairs(table) do names[#names + 1] = name end
        end
        table.sort(names)
        return names
      end
      local text = assert(io.open("\(path)")):read("a")
      local defined = { clock = {}, todo = {} }
      assert(load(text, "=definitions", "t", defined))()
      \(code)
      """
    let file = try FileRun(source, in: folder)
    if let scenario = await file.list().scenarios.first, scenario.mode == .invalid {
      return [scenario.reason ?? ""]
    }
    return try await file.run("it").failures?.map(\.message) ?? []
  }

  /// The global variables of a plain script, as a list in Lua.
  private func plainGlobals() throws -> String {
    let state = try LuaState()
    _ = try ScriptedApp(in: state)
    let names = try state.globals().entries().compactMap { key, _ in
      if case .string(let name) = key { name.text } else { nil }
    }
    return names.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  /// Fails unless the global variables that scenario files see besides a plain script's are those of a table in Lua.
  private func failures(unlessAddedAre expected: String) async throws -> [String] {
    try await failures(
      """
      scenario("it", function()
        local added = {}
        for name in pairs(_G) do added[name] = true end
        for _, name in ipairs({ \(plainGlobals()) }) do added[name] = nil end
        defined.clock, defined.todo = nil, nil
        expect.equal(names(\(expected)), names(added))
      end)
      """)
  }

  @Test("have the global variables that scenario files see besides the app's, and no other")
  func globals() async throws {
    #expect(try await failures(unlessAddedAre: "defined") == [])
  }

  @Test("have the global variables whose names no feature can have, and no other")
  func reservedNames() async throws {
    let words = ReservedNames.ofScenarios.map { "\($0) = true" }.joined(separator: ", ")
    #expect(try await failures(unlessAddedAre: "{ \(words) }") == [])
  }

  @Test(
    "have the members that scenario files see, and no other",
    arguments: [
      // Of expect: the only one that isn't a function has just an annotation.
      """
      scenario("it", function()
        expect.equal(names(defined.expect, { none = text:match("@field none ") }), names(expect))
      end)
      """,
      // Of modules: the functions that they have in scenarios only.
      """
      scenario("it", function()
        expect.equal(names(defined.clock, { now = true, time = true, today = true }), names(clock))
        expect.equal(names(defined.todo), { "stub" })
        expect.truthy(rawget(todo, "stub"))
      end)
      """,
      // Of the trace of a property: its methods.
      """
      property("it", { actions = { "counter" }, runs = 1 }, function(trace)
        local methods, annotated = {}, {}
        for name in pairs(getmetatable(trace)) do
          if not name:find("^__") then methods[name] = true end
        end
        local class = text:match("@class property%.trace\\n(.-)\\nend\\n")
        for name in class:gmatch("function object:(%w+)") do annotated[name] = true end
        expect.equal(names(annotated), names(methods))
      end)
      """,
    ])
  func members(code: String) async throws {
    #expect(try await failures(code) == [])
  }

  @Test(
    "have the options that are accepted, and no other",
    arguments: [
      ("scenario('it', { zzzzzz = 1 }, function() end)", ["scenario.options"]),
      (
        "property('it', { zzzzzz = 1 }, function() end)",
        ["scenario.options", "property.options"]
      ),
      (
        "scenario('it', function() expect.changes(function() end, {}, { zzzzzz = 1 }) end)",
        ["expect.changes.options"]
      ),
    ])
  func options(code: String, classes: [String]) async throws {
    let message = try #require(try await failures(code).first)
    let list = try #require(message.split(separator: "it has ").last)
    let accepted = list.split(separator: ", ").map(String.init)
    let annotated = classes.flatMap(fields)
    #expect(accepted.sorted() == annotated.sorted())
  }

  /// The names of the fields of a class.
  private func fields(of name: String) -> [String] {
    let lines = definitions.split(separator: "\n", omittingEmptySubsequences: false)
    let start = lines.drop { $0 != "---@class \(name)" && !$0.hasPrefix("---@class \(name):") }
    return start.dropFirst().prefix { $0.hasPrefix("---@field") }
      .compactMap { $0.firstMatch(of: /@field (\w+)/).map { String($0.1) } }
  }
}
