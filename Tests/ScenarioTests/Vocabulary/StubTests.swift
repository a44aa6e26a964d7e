import Testing
import TestSupport

@testable import Scenarios

@MainActor
@Suite("Spies, stubs and invariants")
struct StubTests {
  @Test(
    "Spies",
    arguments: LuaCase.list(
      #"""
      -- note their calls, pass them on, and are functions like any other
      local double = spy(function(n) return 2 * n, 'more' end)
      expect.equal({double(2)}, {4, 'more'})
      task.spawn(double, 3):await()
      store.subscribe('counter.count', double)
      counter.increment()
      expect.called(double)
      expect.called(double, 3)
      expect.called(double, {3})
      local silent = spy()
      expect.equal(select('#', silent(1, nil, nil)), 0)
      expect.called(silent, {1, nil, nil})
      expect.called(spy(), 0) --> passes
      -- have the arguments of each call
      local s = spy()
      store.subscribe('counter.count', s)
      counter.increment()
      s(nil, 'a', nil)
      local made = calls(s)
      expect.equal({#made, made[1], made[2][2]}, {2, {1, 0}, 'a'})
      made[1] = nil
      expect.called(s, 2) --> passes
      -- say how often they were called, and with what
      local s = spy() expect.called(s) --> expected a call, but it was called 0 times
      local s = spy() s() expect.called(s, 2) --> expected 2 calls, but it was called 1 time
      local s = spy() s() s() expect.called(s, 1) --> expected 1 call, but it was called 2 times
      local s = spy() expect.called(s, {1}) --> it was never called; { 1 } -> nothing
      -- show how the last call differs
      local s = spy() s('a') expect.called(s, {'b'})
      --> it was never called with these arguments; [1]: "b" -> "a"
      """#))
  func spies(example: LuaCase) async throws { try await FileRun.check(example) }

  @Test(
    "Stubs",
    arguments: LuaCase.list(
      #"""
      -- answer for a service, and are spies
      local fetched = stub(todo.fetch, function()
        task.sleep(2) return {{id = 1, text = 'a', done = true}}
      end)
      todo.fetch('x')
      expect.equal(todo.items, {{id = 1, text = 'a', done = true}})
      expect.equal(calls(fetched), {{'x'}})
      expect.equal(clock.now(), 2) --> passes
      -- can be the answer itself
      local asked = stub(oracle.ask, '42')
      expect.equal({ oracle.ask('a'), oracle.ask('b') }, { '42', '42' })
      expect.called(asked, { 'b' })
      stub(todo.fetch, { 'milk' })
      todo.fetch()
      expect.equal(todo.items[1].text, 'milk') --> passes
      -- of a module answer for all its services, by a function or a table
      oracle.stub({['1+1'] = '2'})
      expect.equal(oracle.ask('1+1'), '2')
      expect.error(function() oracle.ask('1+2') end, {code = 'not_stubbed'})
      local asked = oracle.stub(function(question) return question .. '?' end)
      expect.equal(oracle.ask('x'), 'x?')
      expect.called(asked, {'x'}) --> passes
      -- of a request give the response, whose status is 200 unless they say so
      stub(http.get, { status = 404, body = 'none' })
      expect.equal(http.get('http://a.org'), { status = 404, headers = {}, body = 'none' })
      local posted = stub(http.post, function(url, body)
        return { json = { id = 7, text = body.text } }
      end)
      local response = http.post('http://a.org', { text = 'milk' })
      expect.equal({ response.status, response.json }, { 200, { id = 7, text = 'milk' } })
      expect.called(posted, { 'http://a.org', { text = 'milk' } }) --> passes
      -- of all functions of http are a table of addresses and responses
      http.stub({ ['http://a.org/1'] = { json = { 1 } }, ['http://a.org/2'] = {} })
      expect.equal(http.get('http://a.org/1').json, { 1 })
      expect.equal(http.request{ url = 'http://a.org/2', method = 'DELETE' }.status, 200)
      expect.error(function() http.post('http://a.org/3', '') end, { code = 'not_stubbed' })
      --> passes
      -- aren't needed by a computation, the built-in data and files
      todo.fetch()
      expect.equal(#todo.items, 2)
      expect.equal(oracle.nth(4), 7)
      expect.error(function() todo.fetch('missing.json') end, { code = 'not_readable' })
      --> passes
      -- fail the scenario by a failed expectation, though the app catches it
      stub(todo.fetch, function() expect.equal(1, 2) end) pcall(todo.fetch)
      --> the values differ; 2 -> 1
      -- raise the service's error
      stub(todo.fetch, function() error({code = 'c', message = 'm'}) end)
      expect.error(todo.fetch, {code = 'c', message = 'm'}) --> passes
      stub(todo.fetch, function() error({}) end)
      expect.error(todo.fetch, {code = 'stub_failed', message = 'the stub failed'}) --> passes
      stub(todo.fetch, function() error('plain', 0) end)
      expect.error(todo.fetch, {message = 'plain'}) --> passes
      -- say what is wrong with an answer, and where
      stub(todo.fetch, function() return 42 end)
      expect.error(todo.fetch, {code = 'bad_answer'}) --> passes
      stub(todo.fetch, function() return end)
      expect.error(todo.fetch, {code = 'bad_answer'}) --> passes
      stub(todo.fetch, function() return {{id = 'x'}} end)
      expect.error(todo.fetch, {code = 'bad_answer'}) --> passes
      stub(todo.fetch, function() return {'a', 1} end)
      expect.error(todo.fetch, {message = "The stub of todo.fetch returned no answer of the "
        .. "service's form: [2]: expected text, or a table with a text."}) --> passes
      """#))
  func stubs(example: LuaCase) async throws { try await FileRun.check(example) }

  @Test(
    "A stub's wrong response is an error that says what is wrong",
    arguments: LuaCase.pairs(
      """
      { staus = 500 } --> a response has no field 'staus'; did you mean 'status'?
      { status = 'x' } --> status
      'text' --> table
      { body = 'x', json = {} } --> both body and json
      { headers = { a = {} } } --> headers
      """))
  func wrongResponse(response: String, problem: String) async throws {
    let body = """
      stub(http.get, \(response))
      local _, problem = pcall(http.get, "http://a.org")
      expect.equal(problem.code, "bad_answer")
      expect.contains(problem.message, [[\(problem)]])
      """
    #expect(try await FileRun.failures(body).isEmpty)
  }

  @Test(
    "A service outside this machine isn't asked without a stub",
    arguments: [
      ("todo.fetch, 'https://example.com/todos.json'", "add --live"),
      ("oracle.ask, 'x'", "add --live"),
      ("counter.ask_nth_prime, { source = 'remote' }", "add --live"),
      ("http.get, 'http://a.org'", "stub(http.get, ...)"),
      ("http.post, 'http://a.org', {}", "stub(http.post, ...)"),
      ("http.request, {url = 'http://a.org'}", "stub(http.request, ...)"),
    ])
  func notStubbed(call: String, advice: String) async throws {
    let body = """
      counter.count = 3
      local ok, problem = pcall(\(call))
      expect.equal({ok, problem.code}, {false, 'not_stubbed'})
      expect.contains(tostring(problem), '\(advice)')
      """
    #expect(try await FileRun.failures(body).isEmpty)
  }

  @Test(
    "A task that is cancelled while a stub answers fails as it would without the stub",
    arguments: ["", "stub(todo.fetch, function() task.sleep(5) return {} end)"])
  func cancelled(stub: String) async throws {
    let body = """
      \(stub)
      local t = task.spawn(todo.fetch)
      t:cancel()
      expect.error(function() t:await() end, {code = 'cancelled'})
      expect.equal(todo.error, 'The request was cancelled.')
      """
    #expect(try await FileRun.failures(body).isEmpty)
  }

  @Test(
    "A cancelled call closes what its stub has open, and has ended after that",
    arguments: ["t:cancel()", "task.sleep(1) t:cancel()"])
  func closed(cancelling: String) async throws {
    let body = """
      local log = {}
      local function note() log[#log + 1] = todo.loading end
      stub(todo.fetch, function()
        local closing <close> = setmetatable({}, {__close = note})
        task.sleep(5)
        return {}
      end)
      local t = task.spawn(todo.fetch)
      \(cancelling)
      expect.error(function() t:await() end, {code = 'cancelled'})
      expect.equal(log, {true})
      """
    #expect(try await FileRun.failures(body).isEmpty)
  }

  // MARK: - Invariants

  @Test(
    "Invariants",
    arguments: LuaCase.list(
      #"""
      -- fail once, after the action that broke them
      invariant(function() return counter.count < 2 end)
      for _ = 1, 4 do
        counter.increment()
      end --> line 3: invariant: after counter.increment(): the invariant returned false
      invariant(function() if counter.count > 1 then error({code = 'x'}) end end)
      for _ = 1, 4 do
        counter.increment()
      end --> line 3: invariant: after counter.increment(): { code = "x" }
      invariant(function() error('early', 0) end)
      for _ = 1, 4 do
        counter.increment()
      end --> line 3: invariant: after counter.increment(): early
      -- fail by a failed expectation, once, with its differences
      invariant(function() expect.equal(counter.count, 0) end) counter.increment()
      --> invariant: after counter.increment(): the values differ; 0 -> 1
      -- hold after undo and a reset, too
      counter.count = 1 invariant(function() return counter.count > 0 end) store.undo()
      --> invariant: after store.jump(0): the invariant returned false
      counter.count = 1 invariant(function() return counter.count > 0 end) store.reset()
      --> invariant: after store.reset(): the invariant returned false
      -- may send actions, which aren't checked
      invariant(counter.increment)
      counter.increment()
      expect.equal(counter.count, 2) --> passes
      """#))
  func invariants(example: LuaCase) async throws { try await FileRun.check(example) }

  @Test("An endless invariant is one failure: the time limit's")
  func endlessInvariant() async throws {
    let failure = try await FileRun.failure(
      "invariant(function() while true do end end) counter.increment()",
      options: "{timeout = 0.05}")
    let limit = "timed out after 0.05 s in an invariant"
    #expect(failure.text == "timeout: \(limit) (raise it with { timeout = ... } or --timeout)")
  }
}
