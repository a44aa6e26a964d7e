import Lua
import Testing
import TestSupport

@testable import Scripting

@MainActor
@Suite("pairs and next in actions")
struct OrderedPairsTests {
  private let app: DeclaredFixture

  init() throws {
    app = try DeclaredFixture(
      """
      feature "x" {
        state = { items = list { name = "", price = 0 } },
        actions = {
          run = function(state, code)
            local env = setmetatable({ state = state }, { __index = _G })
            return load(code, "=run", "t", env)()
          end,
        },
      }
      """)
  }

  private nonisolated static let mixed =
    "{ b = 1, a = 1, [''] = 1, ['é'] = 1, aa = 1, Z = 1, [3] = 1, [-1] = 1, [2.5] = 1, [1 << 60] = 1, [true] = 1, [false] = 1, [print] = 1 }"

  @Test(
    "in actions",
    arguments: LuaCase.list(
      """
      -- pairs goes through numbers, texts by their bytes, false and true, and then other keys
      local keys = {}
      for key, value in pairs(\(mixed)) do
        keys[#keys + 1] = type(key) == "function" and "function" or tostring(key)
      end
      return table.concat(keys, " ")
      --> -1 2.5 3 1152921504606846976  Z a aa b é false true function
      -- next goes in the same order
      local keys = {}
      for key, value in next, \(mixed) do
        keys[#keys + 1] = type(key) == "function" and "function" or tostring(key)
        if type(key) == "function" then break end
      end
      return table.concat(keys, " ")
      --> -1 2.5 3 1152921504606846976  Z a aa b é false true function
      return tostring(next {}) --> nil
      -- a loop can assign and remove keys: those it adds wait for the next loop
      local object, seen = { a = 1, b = 2, c = 3, d = 4 }, {}
      for key, value in pairs(object) do
        seen[#seen + 1] = key .. value
        object.a, object.b, object.c, object.e = nil, 20, nil, 5
      end
      for key, value in pairs(object) do seen[#seen + 1] = key .. value end
      return table.concat(seen, " ") --> a1 b20 d4 b20 d4 e5
      -- pairs respects __pairs, also one that returns next
      local seen = {}
      local function visit(meta)
        for key, value in pairs(setmetatable({}, { __pairs = meta })) do
          seen[#seen + 1] = key .. value
        end
      end
      visit(function() return function(_, i) if i < 3 then return i + 1, 0 end end, nil, 1 end)
      visit(function() return next, { b = 2, a = 1, c = 3 } end)
      return table.concat(seen, " ") --> 20 30 a1 b2 c3
      -- records and lists of the state have their own order
      state.items:append { name = "pen", price = 2 }
      local seen = {}
      for position, item in pairs(state.items) do
        for key, value in pairs(item) do seen[#seen + 1] = key .. "=" .. value end
      end
      return table.concat(seen, " ") --> id=1 name=pen price=2
      -- what isn't a table is refused, with the line
      for k in pairs(nil) do end
      --> run:1: bad argument #1 to 'for iterator' (table expected, got nil)
      next(5) --> run:1: bad argument #1 to 'next' (table expected, got number)
      next({}, print)
      --> run:1: next can't go on after a function here, as such keys have no order; use pairs
      """))
  func actions(example: LuaCase) async throws {
    let call = "return x.run([=[\(example.code)]=])"
    try await app.check(LuaCase(example.description, call, example.result))
  }

  @Test("scripts have Lua's own")
  func scripts() async throws {
    #expect(try await app.run("return pairs {} == next") == "true")
  }
}
