import Foundation
import Lua
import Testing

@MainActor
@Suite("Interrupts", .timeLimit(.minutes(5)))
struct InterruptTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    fixture.addLater()
    try fixture.addStop()
    fixture.addCall()
    fixture.host.function("swallow", "fn") { (function: LuaFunction) throws -> String in
      do {
        try function.call()
        return "fine"
      } catch let error as LuaError {
        return error.code.rawValue
      }
    }
    let interrupter = try fixture.state.interrupter()
    fixture.host.asyncFunction("stopAndWait") { () throws -> () async throws -> Void in
      _ = interrupter.interrupt()
      return { await Task.yield() }
    }
    try fixture.install()
    try fixture.call("function loop() while true do end end")
  }

  /// Scripts that interrupt themselves and then try to continue.
  nonisolated static let stubborn = [
    "host.stop() loop()",
    "for i = 1, 3 do pcall(function() host.stop() loop() end) end return 'swallowed'",
    "while true do pcall(function() host.stop() end) end",
    "xpcall(function() host.stop() loop() end, function() return 1 end) return 'swallowed'",
    "xpcall(function() host.stop() loop() end, function() loop() end) return 'swallowed'",
    "xpcall(error, function() host.stop() loop() end) return 'swallowed'",
    "xpcall(error, function() host.stop() xpcall(loop, loop) end) return 'swallowed'",
    "xpcall(host.stop, loop) loop()",
    "pcall(coroutine.wrap(function() host.stop() loop() end)) return 'swallowed'",
    "coroutine.resume(coroutine.create(function() host.stop() loop() end)) return 'swallowed'",
    """
    local co = coroutine.wrap(function() pcall(function() host.stop() loop() end) coroutine.yield() loop() end)
    pcall(co) pcall(co) return 'swallowed'
    """,
    """
    local inner = coroutine.wrap(function() host.stop() loop() end)
    coroutine.resume(coroutine.create(function() pcall(inner) loop() end))
    return 'swallowed'
    """,
    "local x <close> = setmetatable({}, {__close = loop}) host.stop() loop()",
    "pcall(function() local x <close> = setmetatable({}, {__close = loop}) host.stop() loop() end) return 'swallowed'",
    "pcall(coroutine.wrap(function() local x <close> = setmetatable({}, {__close = loop}) host.stop() loop() end)) return 'swallowed'",
    """
    pcall(coroutine.wrap(function()
      local x <close> = setmetatable({}, {__close = loop})
      table.sort({1, 2, 3}, function() host.stop() loop() end)
    end))
    return 'swallowed'
    """,
    """
    local co = coroutine.create(function()
      local x <close> = setmetatable({}, {__close = function() host.stop() loop() end})
      coroutine.yield()
    end)
    coroutine.resume(co)
    coroutine.close(co)
    return 'swallowed'
    """,
    "table.sort({1, 2, 3}, function() host.stop() loop() end)",
    "pcall(string.gsub, 'abc', '.', function() host.stop() loop() end) return 'swallowed'",
    "setmetatable({}, {__index = function() host.stop() loop() end}).field()",
    "host.call(function() host.stop() loop() end)",
    "host.swallow(function() host.stop() loop() end) loop()",
    "host.swallow(function() host.stop() loop() end) return 'swallowed'",
    "local t = setmetatable({}, {__tostring = loop}) host.stop() error(t)",
    "task.spawn(function() host.stop() loop() end) return 'swallowed'",
  ]

  @Test("an interrupt can't be swallowed by a chunk that is called", arguments: stubborn)
  func call(source: String) throws {
    let error = try fixture.failure(source)
    #expect(error.is(.interrupted))
    #expect(error.message == "interrupted")
    #expect(try fixture.stackCount == 0)
    #expect(try fixture.call("local t = {} for i = 1, 1000 do t[i] = {i} end return #t") == [1000])
  }

  @Test("an interrupt can't be swallowed by a task", arguments: stubborn)
  func task(source: String) async throws {
    let error = try await fixture.failureOfTask(source)
    #expect(error.is(.interrupted))
    #expect(try await fixture.run("return host.later('still works')") == ["still works"])
    #expect(try await fixture.run("return pcall(error, 'x')") == [false, "x"])
  }

  @Test(
    "an interrupt while a wait begins stops the task that begins to wait, and no other code",
    arguments: [
      "host.stopAndWait() loop()", "pcall(host.stopAndWait) return 'swallowed'",
      "pcall(coroutine.wrap(function() host.stopAndWait() loop() end)) return 'swallowed'",
    ])
  func whileWaitBegins(source: String) async throws {
    let task = try fixture.state.start(fixture.state.load(source))
    #expect(try fixture.call("return 'still works'") == ["still works"])
    let error = await #expect(throws: LuaError.self) { _ = try await task.value() }
    #expect(error?.is(.interrupted) == true)
  }

  @Test("the error of an interrupted task has the traceback of where it was stopped")
  func traceback() async throws {
    let error = try await fixture.failureOfTask(
      "local function busy()\n  host.stop()\n  while true do end\nend\nbusy()")
    #expect(error.traceback?.contains("in local 'busy'") == true)
    #expect(error.traceback?.contains("test:5: in") == true)
  }

  @Test(
    "an interrupt stops the tasks that await the one it stops, too",
    arguments: [
      "pcall(task.all, {function() host.stop() loop() end, loop}) return 'swallowed'",
      "local t = task.spawn(function() host.later() host.stop() loop() end) pcall(t.await, t) return 'swallowed'",
      "pcall(task.timeout, 60, function() host.later() host.stop() loop() end) return 'swallowed'",
      "pcall(task.timeout, 60, function() host.stop() loop() end) return 'swallowed'",
      "local function f(n) pcall(task.timeout, 60, n > 5 and host.stop or f, n + 1) loop() end f(1)",
      """
      local inner = task.spawn(function() host.later() host.stop() loop() end)
      local outer = task.spawn(function() pcall(inner.await, inner) loop() end)
      pcall(task.all, {outer}) return 'swallowed'
      """,
    ])
  func awaiting(source: String) async throws {
    #expect(try await fixture.failureOfTask(source).is(.interrupted))
    #expect(try await fixture.run("return host.later('still works')") == ["still works"])
  }

  @Test("awaiting a task that was interrupted before is an error that can be caught")
  func awaitedLater() async throws {
    let source = "interrupted = task.spawn(function() host.later() host.stop() loop() end)"
    _ = try await fixture.run(source)
    _ = await fixture.state.finishTasks()
    let results = try await fixture.run(
      "local ok, e = pcall(interrupted.await, interrupted) return ok, e.code")
    #expect(results == [false, "interrupted"])
  }

  @Test("a stop collects no garbage, however often it is caught")
  func collectsNothing() throws {
    let source = """
      collectgarbage('stop')
      weak = setmetatable({{}}, {__mode = 'v'})
      local function nested(depth) if depth > 0 then pcall(nested, depth - 1) else host.stop() end end
      nested(100)
      """
    _ = try fixture.failure(source)
    #expect(try fixture.call("return weak[1] ~= nil") == [true])
  }

  @Test("only the running task is interrupted; waiting tasks continue")
  func otherTasks() async throws {
    let waiting = try fixture.state.start(fixture.state.load("return host.later('untouched')"))
    let error = try await fixture.failureOfTask("host.stop() loop()")
    #expect(error.is(.interrupted))
    #expect(try await waiting.value() == ["untouched"])
  }

  @Test("with no code running there is nothing to interrupt, and nothing is left over")
  func idle() throws {
    #expect(try fixture.state.interrupter().interrupt() == .idle)
    #expect(try fixture.call("return 1") == [1])
  }

  @Test("an interrupt as the last thing a chunk does leaves nothing over for the next")
  func lastThing() throws {
    let stop = try fixture.read("host.stop", as: LuaFunction.self)
    let error = #expect(throws: LuaError.self) { try stop.call() }
    #expect(error?.is(.interrupted) == true)
    #expect(try fixture.call("return 1") == [1])
  }
}
