import Lua
import StateStore
import Synchronization
import Testing

@testable import Scripting

/// The names of the modules that were described.
private final class Described: Sendable {
  private let list = Mutex<[String]>([])

  var names: [String] { list.withLock(\.self) }

  func note(_ name: String) { list.withLock { $0.append(name) } }
}

/// An app of modules without features, each described when it is first used, or at the start.
@MainActor
private final class ModulesInLua {
  let state: LuaState
  let app: ScriptedApp
  let described = Described()

  init(atOnce describesModules: Bool = false) throws {
    state = try LuaState()
    let described = described
    app = try ScriptedApp(
      in: state, store: Store(features: []),
      modules: [
        ScriptModule("dice", help: "Dice.") { module in
          described.note("dice")
          module.function("double", "n", example: "dice.double(3)") { (n: Int) in 2 * n }
          var sides = 6
          module.property("sides", example: "dice.sides = 8", get: { sides }, set: { sides = $0 })
          module.property("name", example: "print(dice.name)") { "d\(sides)" }
          module.callable("n", example: "dice(2)") { (n: Int) in n * sides }
        },
        ScriptModule("odd", help: "Odd numbers.") { module in
          described.note("odd")
          module.sequence(count: { 3 }, element: { 2 * $0 + 1 })
        },
      ], describesModules: describesModules)
  }

  func results(of source: String) async throws -> [LuaValue] {
    try await state.run(state.load(source, name: .text("test")))
  }
}

private struct Rates: Sendable {}

@MainActor
@Suite("A module that is described when it is first used")
struct UndescribedModuleTests {
  @Test("isn't described for scripts that don't use it")
  func unused() async throws {
    let modules = try ModulesInLua()
    #expect(
      try await modules.results(of: "return type(dice), dice == app.dice, store.position")
        == [.string("table"), .boolean(true), .integer(0)])
    #expect(modules.described.names == [])
    _ = try await modules.results(of: "return dice.sides, dice.sides, rawlen(odd)")
    #expect(modules.described.names == ["dice"])
  }

  @Test(
    "does on its first use what a described one does",
    arguments: [
      "return dice.double(3)",
      "return dice.double == dice.double, app.dice.double == dice.double",
      "return dice.sides, dice.name",
      "dice.sides = 8 return dice.sides",
      "return dice(2)",
      "return #odd",
      "return odd[2], odd[4]",
      "local t = {} for i, n in ipairs(odd) do t[i] = n end return table.concat(t, ' ')",
      "local t = {} for name in pairs(dice) do t[#t + 1] = name end table.sort(t) return table.concat(t, ' ')",
      "return #dice",
      "return tostring(dice):match('^%a+'), rawequal(dice, dice), rawget(dice, 'double')",
      "return json.encode(odd)",
      "return getmetatable(dice) ~= nil, next(getmetatable(dice))",
    ])
  func firstUse(source: String) async throws {
    let results = try await ModulesInLua().results(of: source)
    #expect(try await ModulesInLua(atOnce: true).results(of: source) == results)
  }

  @Test(
    "fails on its first use as a described one does, with the line of the script",
    arguments: [
      "\nreturn dice.side", "\ndice.name = 'd7'", "\ndice.dot = 1", "\nodd[1] = 2", "\ndice('x')",
      "\nreturn dice.double('x')", "\nreturn json.encode(dice)", "\nreturn dice + 1",
    ])
  func firstFailure(source: String) async throws {
    func failure(_ modules: ModulesInLua) async throws -> [LuaValue] {
      try await modules.results(
        of: "local f = load(..., '=script') local ok, e = pcall(f) return ok, tostring(e)"
          .replacing("...", with: "[[\(source)]]"))
    }
    let results = try await failure(ModulesInLua())
    #expect(results.first == .boolean(false))
    #expect(try await failure(ModulesInLua(atOnce: true)) == results)
  }

  @Test("is described for help, and for a stub")
  func help() throws {
    let modules = try ModulesInLua()
    #expect(modules.app.help.text(named: "odd")?.contains("integer") == true)
    #expect(modules.app.stubbable == ["http.get", "http.post", "http.request"])
    #expect(modules.described.names == ["odd", "dice"])
  }

  @Test(
    "throws at each use if it is described with a mistake, as the app does that is described at once"
  )
  func mistake() async throws {
    func app(describesModules: Bool) throws -> LuaState {
      let state = try LuaState()
      _ = try ScriptedApp(
        in: state, store: Store(features: []),
        modules: [ScriptModule("rates", services: Rates.self, help: "Rates.") { _ in }],
        describesModules: describesModules)
      return state
    }
    let error = #expect(throws: ScriptError.self) { try app(describesModules: true) }
    let state = try app(describesModules: false)
    for use in [
      "rates.euro", "#rates", "pairs(rates)", "rates()", "(function() rates.x = 1 end)()",
    ] {
      let results = try await state.run(
        state.load(
          "local ok, e = pcall(function() return \(use) end) return ok, e.message",
          name: .text("test")))
      #expect(results == [.boolean(false), .string(LuaString(error?.message ?? ""))])
    }
  }

  @Test("isn't kept by its app or by Lua")
  func released() async throws {
    weak var released: LuaModule?
    do {
      let modules = try ModulesInLua()
      released = modules.app.modules.first
      _ = try await modules.results(of: "return odd[1]")
      modules.state.close()
    }
    #expect(released == nil)
  }
}
