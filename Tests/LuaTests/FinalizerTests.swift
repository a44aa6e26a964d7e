import Lua
import Testing
import TestSupport

@MainActor
@Suite("Finalizers of scripts", .timeLimit(.minutes(5)))
struct FinalizerTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    fixture.addLater()
    try fixture.addStop()
    try fixture.install()
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- run once, in the reverse order of their objects, with the object
      local seen = {}
      for i = 1, 3 do
        setmetatable({i}, {__gc = function(object) seen[#seen + 1] = object[1] end})
      end
      collectgarbage() collectgarbage()
      return table.concat(seen, ' ') --> 3 2 1
      -- are those in the metatable when the object is collected
      local seen
      local metatable = {__gc = true}
      setmetatable({}, metatable)
      metatable.__gc = function() seen = 'late' end
      setmetatable({}, {}).__gc = function() seen = 'never' end
      collectgarbage()
      return seen, metatable.__gc ~= nil --> late true
      -- can keep the object, and have it finalized again
      local count, kept = 0, nil
      local metatable = {}
      metatable.__gc = function(object)
        count = count + 1
        kept = object
        if count < 3 then setmetatable(object, metatable) end
      end
      setmetatable({}, metatable)
      for i = 1, 10 do kept = nil collectgarbage() end
      return count --> 3
      -- of an object that is still in use don't run, nor twice for two metatables
      local seen = {}
      local object = setmetatable({}, {__gc = function() seen[#seen + 1] = 'first' end})
      setmetatable(object, {__gc = function() seen[#seen + 1] = 'second' end})
      collectgarbage()
      local before = #seen
      object = nil
      collectgarbage() collectgarbage()
      return before, table.concat(seen, ' ') --> 0 second
      -- that fail don't disturb the running code
      setmetatable({}, {__gc = function() error('lost') end})
      setmetatable({}, {__gc = 'no function'})
      collectgarbage()
      return 'undisturbed' --> undisturbed
      -- of a protected metatable, and of values that aren't tables, behave as in Lua
      local object = setmetatable({}, {__metatable = 'locked'})
      local ok, message = pcall(setmetatable, object, {__gc = print})
      local second, other = pcall(setmetatable, 1, {__gc = print})
      return ok, message, second, other
      --> false cannot change a protected metatable false bad argument #1 to 'setmetatable' (table
      --> expected, got number)
      """))
  func scripts(example: LuaCase) throws { try fixture.check(example) }

  @Test(
    "have the name of their metamethod in debug.getinfo, and what they call doesn't",
    arguments: [
      ("note(debug.getinfo(1))", "metamethod __gc"),
      ("note(debug.getinfo(1, 'n'))", "metamethod __gc"),
      ("note(debug.getinfo(1, 'S'))", "nil nil"),
      ("note(debug.getinfo(coroutine.running(), 1, 'n'))", "metamethod __gc"),
      ("local function called() note(debug.getinfo(1, 'n')) end called()", "local called"),
      ("local function called() note(debug.getinfo(2, 'n')) end called()", "metamethod __gc"),
      ("return (function() note(debug.getinfo(1, 'n')) end)()", " nil"),
      ("coroutine.wrap(function() note(debug.getinfo(1, 'n')) end)()", " nil"),
      (
        "coroutine.wrap(function(c) note(debug.getinfo(c, 1, 'n')) end)((coroutine.running()))",
        "metamethod __gc"
      ),
      (
        "setmetatable({}, {__gc = function() end}) collectgarbage() note(debug.getinfo(1, 'n'))",
        "metamethod __gc"
      ),
    ])
  func name(body: String, expected: String) throws {
    let source = """
      local seen
      local function note(info) seen = tostring(info.namewhat) .. ' ' .. tostring(info.name) end
      setmetatable({}, {__gc = function() \(body) end})
      collectgarbage()
      return seen
      """
    #expect(try fixture.call(source) == [.string(LuaString(expected))])
  }

  @Test(
    "in tasks",
    arguments: LuaCase.list(
      """
      -- can't suspend, and say so
      local seen = {}
      setmetatable({}, {__gc = function()
        seen[1], seen[2] = pcall(host.later)
        seen[3] = pcall(coroutine.yield)
        seen[4] = coroutine.isyieldable()
        seen[5] = coroutine.wrap(function() coroutine.yield('inner') end)()
      end})
      collectgarbage()
      return seen[1], seen[2].code, seen[3], seen[4], seen[5]
      --> false cannot_wait false false inner
      """))
  func tasks(example: LuaCase) async throws { try await fixture.checkTask(example) }

  @Test(
    "that never end are stopped by an interrupt, with the running code",
    arguments: [
      "collectgarbage()", "while true do local t = {} end",
      "pcall(collectgarbage) while true do end",
    ])
  func interrupted(source: String) throws {
    let error = try fixture.failure(
      "setmetatable({}, {__gc = function() host.stop() while true do end end}) \(source)")
    #expect(error.is(.interrupted))
    #expect(try fixture.call("collectgarbage() return 1") == [1])
  }
}
