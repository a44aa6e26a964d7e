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
    // The names of the functions that code made run, each with how often.
    try shop.state.load(
      """
      function runs(code)
        x.runs() store.undo()
        code()
        local names = {}
        for name, count in pairs(x.runs()) do names[#names + 1] = name .. " " .. count end
        store.undo()
        table.sort(names)
        return "<" .. table.concat(names, ", ") .. ">"
      end
      """
    ).call()
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- are computed when they are read, and not again until what they read changes
      local function read() local _ = x.of_a, x.of_items, x.of_tags, x.of_place end
      local function after(code) return runs(function() x.run(code) read() end) end
      read()
      return runs(function() end), runs(read), after 'state.b = 7', after 'state.a = 7',
        after 'state.items:append { n = 1 }', after 'state.items[1].n = 2',
        after 'state.tags:add "a"', after 'state.place.city = "Rome"',
        x.of_a, x.of_items, x.of_tags, x.of_place
      --> <> <> <> <of_a 1> <of_items 1> <of_items 1> <of_tags 1> <of_place 1> 14 1 1 Rome
      -- aren't computed by actions, undo, redo and saving
      return runs(function()
        x.run('state.a = 1') store.undo() store.redo() store.jump(0) store.redo()
      end) --> <>
      -- have their earlier value after an undo and a redo without being computed
      return runs(function()
        local first = x.of_a
        x.run('state.a = 4')
        local second = x.of_a
        store.undo() assert(x.of_a == first) store.redo() assert(x.of_a == second)
      end) --> <of_a 1>
      -- depend on the values of others, not on what those read
      local function after(code) return runs(function() x.run(code) return x.of_parity end) end
      local _ = x.of_parity
      return after 'state.a = 2', after 'state.a = 3', x.of_parity
      --> <parity 1> <of_parity 1, parity 1> parity 1
      -- depend only on what they read this time
      local function after(code) return runs(function() x.run(code) return x.either end) end
      local _ = x.either
      return after 'state.b = 1', after 'state.a = 1', after 'state.b = 2', x.either
      --> <> <either 1> <either 1> b is 2
      -- of other features depend on what they read there
      local function after(change) return runs(function() change() return x.of_app end) end
      return after(function() x.run('state.b = 1') y.n = 0 end), after(function() y.n = 3 end),
        after(function() y.add() end), after(function() x.run('state.a = 1') end), x.of_app
      --> <> <of_app 1> <of_app 1> <of_a 1, of_app 1> 6
      -- are right in the middle of an action, and after it was refused
      local within = x.run "local old = state.of_a state.a = 21 return old .. ' ' .. state.of_a"
      local after = x.of_a
      pcall(x.run, "state.a = 1 assert(state.of_a == 2) error('no')")
      return within, after, x.of_a --> 0 42 42 42
      -- that fail say so whenever they are read, until what they read changes
      x.run('state.a = 9')
      local _, first = pcall(function() return x.broken end)
      local _, second = pcall(function() return x.broken end)
      x.run('state.a = 1')
      return tostring(first) == tostring(second), x.broken, first
      --> true 1 …attempt to perform arithmetic on a nil value…
      -- with parameters are functions, which are computed once for the same arguments
      return runs(function()
        assert(x.plus(1) == '1' and x.plus(2) == '2' and x.plus(1) == '1')
        assert(x.plus(1, 'n') == 'n1')
      end), runs(function() x.run('state.a = 5') return x.plus(1) + x.plus(2) end)
      --> <plus 3> <plus 2>
      y.n = 5 return x.app_plus(2) --> 7
      x.plus('a') --> bad argument #1 to 'x.plus' (n: integer expected, got string)
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
}
