import Testing
import TestSupport

@testable import Scenarios

@MainActor
@Suite("Expectations of changes and actions")
struct ChangeExpectationTests {
  @Test(
    "in scenarios",
    arguments: LuaCase.list(
      #"""
      -- changes passes if exactly the expected paths change to the expected values
      expect.changes(function() counter.count = 7 end, {['counter.count'] = 7}) --> passes
      expect.changes(function() counter.count = 7 end, {counter = expect.having({count = 7})})
      --> passes
      expect.changes(function() favorites.add(2) end, {['favorites[1]'] = 2}) --> passes
      expect.changes(function() favorites.add(2) favorites.add(3) end, {favorites = {2, 3}})
      --> passes
      expect.changes(function() counter.count = 1 counter.count = 0 end, {}) --> passes
      expect.changes(function() task.sleep(3) counter.count = 5 end,
        {['counter.count'] = expect.any('integer')}) --> passes
      expect.changes(function() counter.count = 7 todo.query = 'x' end,
        {['counter.count'] = 7, ['todo.query'] = 'x'}) --> passes
      expect.changes(function() local other = store.new() other.counter.increment() end, {})
      --> passes
      -- changes covers what a list lost by removed
      favorites.add(2) favorites.add(3)
      expect.changes(function() favorites.remove(2) end, {['favorites.removed'] = {2}}) --> passes
      -- changes covers a field of an element by the field, the element, or the list
      todo.add('a')
      local done = {id = 1, text = 'a', done = true}
      for path, value in pairs {
        ['todo.items[1].done'] = true, ['todo.items[1]'] = done, ['todo.items'] = {done},
      } do
        expect.changes(function() todo.complete(1) end, {[path] = value})
        store.undo()
      end --> passes
      -- A field that becomes nil is expected as none
      counter.ask_is_prime()
      expect.changes(counter.dismiss_modal, {['counter.modal'] = expect.none}) --> passes
      -- With partial, other changes are allowed; they are printed, which only the worker captures
      print = function() end
      expect.changes(function() counter.count = 7 end, {}, {partial = true}) --> passes
      -- removed of a list that lost nothing is a difference
      expect.changes(function() favorites.add(3) end,
        {['favorites[1]'] = 3, ['favorites.removed'] = {2}})
      --> 1 value differs from what is expected; favorites.removed: { 2 } -> nothing
      -- A change that isn't mentioned fails, with the old and the new value
      expect.changes(function() counter.count = 7 todo.query = 'x' end, {['counter.count'] = 7})
      --> 1 path changed that the scenario doesn't mention; todo.query: "" -> "x"
      -- Another value than the expected one fails
      expect.changes(function() counter.count = 7 end, {['counter.count'] = 8})
      --> 1 value differs from what is expected; counter.count: 8 -> 7
      -- What was expected to change and stayed the same fails, whatever its value is
      expect.changes(function() end, {['counter.count'] = 0})
      --> expected to change, but stayed the same: counter.count
      -- unchanged fails for any change
      expect.unchanged(function() counter.count = 3 end)
      --> 1 path changed, and nothing should; counter.count: 0 -> 3
      -- Differences are reported at the expectation, even if its function raises
      expect.error(function()
        expect.unchanged(function()
          counter.count = 5
          todo.complete(99)
        end)
      end, {code = 'not_found'})
      --> line 2: 1 path changed, and nothing should; counter.count: 0 -> 5
      -- An uncaught error of the function is reported first
      expect.unchanged(function() counter.count = 5 todo.complete(99) end)
      --> error: … | 1 path changed, and nothing should; counter.count: 0 -> 5
      -- After a failed expectation in the function, nothing more is compared
      expect.changes(function()
        expect.equal(1, 2)
        counter.count = 5
      end, {['counter.count'] = 5}) --> line 2: the values differ; 2 -> 1
      -- Expectations around a function return what it returns
      expect.equal({expect.changes(function() return 1, nil, 3 end, {})}, {1, nil, 3})
      expect.equal(select('#', expect.unchanged(function() return nil, nil end)), 2)
      expect.equal(expect.actions(function() return 1 end, {}), 1) --> passes
      -- Expectations can be within each other, and each has its own changes
      expect.changes(function()
        counter.count = 5
        expect.changes(function() counter.count = 6 end, {['counter.count'] = 6})
        expect.unchanged(function() end)
      end, {['counter.count'] = 6}) --> passes
      -- An expectation in a task that is left over is no failure beside the task's
      task.spawn(function()
        expect.changes(function() task.sleep(1) end, {['counter.count'] = 5})
      end)
      --> unfinished: the scenario ended before this task did: await it, or cancel it
      -- actions compares the actions as texts or by matchers
      expect.actions(function() counter.increment(2) todo.add('x') end,
        {'counter.increment(2)', expect.like('^todo.add')}) --> passes
      -- actions compares the actions in their order
      expect.actions(function() counter.increment() end, {'counter.decrement()', 'x'})
      --> the actions differ: { "counter.increment()" };
      --> [1]: "counter.decrement()" -> "counter.increment()"; [2]: "x" -> nothing
      -- actions says that a function sends too many to compare
      expect.actions(function() for _ = 1, 10001 do counter.increment() end end, {}) --> error:
      --> The function sends more actions than expect.actions can compare. (too_many_actions)
      -- eventually waits, in virtual time, until the function returns a true value
      local waiting = task.spawn(function() task.sleep(0.5) counter.count = 3 end)
      expect.equal(expect.eventually(function() return counter.count == 3 and 'done' end), 'done')
      expect.near(clock.now(), 0.5) --> passes
      -- eventually still accepts what becomes true at its deadline
      task.spawn(function() task.sleep(1) counter.count = 3 end)
      expect.eventually(function() return counter.count == 3 end, 1) --> passes
      -- eventually fails after its seconds
      expect.eventually(function() return false end, 0)
      --> the function didn't return a true value within 0 seconds
      expect.eventually(function() return false end, 86400)
      --> the function didn't return a true value within 86400 seconds
      """#))
  func scenarios(example: LuaCase) async throws { try await FileRun.check(example) }

  @Test(
    "in an exhaustive scenario",
    arguments: LuaCase.list(
      """
      -- changes within expectations are no failures
      expect.changes(function() counter.count = 3 end, {['counter.count'] = 3})
      expect.actions(function() counter.count = 4 end, {'counter.count = 4'}) --> passes
      -- an expectation whose function never ends fails
      local co = coroutine.wrap(function()
        expect.unchanged(function() coroutine.yield() end)
      end)
      co()
      counter.count = 5 --> line 2: unfinished: expect.unchanged compared nothing:
      --> the scenario ended before its function did
      -- after an error of the function the expectation is over
      pcall(expect.changes, function() error('x') end, {})
      counter.count = 1 --> line 2: counter.count = 1 changed counter.count
      --> outside expect.changes, and the scenario is exhaustive
      -- undo outside an expectation is a change, too
      expect.changes(function() counter.count = 3 end, {['counter.count'] = 3})
      store.undo() --> line 2: store.jump(0) changed counter.count
      --> outside expect.changes, and the scenario is exhaustive
      """))
  func exhaustive(example: LuaCase) async throws {
    try await FileRun.check(example, options: "{exhaustive = true}")
  }

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
}
