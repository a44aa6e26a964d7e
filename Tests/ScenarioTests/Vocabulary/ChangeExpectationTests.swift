import Testing

@testable import Scenarios

@MainActor
@Suite("Expectations of changes and actions")
struct ChangeExpectationTests {
  @Test(
    "changes passes if exactly the expected paths change to the expected values",
    arguments: [
      "function() counter.count = 7 end, {['counter.count'] = 7}",
      "function() counter.count = 7 end, {counter = expect.having({count = 7})}",
      "function() favorites.add(2) end, {['favorites[1]'] = 2}",
      "function() favorites.add(2) favorites.add(3) end, {favorites = {2, 3}}",
      "function() counter.count = 1 counter.count = 0 end, {}",
      "function() task.sleep(3) counter.count = 5 end, {['counter.count'] = expect.any('integer')}",
      "function() counter.count = 7 todo.query = 'x' end, {['counter.count'] = 7, ['todo.query'] = 'x'}",
      "function() local other = store.new() other.counter.increment() end, {}",
    ])
  func passing(arguments: String) async throws {
    #expect(try await FileRun.failures("expect.changes(\(arguments))").isEmpty)
  }

  @Test(
    "A scenario passes",
    arguments: [
      PassingScenario(
        "changes covers what a list lost by removed",
        """
        favorites.add(2) favorites.add(3)
        expect.changes(function() favorites.remove(2) end, {['favorites.removed'] = {2}})
        """),
      PassingScenario(
        "changes covers a field of an element by the field, the element, or the list",
        """
        todo.add('a')
        local done = {id = 1, text = 'a', done = true}
        for path, value in pairs {['todo.items[1].done'] = true, ['todo.items[1]'] = done, ['todo.items'] = {done}} do
          expect.changes(function() todo.complete(1) end, {[path] = value})
          store.undo()
        end
        """),
      PassingScenario(
        "A field that becomes nil is expected as none",
        """
        counter.ask_is_prime()
        expect.changes(counter.dismiss_modal, {['counter.modal'] = expect.none})
        """),
      // Skipped paths are printed, which only the worker process captures.
      PassingScenario(
        "With partial, other changes are allowed",
        """
        print = function() end
        expect.changes(function() counter.count = 7 end, {}, {partial = true})
        """),
      PassingScenario(
        "Expectations around a function return what it returns",
        """
        expect.equal({expect.changes(function() return 1, nil, 3 end, {})}, {1, nil, 3})
        expect.equal(select('#', expect.unchanged(function() return nil, nil end)), 2)
        expect.equal(expect.actions(function() return 1 end, {}), 1)
        """),
      PassingScenario(
        "Expectations can be within each other, and each has its own changes",
        """
        expect.changes(function()
          counter.count = 5
          expect.changes(function() counter.count = 6 end, {['counter.count'] = 6})
          expect.unchanged(function() end)
        end, {['counter.count'] = 6})
        """),
      PassingScenario(
        "In an exhaustive scenario, changes within expectations are no failures",
        """
        expect.changes(function() counter.count = 3 end, {['counter.count'] = 3})
        expect.actions(function() counter.count = 4 end, {'counter.count = 4'})
        """, options: "{exhaustive = true}"),
      PassingScenario(
        "actions compares the actions as texts or by matchers",
        """
        expect.actions(function() counter.increment(2) todo.add('x') end,
          {'counter.increment(2)', expect.like('^todo.add')})
        """),
      PassingScenario(
        "eventually waits, in virtual time, until the function returns a true value",
        """
        local waiting = task.spawn(function() task.sleep(0.5) counter.count = 3 end)
        expect.equal(expect.eventually(function() return counter.count == 3 and 'done' end), 'done')
        expect.near(clock.now(), 0.5)
        """),
      PassingScenario(
        "eventually still accepts what becomes true at its deadline",
        """
        task.spawn(function() task.sleep(1) counter.count = 3 end)
        expect.eventually(function() return counter.count == 3 end, 1)
        """),
    ])
  func passes(_ scenario: PassingScenario) async throws { try await scenario.check() }

  @Test(
    "A scenario fails",
    arguments: [
      FailingScenario(
        "removed of a list that lost nothing is a difference",
        """
        expect.changes(function() favorites.add(3) end,
          {['favorites[1]'] = 3, ['favorites.removed'] = {2}})
        """, "1 value differs from what is expected",
        differences: ["favorites.removed: { 2 } -> nothing"]),
      FailingScenario(
        "A change that isn't mentioned fails, with the old and the new value",
        "expect.changes(function() counter.count = 7 todo.query = 'x' end, {['counter.count'] = 7})",
        "1 path changed that the scenario doesn't mention",
        differences: [#"todo.query: "" -> "x""#]),
      FailingScenario(
        "Another value than the expected one fails",
        "expect.changes(function() counter.count = 7 end, {['counter.count'] = 8})",
        "1 value differs from what is expected", differences: ["counter.count: 8 -> 7"]),
      FailingScenario(
        "What was expected to change and stayed the same fails, whatever its value is",
        "expect.changes(function() end, {['counter.count'] = 0})",
        "expected to change, but stayed the same: counter.count"),
      FailingScenario(
        "unchanged fails for any change",
        "expect.unchanged(function() counter.count = 3 end)",
        "1 path changed, and nothing should", differences: ["counter.count: 0 -> 3"]),
      FailingScenario(
        "Differences are reported at the expectation, even if its function raises",
        """
        expect.error(function()
          expect.unchanged(function()
            counter.count = 5
            todo.complete(99)
          end)
        end, {code = 'not_found'})
        """, "1 path changed, and nothing should", line: 2, differences: ["counter.count: 0 -> 5"]),
      FailingScenario(
        "After a failed expectation in the function, nothing more is compared",
        """
        expect.changes(function()
          expect.equal(1, 2)
          counter.count = 5
        end, {['counter.count'] = 5})
        """, "the values differ", line: 2, differences: [": 2 -> 1"]),
      FailingScenario(
        "An expectation whose function never ends fails the scenario",
        """
        local co = coroutine.wrap(function()
          expect.unchanged(function() coroutine.yield() end)
        end)
        co()
        counter.count = 5
        """, "expect.unchanged compared nothing: the scenario ended before its function did",
        line: 2, kind: .unfinished, options: "{exhaustive = true}"),
      FailingScenario(
        "An expectation in a task that is left over is no failure beside the task's",
        """
        task.spawn(function()
          expect.changes(function() task.sleep(1) end, {['counter.count'] = 5})
        end)
        """, "the scenario ended before this task did: await it, or cancel it", kind: .unfinished),
      FailingScenario(
        "After an error of the function the expectation is over",
        """
        pcall(expect.changes, function() error('x') end, {})
        counter.count = 1
        """,
        "counter.count = 1 changed counter.count outside expect.changes, and the scenario is exhaustive",
        line: 2, options: "{exhaustive = true}"),
      FailingScenario(
        "Undo outside an expectation is a change, too",
        """
        expect.changes(function() counter.count = 3 end, {['counter.count'] = 3})
        store.undo()
        """,
        "store.jump(0) changed counter.count outside expect.changes, and the scenario is exhaustive",
        line: 2, options: "{exhaustive = true}"),
      FailingScenario(
        "actions compares the actions in their order",
        "expect.actions(function() counter.increment() end, {'counter.decrement()', 'x'})",
        #"the actions differ: { "counter.increment()" }"#,
        differences: [
          #"[1]: "counter.decrement()" -> "counter.increment()""#, #"[2]: "x" -> nothing"#,
        ]),
      FailingScenario(
        "actions says that a function sends too many to compare",
        "expect.actions(function() for _ = 1, 10001 do counter.increment() end end, {})",
        "The function sends more actions than expect.actions can compare. (too_many_actions)",
        kind: .error),
    ])
  func fails(_ scenario: FailingScenario) async throws { try await scenario.check() }

  @Test(
    "Expectations compare however their function ends",
    arguments: [
      "expect.error(function() expect.unchanged(change) end, 'stop')",
      "expect.error(function() expect.actions(change, {}) end, 'stop')",
      "expect.error(function() expect.changes(change, {}) end, 'stop')",
      "coroutine.close(suspended(expect.unchanged))",
      "local t = task.spawn(expect.unchanged, wait) t:cancel()",
      "pcall(task.timeout, 1, expect.unchanged, wait)",
    ])
  func ends(body: String) async throws {
    let failure = try await FileRun.failure(
      """
      local function change() counter.count = 5 error('stop') end
      local function wait() counter.count = 5 task.sleep(9) end
      local function suspended(expectation)
        local co = coroutine.create(expectation)
        coroutine.resume(co, function() counter.count = 5 coroutine.yield() end)
        return co
      end
      \(body)
      """, options: "{exhaustive = true}")
    #expect(failure.kind == .expectation)
    #expect(failure.differences.count == 1)
  }

  @Test("An uncaught error of the function is reported first")
  func uncaught() async throws {
    let failures = try await FileRun.failures(
      "expect.unchanged(function() counter.count = 5 todo.complete(99) end)")
    #expect(failures.map(\.kind) == [.error, .expectation])
  }

  @Test("eventually fails after its seconds", arguments: ["0", "3", "86400"])
  func never(seconds: String) async throws {
    let failure = try await FileRun.failure(
      "expect.eventually(function() return false end, \(seconds))")
    #expect(failure.message == "the function didn't return a true value within \(seconds) seconds")
  }
}
