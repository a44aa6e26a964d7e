import TestSupport
import Testing

@testable import Lua

@MainActor
@Suite("Coroutines")
struct CoroutineTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    fixture.addLater()
    fixture.addFailLater(with: LuaError(.cancelled, "failed later"))
    try fixture.install()
  }

  /// Each expectation is what the `lua5.4` command prints for the same expression.
  @Test(
    "wrong uses raise or return the messages of the lua command",
    arguments: LuaCase.pairs(
      """
      pcall(coroutine.resume)
      --> bad argument #1 to 'coroutine.resume' (thread expected, got no value)
      coroutine.resume(coroutine.running()) --> cannot resume non-suspended coroutine
      coroutine.resume(dead) --> cannot resume dead coroutine
      pcall(coroutine.wrap(function() error('deep') end)) --> test:5: deep
      pcall(finished) --> cannot resume dead coroutine
      pcall(coroutine.close, coroutine.running()) --> cannot close a running coroutine
      coroutine.wrap(function() return pcall(coroutine.close, main) end)()
      --> cannot close a normal coroutine
      coroutine.wrap(function() return coroutine.resume(main) end)()
      --> cannot resume non-suspended coroutine
      pcall(coroutine.yield) --> attempt to yield from outside a coroutine
      pcall(itself) --> test:4: cannot resume non-suspended coroutine
      coroutine.resume(coroutine.create(function() table.sort({1, 2, 3}, coroutine.yield) end))
      --> attempt to yield across a C-call boundary
      """))
  func messages(expression: String, message: String) async throws {
    let source = """
      main = coroutine.running()
      dead = coroutine.create(function() end) coroutine.resume(dead)
      finished = coroutine.wrap(function() end) finished()
      itself = coroutine.wrap(function() return (itself()) end)
      return \(expression)
      """
    #expect(try await fixture.run(source) == [false, .string(LuaString(message))])
  }

  @Test(
    "a wrong argument is named as by the lua command",
    arguments: [
      ("resume", "thread"), ("wrap", "function"), ("create", "function"), ("close", "thread"),
      ("status", "thread"), ("isyieldable", "thread"),
    ])
  func wrongArgument(name: String, type: String) async throws {
    #expect(
      try await fixture.run("return pcall(coroutine.\(name), 1)").texts
        == "false bad argument #1 to 'coroutine.\(name)' (\(type) expected, got number)")
  }

  @Test(
    "in tasks",
    arguments: LuaCase.list(
      """
      -- coroutine.running, isyieldable and status answer as at the lua command's top level
      local co, main = coroutine.running()
      return type(co), main, coroutine.isyieldable(), coroutine.status(co), coroutine.isyieldable(co)
      --> thread true false running false
      -- inside a coroutine they describe it
      local main = coroutine.running()
      return coroutine.wrap(function()
        local co, isMain = coroutine.running()
        return co ~= main, isMain, coroutine.isyieldable(), coroutine.status(co), coroutine.status(main)
      end)() --> true false true running normal
      -- the life of a coroutine shows in its status
      local co = coroutine.create(function(...) local got = coroutine.yield(...) return got end)
      local seen = {coroutine.status(co)}
      local _, a, b = coroutine.resume(co, 1, 2)
      seen[2] = coroutine.status(co)
      local _, c = coroutine.resume(co, 3)
      seen[3] = coroutine.status(co)
      return table.concat(seen, ' '), a, b, c --> suspended suspended dead 1 2 3
      -- close runs the pending __close handlers and returns their error
      local problem, closed = {}, 0
      local function suspended(handler)
        local co = coroutine.create(function()
          local x <close> = setmetatable({}, {__close = handler})
          coroutine.yield()
        end)
        coroutine.resume(co)
        return co
      end
      local fine = suspended(function() closed = closed + 1 end)
      local failing = suspended(function() error(problem) end)
      local a = coroutine.close(fine)
      local b, err = coroutine.close(failing)
      return a, closed, coroutine.status(fine), b, err == problem, coroutine.status(failing)
      --> true 1 dead false true dead
      -- a coroutine that failed can be closed, and returns its error again
      local co = coroutine.create(function() error('x', 0) end)
      coroutine.resume(co)
      return coroutine.close(co) --> false x
      -- a wrapped function closes its coroutine's variables when it fails
      local closed = false
      local ok, err = pcall(coroutine.wrap(function()
        local x <close> = setmetatable({}, {__close = function() closed = true end})
        error({})
      end))
      return ok, type(err), closed --> false table true
      -- a host function waits inside the script's own coroutine
      local co = coroutine.wrap(function(a)
        local x = host.later(a)
        local y = coroutine.yield(x)
        return x + host.later(y)
      end)
      return co(4), co(5) --> 4 9
      -- it waits through coroutines inside coroutines, wrapped and resumed, and inside pcall
      local function inner(n) return coroutine.wrap(function()
        local ok, value = pcall(host.later, n)
        coroutine.yield(value)
        return host.later(n + 1)
      end) end
      local outer = coroutine.create(function()
        local f = inner(1)
        coroutine.yield(f() + host.later(10))
        return f()
      end)
      local _, a = coroutine.resume(outer)
      local _, b = coroutine.resume(outer)
      return a, b, coroutine.status(outer) --> 11 2 dead
      -- an error of what it waited for goes through resume, wrap and pcall
      local a, e = coroutine.resume(coroutine.create(host.failLater))
      local b, f = pcall(coroutine.wrap(function() host.failLater() end))
      local c, g = coroutine.resume(coroutine.create(function()
        coroutine.wrap(function() host.failLater() end)()
      end))
      return a, e.message, b, f.message, c, g.message
      --> false failed later false failed later false failed later
      -- a generator whose coroutine waits works in a for loop
      local function each(list) return coroutine.wrap(function()
        for _, x in ipairs(list) do coroutine.yield(host.later(x * 2)) end
      end) end
      local sum = 0
      for x in each({1, 2, 3}) do sum = sum + x + host.later(1) end
      return sum --> 15
      -- a coroutine that waits can't be resumed or closed by another task, and is normal to it
      local co = coroutine.create(function() return host.later('value') end)
      local waiting = task.spawn(function() return coroutine.resume(co) end)
      local status = coroutine.status(co)
      local ok, message = coroutine.resume(co)
      local closed, reason = pcall(coroutine.close, co)
      local done, value = waiting:await()
      return status, ok, message, closed, reason, done, value
      --> normal false cannot resume non-suspended coroutine false cannot close a normal coroutine
      --> true value
      -- a task that waits can't be resumed or closed as a coroutine by another task
      local co
      local waiting = task.spawn(function() co = coroutine.running() return host.later(1) end)
      local status = coroutine.status(co)
      local ok, message = coroutine.resume(co)
      local closed, reason = pcall(coroutine.close, co)
      return status, ok, message, closed, reason, waiting:await()
      --> normal false cannot resume non-suspended coroutine false cannot close a normal coroutine 1
      """))
  func tasks(example: LuaCase) async throws { try await fixture.checkTask(example) }

  @Test("in a plain call they answer so, too")
  func plainCall() throws {
    let source = "local co, main = coroutine.running() return main, coroutine.isyieldable(), co"
    #expect(try fixture.call(source).prefix(2) == [true, false])
  }

  @Test("a finished task's own coroutine is dead, whatever it returned")
  func finishedTask() async throws {
    let source = "kept = coroutine.running() return print, 1, 2"
    #expect(try await fixture.run(source).count == 3)
    #expect(
      try await fixture.run("return coroutine.status(kept), coroutine.resume(kept)")
        == ["dead", false, "cannot resume dead coroutine"])
  }

  @Test("coroutines that close each other endlessly fail with an error, not a crash")
  func closingChain() throws {
    let fixture = try Fixture()
    let source = """
      local last
      for i = 1, 100000 do
        local previous = last
        last = coroutine.create(function()
          local x <close> = setmetatable({}, {__close = function()
            if previous then assert(coroutine.close(previous)) end
          end})
          coroutine.yield()
        end)
        coroutine.resume(last)
      end
      local ok, message = coroutine.close(last)
      return ok, message:find("C stack overflow", 1, true) ~= nil
      """
    #expect(try fixture.call(source) == [false, true])
  }

  @Test("coroutines nested endlessly fail with an error, not a crash")
  func nesting() async throws {
    let source = """
      local function nest(n) return coroutine.wrap(function() return nest(n + 1) end)() end
      return pcall(nest, 1)
      """
    let (ok, message) = try await fixture.run(source).values(as: (Bool, String).self)
    #expect(!ok && message.contains("C stack overflow"))
  }
}
