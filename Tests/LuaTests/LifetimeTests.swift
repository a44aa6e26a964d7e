import Foundation
import Lua
import Testing

@MainActor
@Suite("Lifetime", .timeLimit(.minutes(5)))
struct LifetimeTests {
  let counter = LifeCounter()

  private func makeFixture() throws -> Fixture {
    let fixture = try Fixture()
    let counter = counter
    fixture.host.function("new", "x") { (x: Int?) in Point(x: x ?? 0, of: counter) }
    fixture.host.function("fail") { () throws -> Void in throw counter.token() }
    fixture.host.function("call", "fn", "values") {
      (function: LuaFunction, values: LuaVariadic) -> LuaVariadic in
      let token = counter.token()
      defer { withExtendedLifetime(token) {} }
      return LuaVariadic(try function.call())
    }
    fixture.host.function("take", "p", "n") { (point: Point, n: Int) in point.x + n }
    fixture.host.asyncFunction("failLater") {
      { () async throws -> Void in
        await Task.yield()
        throw counter.token()
      }
    }
    let gate = Gate()
    fixture.host.asyncFunction("wait") { () throws -> () async throws -> Void in
      let token = counter.token()
      return {
        defer { withExtendedLifetime(token) {} }
        try await gate.pass()
      }
    }
    try fixture.install()
    return fixture
  }

  @Test(
    "nothing remains of objects and errors after a script failed or caught errors",
    arguments: [
      "host.fail()", "pcall(host.fail)", "host.new(1):sum('x')", "pcall(host.take, host.new(1))",
      "host.take(host.new(1), 1.5)", "host.call(function() host.fail() end)",
      "pcall(host.call, function() error(host.new(1)) end)", "error(host.new(1))",
      "host.call(function() error({host.new(1)}) end)", "host.new(1).unknown = 1",
      "host.call(function() host.call(5) end)",
      "pcall(host.call, function() host.call(function() host.fail() end) end)",
      "coroutine.wrap(function() host.new(1) host.fail() end)()",
      "local co = coroutine.wrap(function() local p = host.new(1) coroutine.yield() end) co()",
      "task.spawn(function() host.fail() end)", "table.sort({1, 2, 3}, function() host.fail() end)",
    ])
  func afterErrors(source: String) async throws {
    let fixture = try makeFixture()
    do {
      try fixture.call(source)
    } catch {
      #expect(error is LuaError)
    }
    #expect(try fixture.stackCount == 0)
    do {
      try await fixture.run(source)
    } catch {
      #expect(error is LuaError)
    }
    _ = fixture.state.takeTaskFailures()
    #expect(try fixture.stackCount == 0)
    try fixture.state.collectAll()
    #expect(counter.alive == 0)
  }

  @Test("a Swift error keeps its objects only as long as Swift holds it")
  func heldError() throws {
    let fixture = try makeFixture()
    var error: LuaError? = try fixture.failure("host.fail()")
    try fixture.state.collectAll()
    #expect(counter.alive == 1)
    #expect(error != nil)
    error = nil
    try fixture.state.collectAll()
    #expect(counter.alive == 0)
  }

  @Test("nothing remains of a wait that failed or was cancelled")
  func afterWaits() async throws {
    let fixture = try makeFixture()
    try await fixture.run(
      """
      pcall(host.failLater)
      local t = task.spawn(host.wait)
      t:cancel()
      pcall(t.await, t)
      """)
    try fixture.state.collectAll()
    #expect(counter.alive == 0)
  }

  @Test("a wait that can't begin keeps nothing")
  func refusedWait() async throws {
    let fixture = try makeFixture()
    _ = try await fixture.failureOfTask("table.sort({1, 2}, function() host.wait() end)")
    _ = try fixture.failure("host.wait()")
    try fixture.state.collectAll()
    #expect(counter.alive == 0)
  }

  @Test("closing releases everything that Lua holds")
  func close() async throws {
    let fixture = try makeFixture()
    let token = counter.token()
    let module = LuaModule("module", help: "Holds a token.")
    module.function("get") { withExtendedLifetime(token) {} }
    try fixture.state.setGlobal("module", to: module)
    try fixture.call("points = {host.new(1), host.new(2)} ok, err = pcall(host.fail)")
    _ = try fixture.state.start(fixture.state.load("host.wait()"))
    #expect(counter.alive == 5)
    fixture.state.close()
    // The wait was cancelled, and ends on its own.
    try await counter.waitUntilAlive(atMost: 1)
    #expect(counter.alive == 1)
    withExtendedLifetime(module) {}
  }

  @Test("a state that is closed or released by what its code calls closes when that has ended")
  func closingFromInside() async throws {
    var states: [LuaState] = []
    for release in [true, false] {
      states = [try LuaState()]
      let tokens = counter
      let host = LuaModule("host", help: "Ends the state.")
      host.function("quit") { if release { states = [] } else { states[0].close() } }
      try states[0].setGlobal("host", to: host)
      try states[0].setGlobal("point", to: Point(of: tokens))
      let chunk = try states[0].load("host.quit() return 'went on'")
      #expect(try chunk.call() == ["went on"])
      try await tokens.waitUntilAlive(atMost: 0)
      #expect(throws: LuaError.self) { try chunk.call() }
    }
  }

  @Test("a state outside any actor can be closed and released by what its code calls, too")
  func closingFromInsideWithoutActor() async throws {
    let results = try await Task.detached {
      var results: [Bool] = []
      for release in [true, false] {
        var states = [try LuaState()]
        let host = LuaModule("host", help: "Ends the state.")
        host.function("quit") { if release { states = [] } else { states[0].close() } }
        try states[0].setGlobal("host", to: host)
        let chunk = try states[0].load("host.quit() return 'went on'")
        results.append(try chunk.call() == ["went on"])
        do {
          try chunk.call()
          results.append(false)
        } catch let error as LuaError {
          results.append(error.is(.stateClosed))
        }
      }
      return results
    }.value
    #expect(results == [true, true, true, true])
  }

  @Test("an object that owns its state can be collected by it")
  func ownedState() async throws {
    var owners: [StateOwner] = [StateOwner(state: try LuaState(), token: counter.token())]
    try owners[0].state.setGlobal("owner", to: owners[0])
    let collect = try owners[0].state.load("owner = nil collectgarbage() collectgarbage()")
    owners = []
    try collect.call()
    try await counter.waitUntilAlive(atMost: 0)
  }

  @Test("a state that is released closes itself, though its tables and functions are still held")
  func released() throws {
    var fixture: Fixture? = try makeFixture()
    try fixture?.call("point = host.new(1) function get() return point end")
    let function: LuaFunction? = try fixture?.state.global("get")
    fixture = nil
    #expect(counter.alive == 0)
    let error = #expect(throws: LuaError.self) { try function?.call() }
    #expect(error?.is(.stateClosed) == true)
  }

  @Test("a state, table or function used after close throws state_closed")
  func usedAfterClose() async throws {
    let fixture = try makeFixture()
    let table = try fixture.state.globals()
    let function = try fixture.state.load("return 1")
    fixture.state.close()
    fixture.state.close()
    let uses: [() throws -> Void] = [
      { try table.set("x", to: 1) }, { _ = try table.get("x", as: LuaValue.self) },
      { _ = try table.length() }, { _ = try table.entries() }, { _ = try table.rawGet(1) },
      { try table.rawSet(1, to: 1) }, { _ = try table.rawLength() },
      { try table.setMetatable(nil) },
      { _ = try table.metatable() }, { try function.call() },
      { try fixture.state.redirectOutput { _ in } }, { _ = try fixture.state.function("f") { 1 } },
      { _ = try fixture.state.load("") },
      { _ = try fixture.state.start(function) }, { _ = try fixture.state.globals() },
      { try fixture.state.collectGarbage() }, { _ = try fixture.state.memoryUsed() },
      { _ = try fixture.state.interrupter() }, { try fixture.install() },
    ]
    for use in uses {
      let error = #expect(throws: LuaError.self) { try use() }
      #expect(error?.is(.stateClosed) == true)
    }
    let error = await #expect(throws: LuaError.self) { _ = try await fixture.state.run(function) }
    #expect(error?.is(.stateClosed) == true)
  }

  @Test("a finalizer that runs while the state closes may call host functions, even collected ones")
  func finalizersWhileClosing() throws {
    let fixture = try makeFixture()
    var outcomes: [Bool] = []
    fixture.host.function("note", "ok") { (ok: Bool) in outcomes.append(ok) }
    try fixture.install()
    try fixture.call(
      """
      local host = host
      keep = setmetatable({}, {__gc = function()
        host.note((pcall(host.fail)))
        host.note((pcall(host.new, 1)))
        host.note((pcall(later.get)))
      end})
      """)
    // Objects made later are finalized first.
    let later = LuaModule("later", help: "Made after the finalizer.")
    later.function("get") {}
    try fixture.state.setGlobal("later", to: later)
    fixture.state.close()
    #expect(outcomes == [false, true, false])
    #expect(counter.alive == 0)
  }

  @Test("a function that was collected together with its caller raises an error")
  func collectedFunction() throws {
    let fixture = try makeFixture()
    let module = LuaModule("module", help: "Made after the finalizer.")
    var calls = 0
    module.function("get") { calls += 1 }
    let made = module
    fixture.host.function("make") { ModuleBox(made) }
    try fixture.install()
    try fixture.call(
      """
      local get
      local object = setmetatable({}, {__gc = function() result = {pcall(get)} end})
      get = host.make().get
      object, get = nil, get
      """)
    try fixture.state.collectAll()
    #expect(
      try fixture.call("return result[1], tostring(result[2])")
        == [false, "the host function was collected already"])
    #expect(calls == 0)
  }

  @Test("a finalizer's use of the state while Swift collects garbage leaves it in order")
  func finalizersWhileCollecting() throws {
    let fixture = try makeFixture()
    try fixture.call(
      """
      setmetatable({}, {__gc = function() made = host.new(1) result = host.take(made, 41) end})
      """)
    try fixture.state.collectGarbage()
    #expect(try fixture.call("return result") == [42])
    #expect(try fixture.stackCount == 0)
  }
}

/// Pushes a module as a function's result.
private struct ModuleBox: LuaPushable {
  private let module: LuaModule

  init(_ module: LuaModule) { self.module = module }

  static var luaTypeName: String { "table" }

  func push(to stack: LuaStack) throws(LuaError) { try module.push(to: stack) }
}

/// An object exposed to Lua that owns the state it is exposed in.
private final class StateOwner: LuaExposed {
  let state: LuaState
  private let token: LifeCounter.Token

  init(state: LuaState, token: LifeCounter.Token) {
    self.state = state
    self.token = token
  }

  static var luaTypeName: String { "owner" }

  static func describe(_ members: LuaClass<StateOwner>) {}
}
