@testable import Lua
import Testing
import TestSupport

@MainActor
@Suite("task.all and task.timeout", .timeLimit(.minutes(5)))
struct TaskGroupTests {
  let fixture: Fixture
  let gate = Gate()

  init() throws {
    fixture = try Fixture()
    fixture.addLater()
    fixture.addGate(gate)
    try fixture.install()
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- all waits for tasks and functions, and returns their results by key
      local t = task.spawn(function() return host.later('spawned'), 'second' end)
      local r = task.all{t, function() return host.later('started') end, named = function() end}
      return r[1], r[2], r.named, #r, t.status --> spawned started nil 2 done
      -- all of nothing is an empty table at once
      return next(task.all{}) --> nil
      -- all of tasks that have ended gives their results
      local t = task.spawn(function() return 7 end)
      return task.all{t, t}[2] --> 7
      -- when one fails, all cancels the others, waits for them and raises its error
      local cleaned
      local waiting = task.spawn(function()
        local ok, e = pcall(host.gate)
        cleaned = e.code
        host.later()
      end)
      local ok, e = pcall(task.all, {
        waiting,
        function() host.later() error({reason = 'first'}) end,
        function() host.later() host.later() host.later() error('second') end,
      })
      return ok, e.reason, cleaned, waiting.status --> false first cancelled done
      -- cancelling a task that waits for all cancels these
      local inner = task.spawn(host.gate)
      local outer = task.spawn(function() task.all{inner, host.gate} end)
      outer:cancel()
      pcall(outer.await, outer)
      pcall(inner.await, inner)
      return outer.status, inner.status --> cancelled cancelled
      -- functions that all starts can't wait for the task that waits for them
      local me
      me = task.spawn(function()
        host.later()
        return task.all{function() return pcall(me.await, me) end}[1]
      end)
      return me:await() --> false
      -- many tasks can wait for the same ones quickly
      local function level(n, x, y)
        if n == 0 then return end
        local function both() task.all{x, y} end
        local a, b = task.spawn(both), task.spawn(both)
        level(n - 1, a, b)
        return task.all{a, b}
      end
      level(60, task.spawn(host.later), task.spawn(host.later))
      local last = task.spawn(host.later)
      for i = 1, 5000 do local before = last last = task.spawn(function() before:await() end) end
      last:await()
      return 'done' --> done
      -- timeout returns what the function returns in time
      return task.timeout(60, function(a, b) return host.later(a), b end, 1, 'x') --> 1 x
      -- timeout cancels a function that takes too long, and raises an error
      local cleaned
      local ok, e = pcall(task.timeout, 0.01, function()
        local ok, e = pcall(host.gate)
        cleaned = e.code
      end)
      return ok, e.code, e.message, cleaned
      --> false timeout took longer than 0.01 seconds cancelled
      -- cancelling a task inside a timeout cancels the function
      local inner
      local outer = task.spawn(task.timeout, 3600, function()
        local ok, e = pcall(host.gate)
        inner = e.code
      end)
      outer:cancel()
      pcall(outer.await, outer)
      while not inner do host.later() end
      return outer.status, inner --> cancelled cancelled
      -- timeouts nest, and the earliest counts
      local ok, e = pcall(task.timeout, 3600, function()
        return task.timeout(0.01, host.gate)
      end)
      return ok, e.code --> false timeout
      -- if Lua can't wait, neither starts anything
      local started = 0
      local function start() started = started + 1 end
      local function wait(f, ...)
        local arguments = {...}
        local ok, e = pcall(table.sort, {1, 2}, function() f(table.unpack(arguments)) end)
        return e.code
      end
      return wait(task.all, {start}), wait(task.timeout, 1, start), started
      --> cannot_wait cannot_wait 0
      -- a to-be-closed variable of a task may wait when the task fails
      local seen = {}
      local t = task.spawn(function()
        local x <close> = setmetatable({}, {__close = function(_, e)
          seen[1] = e
          seen[2] = host.later('waited')
        end})
        host.later()
        error('failed', 0)
      end)
      local ok, e = pcall(t.await, t)
      return ok, e, seen[1], seen[2] --> false failed failed waited
      """))
  func scripts(example: LuaCase) async throws {
    #expect(try await fixture.run(example.code).texts == example.result)
    #expect(await fixture.state.finishTasks().isEmpty)
  }

  @Test(
    "all refuses values that aren't tasks",
    arguments: ["task.all{1}", "task.all{'x'}", "task.all{task}", "task.all(1)", "task.all()"])
  func allOfOthers(source: String) async throws {
    let error = try await fixture.failureOfTask(source)
    #expect(error.is(.wrongType) || error.is(.badArgument))
  }

  @Test(
    "tasks that would wait for each other forever get an error",
    arguments: [
      "b = task.spawn(function() host.later() return pcall(a.await, a) end) return b:await()",
      "b = task.spawn(function() host.later() return pcall(task.all, {a}) end) return task.all{b}",
      """
      c = task.spawn(function() host.later() host.later() return pcall(a.await, a) end)
      b = task.spawn(function() host.later() return c:await() end)
      return b:await()
      """,
    ])
  func cycle(source: String) async throws {
    let source = """
      local a, b, c
      a = task.spawn(function() host.later() \(source) end)
      local ok, e = a:await()
      if type(ok) == 'table' then ok, e = ok[1], {code = 'cannot_wait'} end
      return ok, e.code
      """
    #expect(try await fixture.run(source) == [false, "cannot_wait"])
  }

  @Test(
    "functions that start each other endlessly fail",
    arguments: ["task.all{f}", "task.timeout(60, f)", "task.spawn(f):await()"])
  func recursion(call: String) async throws {
    let source = "local function f() return \(call) end return (pcall(f))"
    #expect(try await fixture.run(source) == [false])
    #expect(try await fixture.run("return host.later(1)") == [1])
  }

  @Test("a failure whose awaiting task was cancelled is reported")
  func failureAfterTimeout() async throws {
    let source = """
      local t = task.spawn(function() pcall(host.gate) error('late', 0) end)
      local ok, e = pcall(task.timeout, 0.01, function() t:await() end)
      t:cancel()
      return e.code
      """
    #expect(try await fixture.run(source) == ["timeout"])
    #expect(await fixture.state.finishTasks().map(\.message) == ["late"])
  }

  @Test("a wait that a cancelled task begins is cancelled at once")
  func cancelledFromStart() async throws {
    var begun = [Bool]()
    fixture.host.asyncFunction("begin") { { () async -> Void in begun.append(Task.isCancelled) } }
    try fixture.install()
    try await fixture.run(
      """
      local t = task.spawn(function() pcall(host.gate) host.begin() end)
      t:cancel()
      pcall(t.await, t)
      """)
    #expect(begun == [true])
  }

  @Test("timeout releases the functions that ended in time, however long the limit")
  func timeoutLetsGo() async throws {
    let core = fixture.state.core
    fixture.host.function("awaited") { core.scheduler.current?.awaited.count }
    try fixture.install()
    let results = try await fixture.run(
      "for i = 1, 10 do task.timeout(86400, function() end) end return host.awaited()")
    #expect(results == [0])
  }

  @Test("timeout raises the function's own error")
  func timeoutFailing() async throws {
    let error = try await fixture.failureOfTask(
      "task.timeout(60, function() host.later() error('own', 0) end)")
    #expect(error.message == "own")
    #expect(await fixture.state.finishTasks().isEmpty)
  }

  @Test("the traceback of a failed coroutine comes before that of its wrapper")
  func tracebackThroughWrap() async throws {
    let error = try await fixture.failureOfTask(
      """
      local function inner() error('deep') end
      local function generate() inner() end
      local function outer() coroutine.wrap(generate)() end
      coroutine.wrap(outer)()
      """)
    let traceback = try #require(error.traceback)
    let places = ["in upvalue 'inner'", "test:2: in function", "test:3: in function", "main chunk"]
    let positions = try places.map { try #require(traceback.firstRange(of: $0)).lowerBound }
    #expect(positions == positions.sorted())
  }

  @Test("the traceback of an error that was caught isn't shown for an equal one")
  func tracebackOfCaught() async throws {
    let error = try await fixture.failureOfTask(
      """
      pcall(coroutine.wrap(function() local function deep() error('same', 0) end deep() end))
      error('same', 0)
      """)
    #expect(error.traceback?.contains("deep") == false)
  }
}
