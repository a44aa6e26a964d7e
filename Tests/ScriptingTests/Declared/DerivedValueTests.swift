import Lua
import SampleApp
import StateStore
import TestSupport
import Testing

@testable import Scripting

@MainActor
@Suite("Derived values")
struct DerivedValueTests {
  private let shop: DeclaredFixture

  /// Counts in a variable of the file how often each function ran: nothing else can see that.
  init() throws {
    shop = try DeclaredFixture(
      """
      local runs = {}
      local function note(name) runs[name] = (runs[name] or 0) + 1 end
      feature "x" {
        state = {
          a = 0, b = 0, text = editable "", items = list { n = 0 }, tags = set "string",
          place = record { city = "Bonn" },
        },
        derived = {
          of_a = function(state) note("of_a") return state.a * 2 end,
          of_items = function(state) note("of_items") return #state.items end,
          of_tags = function(state) note("of_tags") return #state.tags end,
          of_place = function(state) note("of_place") return state.place.city end,
          parity = function(state) note("parity") return state.a % 2 end,
          of_parity = function(state) note("of_parity") return "parity " .. state.parity end,
          either = function(state)
            note("either")
            if state.a == 0 then return "none" end
            return "b is " .. state.b
          end,
          of_app = function(state, app) note("of_app") return app.y.n + app.x.of_a + #app.y.list end,
          broken = function(state) note("broken") return state.a < 5 and 1 or nil + 1 end,
          careful = function(state) local ok, value = pcall(function() return state.broken end) return ok and value or "?" end,
          table = derived { help = "A table.", function(state) note("table") return { state.a, { b = state.b } } end },
          plus = derived {
            "n: integer", "[text: string]", help = "Adds a number.", example = "x.plus(1)",
            function(state, n, text) note("plus") return (text or "") .. state.a + n end,
          },
          app_plus = derived { "n: integer", function(state, n, app) return app.y.n + n end },
        },
        actions = {
          run = function(state, code) return load(code, "=run", "t", setmetatable({ state = state }, { __index = _G }))() end,
          runs = function() local seen = runs runs = {} return seen end,
        },
      }
      feature "y" {
        state = { n = editable(0), list = list { n = 0 } },
        actions = { add = function(state) state.list:append { n = 1 } end },
      }
      """)
  }

  /// The names of the functions that code made run, each with how often.
  private func runs(_ code: String) async throws -> String {
    try await shop.run(
      """
      x.runs() store.undo();
      (function() \(code) end)()
      local names = {}
      for name, count in pairs(x.runs()) do names[#names + 1] = name .. " " .. count end
      store.undo() table.sort(names) return table.concat(names, ", ")
      """)
  }

  @Test("are computed when they are read, and not again until what they read changes")
  func dependencies() async throws {
    #expect(try await runs("return nil") == "")
    _ = try await runs("local _ = x.of_a, x.of_items, x.of_tags, x.of_place")
    #expect(try await runs("local _ = x.of_a, x.of_items, x.of_tags, x.of_place") == "")
    #expect(try await runs("x.run('state.b = 7') local _ = x.of_a, x.of_items") == "")
    #expect(try await runs("x.run('state.a = 7') local _ = x.of_a, x.of_items") == "of_a 1")
    #expect(
      try await runs("x.run('state.items:append { n = 1 }') local _ = x.of_a, x.of_items")
        == "of_items 1")
    #expect(try await runs("x.run('state.items[1].n = 2') local _ = x.of_items") == "of_items 1")
    #expect(try await runs("x.run('state.tags:add([[a]])') local _ = x.of_tags") == "of_tags 1")
    #expect(
      try await runs("x.run('state.place.city = [[Rome]]') return x.of_place") == "of_place 1")
    #expect(try await shop.run("return x.of_a, x.of_items, x.of_tags, x.of_place") == "14 1 1 Rome")
  }

  @Test("aren't computed by actions, undo, redo and saving")
  func unasked() async throws {
    #expect(
      try await runs("x.run('state.a = 1') store.undo() store.redo() store.jump(0) store.redo()")
        == "")
  }

  @Test("have their earlier value after an undo and a redo without being computed")
  func undone() async throws {
    #expect(
      try await runs(
        """
        local first = x.of_a x.run('state.a = 4') local second = x.of_a
        store.undo() assert(x.of_a == first) store.redo() assert(x.of_a == second)
        """) == "of_a 1")
  }

  @Test("depend on the values of others, not on what those read")
  func chains() async throws {
    _ = try await runs("return x.of_parity")
    #expect(try await runs("x.run('state.a = 2') return x.of_parity") == "parity 1")
    #expect(try await runs("x.run('state.a = 3') return x.of_parity") == "of_parity 1, parity 1")
    #expect(try await shop.run("return x.of_parity") == "parity 1")
  }

  @Test("depend only on what they read this time")
  func conditional() async throws {
    _ = try await runs("return x.either")
    #expect(try await runs("x.run('state.b = 1') return x.either") == "")
    #expect(try await runs("x.run('state.a = 1') return x.either") == "either 1")
    #expect(try await runs("x.run('state.b = 2') return x.either") == "either 1")
    #expect(try await shop.run("return x.either") == "b is 2")
  }

  @Test("of other features depend on what they read there")
  func app() async throws {
    #expect(try await runs("x.run('state.b = 1') y.n = 0 return x.of_app") == "")
    #expect(try await runs("y.n = 3 return x.of_app") == "of_app 1")
    #expect(try await runs("y.add() return x.of_app") == "of_app 1")
    #expect(try await runs("x.run('state.a = 1') return x.of_app") == "of_a 1, of_app 1")
    #expect(try await shop.run("return x.of_app") == "6")
  }

  @Test("are right in the middle of an action, and after it was refused")
  func inActions() async throws {
    let code =
      "local old = state.of_a state.a = 21 local new = state.of_a return old .. ' ' .. new"
    #expect(try await shop.run("return x.run([[\(code)]]), x.of_a") == "0 42 42")
    _ = await shop.failure("x.run([[state.a = 1 assert(state.of_a == 2) error('no')]])")
    #expect(try await shop.run("return x.of_a") == "42")
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- of another store are its own
      local other = store.new()
      x.run('state.a = 1') other.x.run('state.a = 2')
      return x.of_a, other.x.of_a, x.of_a, store.new().x.of_a --> 2 4 2 0
      -- that catch the failure of another are as that one is now
      x.run('state.a = 9') local first = x.careful
      x.run('state.a = 2') return first, x.careful --> ? 1
      -- that are tables are given as new ones, which code can change
      local t = x.table t[1], t[2].b = 7, 8 return x.table[1], x.table[2].b --> 0 0
      -- keep their meaning when many arguments are asked for
      local sum = 0
      for round = 1, 2 do for n = 1, 100 do sum = sum + x.plus(n) end end
      return sum --> 10100
      """))
  func scripts(example: LuaCase) async throws { try await shop.check(example) }

  @Test("that fail say so whenever they are read, until what they read changes")
  func failures() async throws {
    _ = try await shop.run("x.run('state.a = 9')")
    let message = await shop.failure("return x.broken")
    #expect(message.contains("attempt to perform arithmetic on a nil value"))
    #expect(await shop.failure("return x.broken") == message)
    #expect(try await shop.run("x.run('state.a = 1') return x.broken") == "1")
  }

  @Test("depend on an own field as on the field of another feature that has its name as a path")
  func sameNames() throws {
    let folder = try TemporaryFolder()
    let app = try DeclaredApp(
      files: [
        try folder.write(
          """
          feature "own" {
            state = { favorites = set "integer" },
            derived = { both = function(state, app) return #state.favorites + #app.favorites end },
          }
          """, to: "own.lua")
      ])
    let store = Store(
      try StoreSchema(features: [Favorites.self], declared: app.features, derived: []))
    try app.connect(to: store.schema)
    #expect(try store.schema.value(at: "own.both", in: store.states) == .integer(0))
    try store.send(.add(number: 7), to: Favorites.self)
    #expect(try store.schema.value(at: "own.both", in: store.states) == .integer(1))
  }

  @Test("with parameters are functions, which are computed once for the same arguments")
  func parameters() async throws {
    #expect(
      try await runs(
        "assert(x.plus(1) == '1') assert(x.plus(2) == '2') assert(x.plus(1) == '1') assert(x.plus(1, 'n') == 'n1')"
      ) == "plus 3")
    #expect(try await runs("x.run('state.a = 5') return x.plus(1) + x.plus(2)") == "plus 2")
    #expect(try await shop.run("y.n = 5 return x.app_plus(2)") == "7")
    #expect(
      await shop.failure("x.plus('a')")
        == "bad argument #1 to 'x.plus' (n: integer expected, got string)")
  }
}
