import Lua
import Testing
import TestSupport

@MainActor
@Suite("Tasks", .timeLimit(.minutes(5)))
struct TaskTests {
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
      -- a spawned task runs until its first wait, and then concurrently
      local seen = {}
      local t = task.spawn(function(a, b, ...)
        seen[#seen + 1] = a
        host.later()
        seen[#seen + 1] = b
        return 'result', nil, select('#', ...)
      end, 'first', 'third', nil)
      seen[#seen + 1] = 'second'
      local a, b, c = t:await()
      return table.concat(seen, ' '), a, b, c, t.status --> first second third result nil 1 done
      -- a task can be awaited twice, and by several
      local t = task.spawn(function() return host.later(7) end)
      local other = task.spawn(function() return t:await() + 1 end)
      return t:await(), t:await(), other:await() --> 7 7 8
      -- awaiting a task that failed raises its error, the same value each time
      local value = {}
      local t = task.spawn(function() host.later() error(value) end)
      local a, e = pcall(t.await, t)
      local b, f = pcall(t.await, t)
      return a, e == value, b, f == value, t.status --> false true false true failed
      -- cancelling a task cancels what it waits for, which the task can catch
      local caught
      local t = task.spawn(function()
        local ok, e = pcall(host.gate)
        caught = e.code
        return 'cleaned up'
      end)
      t:cancel()
      return t:await(), caught, t.status --> cleaned up cancelled done
      -- a cancelled task that doesn't catch the error is cancelled, not failed
      local t = task.spawn(function() host.gate() end)
      t:cancel()
      local ok, e = pcall(t.await, t)
      t:cancel()
      return ok, e.code, t.status --> false cancelled cancelled
      -- cancelling a task that has ended does nothing
      local t = task.spawn(type, 7) t:cancel() return t:await(), t.status --> number done
      -- a cancelled task's later waits are cancelled too
      local t = task.spawn(function()
        pcall(host.gate)
        return select('#', pcall(host.gate)), (pcall(task.sleep, 60))
      end)
      t:cancel()
      return t:await() --> 2 false
      -- while one task sleeps, others continue
      local slow = task.spawn(task.sleep, 3600)
      task.sleep(0)
      local status = slow.status
      slow:cancel()
      return status, (pcall(slow.await, slow)) --> waiting false
      -- a finalizer can start a task while another one begins to wait
      local function drop()
        setmetatable({}, {__gc = function() task.spawn(task.sleep, 0) end})
      end
      local n = 0
      collectgarbage("generational")
      for i = 1, 300 do drop() n = n + host.later(1) end
      collectgarbage()
      return n --> 300
      -- a task can't wait for itself
      local t
      t = task.spawn(function()
        host.later()
        return coroutine.wrap(function() return pcall(t.await, t) end)()
      end)
      local ok, e = t:await()
      return ok, e.code, e.message --> false cannot_wait a task can't wait for itself
      -- a thousand tasks wait concurrently
      local tasks = {}
      for i = 1, 1000 do tasks[i] = task.spawn(function() return host.later(i) end) end
      local sum = 0
      for _, t in ipairs(tasks) do sum = sum + t:await() end
      return sum --> 500500
      """))
  func scripts(example: LuaCase) async throws {
    #expect(try await fixture.run(example.code).texts == example.result)
    #expect(await fixture.state.finishTasks().isEmpty)
  }

  @Test("a task has a status")
  func status() async throws {
    let source = """
      local own
      local t = task.spawn(function() host.gate() end)
      local running = task.spawn(function() own = task.spawn(print) end)
      return t.status, running.status, own.status, tostring(t)
      """
    #expect(try await fixture.run(source) == ["waiting", "done", "done", "task (waiting)"])
    gate.open()
    #expect(await fixture.state.finishTasks().isEmpty)
  }

  @Test("sleeping refuses what isn't a time", arguments: ["-0.1", "0/0", "math.huge", "86400.5"])
  func sleepRange(seconds: String) async throws {
    let error = try await fixture.failureOfTask("task.sleep(\(seconds))")
    #expect(error.is(.numberOutOfRange))
    #expect(error.message.hasPrefix("task.sleep needs 0 to 86400 seconds, not "))
  }

  @Test("failures of tasks that were never awaited are returned once, in order")
  func unobservedFailures() async throws {
    try await fixture.run(
      """
      task.spawn(function() host.later() host.later() error('late', 0) end)
      task.spawn(function() error('at once', 0) end)
      task.spawn(function() host.later() error('soon', 0) end)
      local seen = task.spawn(function() error('seen', 0) end)
      pcall(seen.await, seen)
      task.spawn(task.sleep, 60):cancel()
      """)
    let failures = await fixture.state.finishTasks()
    #expect(failures.map(\.message) == ["at once", "soon", "late"])
    #expect(await fixture.state.finishTasks().isEmpty)
    #expect(fixture.state.takeTaskFailures().isEmpty)
  }

  @Test("finishing waits for tasks that tasks start")
  func finishTasks() async throws {
    try await fixture.run(
      """
      task.spawn(function()
        host.later()
        task.spawn(function() host.later() finished = true end)
      end)
      """)
    #expect(await fixture.state.finishTasks().isEmpty)
    #expect(try fixture.state.global("finished") == true)
  }

  @Test("cancelling the caller of finishTasks stops all tasks")
  func cancelFinish() async throws {
    try await fixture.run(
      "for i = 1, 3 do task.spawn(function() while true do pcall(host.gate) end end) end")
    let state = fixture.state
    let finishing = Task { await state.finishTasks().count }
    await Task.yield()
    finishing.cancel()
    #expect(await finishing.value == 3)
    #expect(try fixture.call("return 'still works'") == ["still works"])
  }

  @Test("cancelling the Swift task that runs a chunk stops the chunk, even inside pcall")
  func cancelRun() async throws {
    let fixture = fixture
    let running = Task { () -> LuaError? in
      do {
        try await fixture.run("while true do pcall(host.gate) end")
        return nil
      } catch {
        return error as? LuaError
      }
    }
    await Task.yield()
    running.cancel()
    let error = try #require(await running.value)
    #expect(error.is(.interrupted))
    #expect(try await fixture.run("return host.later('still works')") == ["still works"])
  }

  @Test("closing the state ends the tasks that wait with state_closed")
  func closeWhileWaiting() async throws {
    let task = try fixture.state.start(fixture.state.load("host.gate()"))
    #expect(task.status == .waiting)
    fixture.state.close()
    #expect(task.status == .failed)
    let error = await #expect(throws: LuaError.self) { _ = try await task.value() }
    #expect(error?.is(.stateClosed) == true)
    gate.open()
    await Task.yield()
  }

  @Test("an operation can close the state, which then ends the task when that waits")
  func closeInsideWait() async throws {
    let state = fixture.state
    fixture.host.asyncFunction("quit") { { state.close() } }
    try fixture.install()
    let error = try await fixture.failureOfTask("host.quit() host.later(1)")
    #expect(error.is(.stateClosed))
  }

  @Test("results of code that waits can be had as types, and the wrong one is named")
  func typedResults() async throws {
    let function = try fixture.state.load("host.later(1) return ..., 'text', nil")
    #expect(try await fixture.state.run(function, [7], as: Int.self) == 7)
    let (number, text, none) = try await fixture.state.run(
      function, [7], as: (Int, String, Int?).self)
    #expect((number, text, none) == (7, "text", nil))
    let all = try await fixture.state.run(function, [7], as: LuaVariadic.self)
    #expect(all.values == [7, "text", .nil])
    let error = await #expect(throws: LuaError.self) {
      _ = try await fixture.state.run(function, [7], as: (Int, Int).self)
    }
    #expect(error?.message == "result #2: integer expected, got string")
  }

  @Test("a variadic parameter takes nothing where no arguments are left")
  func missingArguments() throws {
    let count = try fixture.state.function("count") { (first: Int?, rest: LuaVariadic) in
      rest.values.count
    }
    #expect(try count.call() == [0])
    #expect(try count.call(1, 2, 3) == [2])
  }

  @Test("a task started from Swift gets its arguments and returns its results")
  func start() async throws {
    let function = try fixture.state.load("local a, b = ... return host.later(a), b")
    let task = try fixture.state.start(function, [1, "x"])
    #expect(task.status == .waiting)
    #expect(try await task.value() == [1, "x"])
    #expect(task.status == .done)
  }

}
