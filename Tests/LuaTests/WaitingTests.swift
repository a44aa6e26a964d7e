import Lua
import Testing
import TestSupport

@MainActor
@Suite("Waiting", .timeLimit(.minutes(5)))
struct WaitingTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    fixture.addLater()
    fixture.host.asyncFunction("now", "n") { (n: Int) in { n + 1 } }
    fixture.addFailLater(with: LuaError(.wrongType, "failed later"))
    fixture.addCall()
    try fixture.install()
    try fixture.state.setGlobal("p", to: Point(x: 9))
  }

  @Test(
    "in tasks",
    arguments: LuaCase.list(
      """
      -- a function that waits returns its result at top level and inside pcall
      return host.later(1), host.later('two') --> 1 two
      return pcall(host.later, 3) --> true 3
      return pcall(function() return host.later(1) + host.later(2) end) --> true 3
      return xpcall(host.later, print, 4) --> true 4
      -- a wrong argument is an error before anything waits
      host.now('x')
      --> bad_argument: bad argument #1 to 'host.now' (n: integer expected, got string)
      -- its error is raised where it was called
      local ok, e = pcall(host.failLater) return ok, e.code, e.message
      --> false wrong_type failed later
      -- it waits inside the metamethods of a Lua table
      local t = setmetatable({}, {
        __index = function(_, key) return host.later(key .. '!') end,
        __add = function(_, n) return host.later(n + 1) end,
        __call = function(_, n) return host.later(n * 2) end,
        __eq = function() return host.later(true) end,
        __lt = function() return host.later(true) end,
        __concat = function(_, s) return host.later('+' .. s) end,
        __newindex = function(t, key, value) rawset(t, key, host.later(value)) end,
      })
      t.stored = 'kept'
      local closed
      do local x <close> = setmetatable({}, {__close = function() closed = host.later('closed') end}) end
      return t.field, t + 1, t(21), t == setmetatable({}, getmetatable(t)), t < t, t .. 's',
        rawget(t, 'stored'), closed --> field! 2 42 true true +s kept closed
      -- it waits inside an iterator
      local sum = 0
      for i in function(_, i) i = host.later((i or 0) + 1) return i <= 5 and i or nil end do sum = sum + i end
      return sum --> 15
      -- a method that waits works on its object
      return p:later(), pcall(p.later, p) --> 9 true 9
      -- if Lua can't suspend, the error names the function in the way
      table.sort({3, 2, 1}, function(a, b) host.later(1) return a < b end)
      --> cannot_wait: host.later waits, and 'table.sort', which called it, can't be suspended
      string.gsub('abc', '.', function(c) return host.later(c) end)
      --> cannot_wait: host.later waits, and 'string.gsub', which called it, can't be suspended
      ('abc'):gsub('.', function(c) return host.later(c) end)
      --> cannot_wait: host.later waits, and 'string.gsub', which called it, can't be suspended
      host.call(function() host.later(1) end)
      --> cannot_wait: host.later waits, and 'call', which called it, can't be suspended
      table.sort({2, 1}, function() local ok, e = pcall(host.later, 1) error(e) end)
      --> cannot_wait: host.later waits, and 'table.sort', which called it, can't be suspended
      local ok, e = pcall(table.sort, {1, 2}, host.later) error(e)
      --> cannot_wait: host.later waits, and 'table.sort', which called it, can't be suspended
      -- 20,000 waits that end at once don't recurse
      local n = 0 for i = 1, 20000 do n = host.now(n) end return n --> 20000
      """))
  func tasks(example: LuaCase) async throws { try await fixture.checkTask(example) }

  @Test("a waiting function runs on the state's actor")
  func isolation() async throws {
    fixture.host.asyncFunction("isolated") {
      {
        await Task.yield()
        MainActor.assertIsolated()
      }
    }
    fixture.host.function("check") { MainActor.assertIsolated() }
    try fixture.install()
    try await fixture.run("for i = 1, 10 do host.isolated() host.check() end")
  }

  @Test("a plain call of a function can't wait")
  func plainCall() throws {
    let error = try fixture.failure("host.later(1)")
    #expect(error.is(.cannotWait))
    #expect(error.message == "host.later waits, and its caller can't be suspended")
    #expect(try fixture.failure("coroutine.wrap(function() host.later(1) end)()").is(.cannotWait))
  }

  @Test("results come back in any number")
  func manyResults() async throws {
    fixture.host.asyncFunction("many", "n") { (n: Int) in
      { () async -> LuaVariadic in
        await Task.yield()
        return LuaVariadic((1...Int64(n)).map { .integer($0) })
      }
    }
    try fixture.install()
    #expect(
      try await fixture.run("return select('#', host.many(5000)), (select(5000, host.many(5000)))")
        == [5000, 5000])
    #expect(try await fixture.run("return host.many(1000)").count == 1000)
  }

  @Test("two states run in parallel on two actors")
  func parallelStates() async throws {
    async let first = Counting().run(to: 1000)
    async let second = Counting().run(to: 2000)
    let sums = try await [first, second]
    #expect(sums == [500_500, 2_001_000])
  }
}

/// An actor with its own state.
private actor Counting {
  func run(to limit: Int) async throws -> Int64 {
    let state = try LuaState()
    let host = LuaModule("host", help: "What the script adds with.")
    var sum: Int64 = 0
    host.asyncFunction("add", "n") { (n: Int64) in
      { () async -> Int64 in
        await Task.yield()
        self.assertIsolated()
        sum += n
        return sum
      }
    }
    try state.setGlobal("host", to: host)
    try state.setGlobal("limit", to: limit)
    let source = "local sum for i = 1, limit do sum = host.add(i) end return sum"
    return try await state.run(state.load(source), as: Int64.self)
  }
}
