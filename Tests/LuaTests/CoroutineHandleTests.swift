import Testing

@testable import Lua

@MainActor
@Suite("Coroutines from Swift")
struct CoroutineHandleTests {
  let fixture: Fixture
  var state: LuaState { fixture.state }

  init() throws {
    fixture = try Fixture()
    fixture.addLater()
    fixture.addCall()
    try fixture.addStop()
    try fixture.install()
  }

  private func coroutine(_ source: String) throws -> LuaCoroutine {
    try state.makeCoroutine(state.load(source, name: .text("test")))
  }

  @Test("values go in by resume, and come out by yield and return")
  func values() throws {
    let coroutine = try coroutine(
      "local a, b = ... local c = coroutine.yield(a + b) return c, 'end'")
    #expect(try coroutine.resume(1, 2) == [3])
    #expect(try coroutine.resume("x") == ["x", "end"])
  }

  @Test("its status follows what it does")
  func status() throws {
    let coroutine = try coroutine("inner = coroutine.running() host.look() coroutine.yield()")
    var inside: LuaCoroutine.Status?
    fixture.host.function("look") { inside = try coroutine.status }
    try fixture.install()
    #expect(try coroutine.status == .suspended)
    try coroutine.resume()
    #expect(inside == .running)
    #expect(try coroutine.status == .suspended)
    #expect(try state.global("inner", as: LuaCoroutine.self) == coroutine)
    try coroutine.resume()
    #expect(try coroutine.status == .dead)
  }

  @Test("a coroutine that resumed another one is normal")
  func normal() throws {
    let outer = try coroutine("host.call(inner)")
    var status: LuaCoroutine.Status?
    try state.setGlobal(
      "inner",
      to: state.function("inner") {
        let inner = try self.coroutine("host.look()")
        try inner.resume()
      })
    fixture.host.function("look") { status = try outer.status }
    try fixture.install()
    try outer.resume()
    #expect(status == .normal)
  }

  @Test("results are read as types, and a wrong one is named")
  func types() throws {
    let coroutine = try coroutine("coroutine.yield('a', 1) return 'b'")
    let (name, count) = try coroutine.resume(as: (String, Int).self)
    #expect((name, count) == ("a", 1))
    let error = #expect(throws: LuaError.self) { try coroutine.resume(as: (String, Int).self) }
    #expect(error?.message == "result #2: integer expected, got nil")
  }

  @Test("an error inside is thrown with its location and the coroutine's traceback")
  func failure() throws {
    let coroutine = try coroutine(
      "local function fail()\n error('boom')\nend\ncoroutine.yield()\nfail()")
    try coroutine.resume()
    let error = try #require(throws: LuaError.self) { try coroutine.resume() }
    #expect(error.code == .runtime)
    #expect(error.message == "test:2: boom")
    #expect(error.location == "test:2")
    #expect(error.traceback?.contains("test:2: in") == true)
    #expect(error.traceback?.contains("test:5: in main chunk") == true)
    #expect(try coroutine.status == .dead)
    #expect(try fixture.stackCount == 0)
  }

  @Test("an error value and a Swift error keep their identity")
  func identity() throws {
    struct Failure: Error {}
    fixture.addFail(with: Failure())
    try fixture.install()
    let host = try #require(throws: LuaError.self) { try coroutine("host.fail()").resume() }
    #expect(host.underlying is Failure)
    #expect(host.location == "test:1")
    let table = try #require(throws: LuaError.self) {
      try coroutine("thrown = {} error(thrown)").resume()
    }
    #expect(try state.value(of: table) == .table(state.global("thrown")))
  }

  @Test("one that has ended, failed or runs can't be resumed")
  func notSuspended() throws {
    let ended = try coroutine("")
    try ended.resume()
    #expect(try problem { try ended.resume() } == "runtime_error: cannot resume dead coroutine")
    let failed = try coroutine("error('boom', 0)")
    #expect(throws: LuaError.self) { try failed.resume() }
    let over = try #require(throws: LuaError.self) { try failed.resume() }
    #expect(over.message == "cannot resume dead coroutine")
    #expect(over.traceback?.contains("boom") != true)

    let running = try coroutine("host.again()")
    fixture.host.function("again") {
      try running.resume()
      return
    }
    try fixture.install()
    let error = try #require(throws: LuaError.self) { try running.resume() }
    #expect(error.message == "cannot resume non-suspended coroutine")
  }

  // MARK: - Closing

  @Test("closing runs the pending handlers")
  func close() throws {
    let coroutine = try coroutine(
      """
      local x <close> = setmetatable({}, {__close = function() closed = true end})
      coroutine.yield()
      """)
    try coroutine.resume()
    try coroutine.close()
    #expect(try coroutine.status == .dead)
    #expect(try state.global("closed") == true)
    try coroutine.close()
  }

  @Test("what a handler raises is thrown, once")
  func failingClose() throws {
    let source = """
      local x <close> = setmetatable({}, {__close = function() error('late', 0) end})
      coroutine.yield() error('early', 0)
      """
    let suspended = try coroutine(source)
    try suspended.resume()
    let error = try #require(throws: LuaError.self) { try suspended.close() }
    #expect(error.message == "late")
    #expect(try suspended.status == .dead)
    let failed = try coroutine(source)
    try failed.resume()
    #expect(throws: LuaError.self) { try failed.resume() }
    let late = try #require(throws: LuaError.self) { try failed.close() }
    #expect(late.message == "late")
  }

  @Test("closing one that failed gives the handlers its error, and doesn't throw it again")
  func closeFailed() throws {
    let coroutine = try coroutine(
      """
      local x <close> = setmetatable({}, {__close = function(_, e) seen = e end})
      error('boom', 0)
      """)
    #expect(throws: LuaError.self) { try coroutine.resume() }
    #expect(try state.global("seen", as: String?.self) == nil)
    try coroutine.close()
    #expect(try state.global("seen") == "boom")
  }

  @Test("one that failed in a script can be closed")
  func closeFailedInScript() throws {
    let values = try fixture.call(
      "local c = coroutine.create(error) coroutine.resume(c) return c")
    try values[0].as(LuaCoroutine.self).close()
    let reading = try fixture.call(
      "local c = coroutine.create(function(...) local a, b = ... error() end) coroutine.resume(c, 1) return c"
    )
    try reading[0].as(LuaCoroutine.self).close()
  }

  @Test("one that runs can't be closed")
  func closeRunning() throws {
    let coroutine = try coroutine("host.close()")
    fixture.host.function("close") { try coroutine.close() }
    try fixture.install()
    let error = try #require(throws: LuaError.self) { try coroutine.resume() }
    #expect(error.message == "cannot close a running coroutine")
  }

  // MARK: - Waiting and limits

  @Test("what waits in it raises an error that says why", arguments: [false, true])
  func waiting(inTask: Bool) async throws {
    let coroutine = try coroutine("return host.later(1)")
    try state.setGlobal(
      "resume", to: state.function("resume") { LuaVariadic(try coroutine.resume()) })
    let error =
      inTask ? try await fixture.failureOfTask("resume()") : try fixture.failure("resume()")
    #expect(error.code == .cannotWait)
    #expect(error.message == "host.later waits, and what resumed its coroutine can't be suspended")
  }

  @Test("a task's own coroutine is neither resumed nor closed while it waits")
  func taskCoroutine() async throws {
    let state = state
    let task = try state.start(state.load("own = coroutine.running() return host.later(5)"))
    let own = try state.global("own", as: LuaCoroutine.self)
    #expect(try own.status == .normal)
    #expect(throws: LuaError.self) { try own.resume() }
    #expect(throws: LuaError.self) { try own.close() }
    #expect(try await task.value() == [5])
    #expect(try own.status == .dead)
  }

  @Test("limits and interrupts stop it, whatever it catches, and it is dead then")
  func limits() throws {
    state.limitInstructions(to: 100_000)
    let endless = try coroutine("while true do pcall(error) end")
    let limit = try #require(throws: LuaError.self) { try endless.resume() }
    #expect(limit.code == .instructionLimit)
    #expect(try endless.status == .dead)
    #expect(throws: LuaError.self) { try endless.close() }
    let interrupted = try coroutine("pcall(host.stop) while true do end")
    let stop = try #require(throws: LuaError.self) { try interrupted.resume() }
    #expect(stop.code == .interrupted)
    #expect(try fixture.call("return 1") == [1])
  }

  @Test("coroutines that resume each other through Swift end in an error")
  func nested() throws {
    try state.setGlobal(
      "deeper",
      to: state.function("deeper") { (function: LuaFunction) in
        LuaVariadic(try self.state.makeCoroutine(function).resume())
      })
    let error = try fixture.failure("local function f() deeper(f) end f()")
    #expect(error.message.contains("stack overflow"))
    #expect(try fixture.call("return 1") == [1])
  }

  @Test("one of another state, or of one that was closed, is refused")
  func foreign() throws {
    let other = try LuaState()
    let function = try other.load("")
    #expect(throws: LuaError.self) { try state.makeCoroutine(function) }
    let coroutine = try other.makeCoroutine(function)
    #expect(throws: LuaError.self) { try state.setGlobal("c", to: coroutine) }
    other.close()
    for body in [
      { try coroutine.resume() }, { try coroutine.close() }, { _ = try coroutine.status },
    ] as [() throws -> Void] {
      let error = #expect(throws: LuaError.self) { try body() }
      #expect(error?.code == .stateClosed)
    }
    #expect(try fixture.stackCount == 0)
  }

  @Test("one is made and resumed in a finalizer")
  func inFinalizer() throws {
    var results: [LuaValue] = []
    let state = state
    try state.setGlobal(
      "make",
      to: state.function("make") { (function: LuaFunction) in
        results = try state.makeCoroutine(function).resume(7)
      })
    try fixture.call(
      "setmetatable({}, {__gc = function() make(function(n) return coroutine.yield(n) end) end})")
    try state.collectAll()
    #expect(results == [7])
  }

  @Test("it is read from Lua, and refused as another type")
  func reading() throws {
    let values = try fixture.call("return coroutine.create(print), print")
    #expect(try values[0].as(LuaCoroutine.self).status == .suspended)
    let error = #expect(throws: LuaError.self) { try values[1].as(LuaCoroutine.self) }
    #expect(error?.message == "thread expected, got function")
  }
}
