import CLua
import Lua
import Testing

@MainActor
@Suite("Lua's functions that could run forever", .timeLimit(.minutes(5)))
struct EndlessFunctionTests {
  /// A table that says it has as many elements as can be.
  nonisolated private static let long = "setmetatable({}, {__len = function() return 1 << 60 end})"

  @Test(
    "are stopped",
    arguments: [
      "table.move({}, 1, 1e15, 2)",
      "table.move({}, 2, 1e15, 1)",
      "table.move({}, 1, 1e15, 1, {})",
      "table.insert(\(long), 1, 'x')",
      "table.remove(\(long), 1)",
      "pcall(table.move, {}, 1, 1e15, 2) return 'swallowed'",
    ])
  func stopped(source: String) throws {
    let fixture = try Fixture()
    fixture.state.limitTime(to: .milliseconds(20))
    #expect(try fixture.failure(source).is(.timeLimit))
    #expect(try fixture.call("return 'works'") == ["works"])
  }

  @Test("end at once if there is nothing to do")
  func emptyText() throws {
    let fixture = try Fixture()
    #expect(try fixture.call("return string.rep('', 1e15)") == [""])
    #expect(try fixture.call("return (''):rep(math.maxinteger, '')") == [""])
  }

  /// Expressions that use the functions rightly and wrongly.
  nonisolated static let uses = [
    "list({insert(t)}, t)", "list({insert(t, 9)}, t)", "list({insert(t, 1, 9)}, t)",
    "list({insert(t, 2, nil)}, t)", "list({insert(t, 4, 9)}, t)", "list({insert(t, 5, 9)}, t)",
    "list({insert(t, 0, 9)}, t)", "list({insert(t, '2', 9)}, t)", "list({insert(t, 1.5, 9)}, t)",
    "list({insert(t, 1, 2, 3)}, t)", "insert()", "insert('x', 1)",
    "insert(setmetatable({}, {__len = function() return 'x' end}), 1)",
    "insert(setmetatable({}, {__len = function() return math.maxinteger end}), 1)",
    "insert(setmetatable({}, {__len = function() return -5 end}), 1, 1)",
    "list({remove(t)}, t)", "list({remove(t, 1)}, t)", "list({remove(t, 4)}, t)",
    "list({remove(t, 5)}, t)", "list({remove(t, 0)}, t)", "list({remove({})}, {})",
    "list({remove({}, 0)}, {})", "remove({}, 2)", "remove()", "remove(t, 'x')", "remove(t, 1, 2)",
    "list(move(t, 1, 3, 2))", "list(move(t, 2, 3, 1))", "list(move(t, 1, 3, 1, {}))",
    "list(move(t, 1, 0, 5))", "list(move(t, 1, 3, 3, t))", "move(t, 1, 3)", "move(t, 1, 2, 'x')",
    "move(t, math.mininteger, math.maxinteger, 1)", "move(t, 1, 2, math.maxinteger)",
    "move(nil, 1, 2, 3)", "move(t, 1, 2, 3, 4)",
    "list(move(proxy(t), 1, 3, 2, proxy(t)))", "list(move(t, 1, 3, 1, proxy({})))",
    "list({insert(proxy(t), 1, 9)}, t)", "list({remove(proxy(t), 1)}, t)",
    "rep('ab', 3, ',')", "rep('', 3, ',')", "rep('ab', 0)", "rep('', -1)", "rep(12, 2)",
    "rep('', 2, '')", "rep()", "rep('x')", "rep('', 1.5)", "rep('', 2, {})", "rep({}, 2)",
    "rep('x', 1 << 62)", "rep('', 1 << 62, 'x')", "('x'):rep({})", "(''):rep('x')",
  ]

  @Test("do what Lua's own do, errors included", arguments: uses)
  func faithful(expression: String) throws {
    let script = """
      local insert, remove, move, rep = table.insert, table.remove, table.move, string.rep
      local t = {1, 2, 3}
      local function proxy(t)
        return setmetatable({}, {
          __index = t, __newindex = t, __len = function() return #t end,
          __eq = function() return true end})
      end
      local function list(...)
        local texts = {}
        for i = 1, select('#', ...) do
          local t = select(i, ...)
          for j = 1, 6 do texts[#texts + 1] = tostring(t[j]) end
        end
        return table.concat(texts, ' ')
      end
      local _, result = pcall(function() return \(expression) end)
      return tostring(result)
      """
    let results = try Fixture().call(script)
    #expect(results == [.string(LuaString(try plainResult(of: script)))])
  }

  /// The results of a script where all functions are Lua's own.
  private func plainResult(of script: String) throws -> String {
    let state = try #require(luaL_newstate())
    defer { lua_close(state) }
    luaL_openlibs(state)
    #expect(luaL_loadbufferx(state, script, script.utf8.count, "=test", nil) == LUA_OK)
    #expect(lua_pcallk(state, 0, 1, 0, 0, nil) == LUA_OK)
    return String(cString: try #require(lua_tolstring(state, -1, nil)))
  }
}
