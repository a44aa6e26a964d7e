import SampleApp
import Testing
import TestSupport

@MainActor
@Suite("Modules before a script uses them")
struct UnusedModuleTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- are global variables, and the same tables in app
      local count, names = 0, {}
      for name, value in pairs(_G) do
        if app[name] ~= nil then
          count = count + 1
          assert(type(value) == "table" and value == app[name] and next(value) == nil)
          assert(rawget(_G, name) == value and tostring(value):find(name, 1, true) == 1)
        end
      end
      for name in next, app do names[#names + 1] = name end
      return count == #names, count > 6, type(json), type(task), type(clock)
      --> true true table table table
      -- stay in app when a script replaces their global variables
      counter, store = nil, "mine"
      app.counter.increment(5)
      return app.counter.count, app.store.position, store, counter --> 5 1 mine nil
      -- work under code that makes all global tables strict
      for name, value in pairs(_G) do
        if type(value) == "table" and value ~= _G then
          local mt = getmetatable(value)
          if mt == nil then mt = {} setmetatable(value, mt) end
          local old = mt.__index
          mt.__index = function(_, key) error(name .. "." .. key) end
          mt.__newindex = function(_, key) error(name .. "." .. key) end
        end
      end
      setmetatable(_G, {
        __index = function(_, name) error("undeclared " .. name) end,
        __newindex = function(_, name) error("undeclared " .. name) end,
      })
      counter.count = 4
      local ok, problem = pcall(function() return counter.cuont end)
      return counter.increment(), ok, problem.code, #favorites, json.encode({ 1 }), inspect({ 2 }),
        pcall(function() return undeclared end) --> 5 false unknown_field 0 [1] { 2 } false …
      """))
  func scripts(example: LuaCase) async throws { try await app.state.check(example) }

  @Test(
    "load with Lua's own functions, whatever a script has put in their place",
    arguments: [
      ("json.encode({ a = { 1, 2.5 } })", "{\"a\":[1,2.5]}"),
      ("json.encode(json.decode('{\"b\": []}'))", "{\"b\":[]}"),
      ("inspect({ a = { 1, \"x\" } })", "{ a = { 1, \"x\" } }"),
      ("new().counter.increment(3)", "3"),
      ("names(new())", "true"),
    ])
  func replacedLibraries(source: String, text: String) async throws {
    #expect(
      try await app.text(
        """
        local json, inspect, new, pairs_of = json, inspect, store.new, pairs
        local function names(app)
          for name in pairs_of(app) do if name == "persons" then return true end end
        end
        getmetatable("").__index = nil
        for _, library in ipairs({ string, table, math, utf8 }) do
          for name in next, library do library[name] = nil end
        end
        for _, name in ipairs({
          "type", "tostring", "tonumber", "pcall", "next", "pairs", "getmetatable", "setmetatable",
          "rawequal", "rawset", "ipairs",
        }) do
          _G[name] = false
        end
        return (\(source))
        """) == text)
  }
}
