import Testing

@testable import Scenarios

@MainActor
@Suite("Spies, stubs and invariants")
struct StubTests {
  @Test(
    "A scenario passes",
    arguments: [
      PassingScenario(
        "A spy notes its calls, passes them on, and is a function like any other",
        """
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
        expect.called(spy(), 0)
        """),
      PassingScenario(
        "A stub of a request gives the response, whose status is 200 unless it says so",
        """
        stub(http.get, { status = 404, body = "none" })
        expect.equal(http.get("http://a.org"), { status = 404, headers = {}, body = "none" })
        local posted = stub(http.post, function(url, body) return { json = { id = 7, text = body.text } } end)
        local response = http.post("http://a.org", { text = "milk" })
        expect.equal({ response.status, response.json }, { 200, { id = 7, text = "milk" } })
        expect.called(posted, { "http://a.org", { text = "milk" } })
        """),
      PassingScenario(
        "A table of addresses and responses stubs all functions of http",
        """
        http.stub({ ["http://a.org/1"] = { json = { 1 } }, ["http://a.org/2"] = {} })
        expect.equal(http.get("http://a.org/1").json, { 1 })
        expect.equal(http.request{ url = "http://a.org/2", method = "DELETE" }.status, 200)
        expect.error(function() http.post("http://a.org/3", "") end, { code = "not_stubbed" })
        """),
      PassingScenario(
        "A stub can be the answer itself",
        """
        local asked = stub(oracle.ask, "42")
        expect.equal({ oracle.ask("a"), oracle.ask("b") }, { "42", "42" })
        expect.called(asked, { "b" })
        stub(todo.fetch, { "milk" })
        todo.fetch()
        expect.equal(todo.items[1].text, "milk")
        """),
      PassingScenario(
        "A computation, the built-in data and files are asked without a stub",
        """
        todo.fetch()
        expect.equal(#todo.items, 2)
        expect.equal(oracle.nth(4), 7)
        expect.error(function() todo.fetch('missing.json') end, { code = 'not_readable' })
        """),
      PassingScenario(
        "calls has the arguments of each call, also of a stub",
        """
        local s = spy()
        store.subscribe('counter.count', s)
        counter.increment()
        s(nil, 'a', nil)
        local made = calls(s)
        expect.equal({#made, made[1], made[2][2]}, {2, {1, 0}, 'a'})
        made[1] = nil
        expect.called(s, 2)
        local fetched = stub(todo.fetch, function() return {} end)
        todo.fetch('a')
        expect.equal(calls(fetched), {{'a'}})
        """),
      PassingScenario(
        "A stub answers for a service, and is a spy",
        """
        local fetched = stub(todo.fetch, function() task.sleep(2) return {{id = 1, text = 'a', done = true}} end)
        todo.fetch()
        expect.equal(todo.items, {{id = 1, text = 'a', done = true}})
        expect.called(fetched, 1)
        expect.equal(clock.now(), 2)
        """),
      PassingScenario(
        "For an answer of the wrong form, the error says what is wrong, and where",
        """
        stub(todo.fetch, function() return {'a', 1} end)
        local _, problem = pcall(todo.fetch)
        expect.equal(problem.message, 'The stub of todo.fetch returned no answer of the service\\'s form: [2]: '
          .. 'expected text, or a table with a text.')
        """),
      PassingScenario(
        "The stub of a module answers for all its services, by a function or a table",
        """
        oracle.stub({['1+1'] = '2'})
        expect.equal(oracle.ask('1+1'), '2')
        expect.error(function() oracle.ask('1+2') end, {code = 'not_stubbed'})
        local asked = oracle.stub(function(question) return question .. '?' end)
        expect.equal(oracle.ask('x'), 'x?')
        expect.called(asked, {'x'})
        """),
      PassingScenario(
        "An invariant may send actions, which it doesn't check",
        """
        invariant(counter.increment)
        counter.increment()
        expect.equal(counter.count, 2)
        """),
    ])
  func passes(_ scenario: PassingScenario) async throws { try await scenario.check() }

  @Test(
    "A scenario fails",
    arguments: [
      FailingScenario(
        "called shows how the last call differs",
        "local s = spy() s('a') expect.called(s, {'b'})",
        "it was never called with these arguments", differences: [#"[1]: "b" -> "a""#]),
      FailingScenario(
        "A failed expectation in a stub fails the scenario, though the app catches it",
        "stub(todo.fetch, function() expect.equal(1, 2) end) pcall(todo.fetch)",
        "the values differ", differences: [": 2 -> 1"]),
      FailingScenario(
        "A failed expectation in an invariant is reported once, with its differences",
        "invariant(function() expect.equal(counter.count, 0) end) counter.increment()",
        "after counter.increment(): the values differ", kind: .invariant,
        differences: [": 0 -> 1"]),
      FailingScenario(
        "Invariants hold after undo, too",
        "counter.count = 1 invariant(function() return counter.count > 0 end) store.undo()",
        "after store.jump(0): the invariant returned false", kind: .invariant),
      FailingScenario(
        "Invariants hold after a reset, too",
        "counter.count = 1 invariant(function() return counter.count > 0 end) store.reset()",
        "after store.reset(): the invariant returned false", kind: .invariant),
      FailingScenario(
        "An endless invariant is one failure: the time limit's",
        "invariant(function() while true do end end) counter.increment()",
        "timed out after 0.05 s in an invariant (raise it with { timeout = ... } or --timeout)",
        kind: .timeout, options: "{timeout = 0.05}"),
    ])
  func fails(_ scenario: FailingScenario) async throws { try await scenario.check() }

  @Test(
    "called says how often a spy was called, and with what",
    arguments: [
      ("local s = spy() expect.called(s)", "expected a call, but it was called 0 times"),
      ("local s = spy() s() expect.called(s, 2)", "expected 2 calls, but it was called 1 time"),
      ("local s = spy() s() s() expect.called(s, 1)", "expected 1 call, but it was called 2 times"),
      ("local s = spy() expect.called(s, {1})", "it was never called"),
    ])
  func notCalled(body: String, message: String) async throws {
    #expect(try await FileRun.failure(body).message == message)
  }

  @Test(
    "A service outside this machine isn't asked without a stub",
    arguments: [
      "todo.fetch, 'https://example.com/todos.json'", "oracle.ask, 'x'",
      "counter.ask_nth_prime, { source = 'remote' }",
    ])
  func notStubbed(call: String) async throws {
    let body = """
      counter.count = 3
      local ok, problem = pcall(\(call))
      expect.equal({ok, problem.code}, {false, 'not_stubbed'})
      expect.contains(tostring(problem), 'add --live')
      """
    #expect(try await FileRun.failures(body).isEmpty)
  }

  @Test(
    "A request isn't sent without a stub",
    arguments: [
      ("http.get", "'http://a.org'"), ("http.post", "'http://a.org', {}"),
      ("http.request", "{url = 'http://a.org'}"),
    ])
  func requestNotStubbed(name: String, arguments: String) async throws {
    let body = """
      local ok, problem = pcall(\(name), \(arguments))
      expect.equal({ok, problem.code}, {false, 'not_stubbed'})
      expect.contains(tostring(problem), 'stub(\(name), ...)')
      """
    #expect(try await FileRun.failures(body).isEmpty)
  }

  @Test(
    "A stub's wrong response is an error that says what is wrong",
    arguments: [
      ("{ staus = 500 }", "a response has no field 'staus'; did you mean 'status'?"),
      ("{ status = 'x' }", "status"), ("'text'", "table"),
      ("{ body = 'x', json = {} }", "both body and json"), ("{ headers = { a = {} } }", "headers"),
    ])
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
    "What a stub raises is the service's error",
    arguments: [
      ("error({code = 'c', message = 'm'})", "{code = 'c', message = 'm'}"),
      ("error({})", "{code = 'stub_failed', message = 'the stub failed'}"),
      ("error('plain', 0)", "{message = 'plain'}"),
      ("return 42", "{code = 'bad_answer'}"), ("return", "{code = 'bad_answer'}"),
      ("return {{id = 'x'}}", "{code = 'bad_answer'}"),
    ])
  func stubFailure(answer: String, error: String) async throws {
    let body = "stub(todo.fetch, function() \(answer) end) expect.error(todo.fetch, \(error))"
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
      stub(todo.fetch, function()
        local closing <close> = setmetatable({}, {__close = function() log[#log + 1] = todo.loading end})
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

  @Test(
    "An invariant fails once, after the action that broke it",
    arguments: [
      ("return counter.count < 2", "the invariant returned false"),
      ("error({code = counter.count > 1 and 'x' or error('early')})", "early"),
      ("if counter.count > 1 then error({code = 'x'}) end", "{ code = \"x\" }"),
    ])
  func invariant(check: String, message: String) async throws {
    let failure = try await FileRun.failure(
      """
      invariant(function() \(check) end)
      for _ = 1, 4 do
        counter.increment()
      end
      """)
    #expect(failure.kind == .invariant)
    #expect(failure.message.hasPrefix("after counter.increment(): "))
    #expect(failure.message.hasSuffix(message))
    #expect(failure.location?.line == 3)
  }
}
