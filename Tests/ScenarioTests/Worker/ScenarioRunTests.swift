import Foundation
import Testing
import TestSupport

@testable import Scenarios

@MainActor
@Suite("Running a scenario")
struct ScenarioRunTests {
  @Test(
    "in files",
    arguments: LuaCase.list(
      #"""
      -- Nothing that a scenario does to its state reaches the next one
      local count = 0
      scenario("first", function()
        count, leaked, string.leaked = 1, 1, 1
        package.loaded.leaked = true
        getmetatable("").__index = nil
        expect, scenario, print, pcall, pairs, inspect = nil
        counter.count = 9
        todo.add("milk")
        store.undo()
      end)
      scenario("second", function()
        expect.equal({count, leaked, string.leaked, package.loaded.leaked}, {0})
        expect.equal(("a"):upper(), "A")
        expect.equal({counter.count, #todo.items, #store.history()}, {0, 0, 0})
        expect.equal(clock.now(), 0)
      end) --> passes
      -- before and after run around a scenario, the outer ones outside
      local log = {}
      local function note(word) return function() log[#log + 1] = word end end
      after(function() expect.equal(table.concat(log, " "), "a b c d scenario e f") end)
      before(note("a")) before(note("b"))
      group("g", function()
        before(note("c")) before(note("d")) after(note("f")) after(note("e"))
        scenario("s", note("scenario"))
      end) --> passes
      -- After an error in before, the scenario doesn't run, but after does
      before(function() error("first") end)
      before(function() error("not reached") end)
      after(function() error("last") end)
      scenario("s", function() error("not reached") end)
      --> error: first | line 3: error: last
      -- after runs for a scenario that failed, and all of them do if one fails
      after(function() error("outer") end) after(function() error("inner") end)
      scenario("s", function() error("scenario") end)
      --> line 2: error: scenario | error: inner | error: outer
      -- after has a time limit of its own
      after(function() while true do end end)
      scenario("s", { timeout = 0.5 }, function() end) --> …timeout: after: timed out after 0.5 s
      --> (raise it with { timeout = ... } or --timeout)
      -- The function of each gets the values of a case, or the case itself
      each({{1, 2}}, "list", function(a, b) expect.equal({a, b}, {1, 2}) end)
      each({{x = 3}}, "fields", function(case) expect.equal(case, {x = 3}) end)
      each({4}, "value", function(value) expect.equal(value, 4) end) --> passes
      """#))
  func files(example: LuaCase) async throws { try await FileRun.check(file: example) }

  @Test("Random numbers are the same in each run of a scenario, and others in another scenario")
  func randomNumbers() async throws {
    let run = try FileRun(
      """
      for _, name in ipairs({"a", "b"}) do
        scenario(name, function() error(tostring(math.random(1 << 60)), 0) end)
      end
      """)
    let first = try await run.run("a").failures
    #expect(try await run.run("a").failures == first)
    #expect(try await run.run("b").failures != first)
  }

  @Test("A folder of tmp is empty, only the scenario's, and removed with what is in it")
  func temporaryFolder() async throws {
    let run = try FileRun(
      """
      scenario("s", function()
        local a, b = tmp(), tmp()
        assert(a ~= b)
        assert(io.open(a .. "/file", "w")):close()
        assert(not io.open(b .. "/file"))
      end)
      """)
    #expect(try await run.run("s").failures == nil)
    #expect(run.folder.files("tmp") == [])
  }

  @Test(
    "An endless scenario is stopped, whatever it catches",
    arguments: [
      "while true do pcall(coroutine.wrap(function() while true do end end)) end",
      "while true do pcall(task.sleep, 1) end",
      "task.spawn(function() while true do task.sleep(1) end end):await()",
      "setmetatable({}, {__index = function() while true do end end}).field()",
    ])
  func endless(body: String) async throws {
    let failure = try await FileRun.failure("\n\(body)", options: "{timeout = 0.05}")
    #expect(failure.kind == .timeout)
    #expect(
      failure.message
        == "timed out after 0.05 s (raise it with { timeout = ... } or --timeout)")
  }

  @Test(
    "after runs for a scenario that was stopped, and can use the app",
    arguments: [
      "while true do end", "task.sleep(0.1) while true do end",
      "local t t = task.spawn(function() t:await() end) t:await()",
    ])
  func afterStop(body: String) async throws {
    let run = try FileRun(
      """
      after(function() counter.increment() error("count " .. counter.count, 0) end)
      scenario("s", { timeout = 0.5 }, function() counter.count = 6 \(body) end)
      """)
    let messages = try await run.run("s").failures?.map(\.message) ?? []
    #expect(messages.count >= 2)
    #expect(messages.last == "count 7")
  }

  @Test(
    "A failed expectation in a finalizer fails the scenario, whenever the finalizer runs",
    arguments: ["expect.equal(1, 2)", "expect.unchanged(counter.increment)"], ["", "kept = "])
  func failingFinalizer(expectation: String, keeping: String) async throws {
    let failure = try await FileRun.failure(
      "\(keeping)setmetatable({}, {__gc = function() \(expectation) end}) collectgarbage()")
    #expect(failure.kind == .expectation)
    #expect(failure.differences.count == 1)
  }

  @Test(
    "in scenarios",
    arguments: LuaCase.list(
      """
      -- Waiting for a day a hundred times takes no real time
      for _ = 1, 100 do task.sleep(86400) end expect.equal(clock.now(), 8640000) --> passes
      -- A task that is left fails the scenario, at the line that spawned it
      local function wait() task.sleep(1) end
      task.spawn(wait)
      --> line 2: unfinished: the scenario ended before this task did: await it, or cancel it
      -- A task that ended, or was cancelled, isn't left
      task.spawn(function() end)
      task.spawn(function() task.sleep(1) end):await()
      task.spawn(function() task.sleep(1) end):cancel() --> passes
      -- A task that fails unnoticed fails the scenario
      task.spawn(function() task.sleep(1) error('boo', 0) end) task.sleep(2)
      --> error: a task failed that nothing awaited: boo
      -- A task that fails is no failure if its error is caught
      local t = task.spawn(function() error('boo') end) pcall(t.await, t) --> passes
      -- Tasks that wait for each other fail the scenario
      local a, b
      a = task.spawn(function() task.sleep(1) b:await() end)
      b = task.spawn(function() a:await() end)
      a:await() --> …error: a task can't wait for a task that waits for it…
      -- A subscriber that fails fails the scenario
      store.subscribe('counter.count', function() error('boo', 0) end) counter.increment()
      --> nowhere: error: a subscriber failed: boo
      -- os.exit fails a scenario, also one that catches it
      os.exit(3) --> crash: the scenario called os.exit(3), which would end all scenarios
      pcall(os.exit, 3) --> crash: the scenario called os.exit(3), which would end all scenarios
      -- Two snapshots of one name in a scenario fail
      expect.snapshot('a', 1) expect.snapshot('a', 1)
      --> the scenario has another snapshot named "a": give each its own name
      """))
  func scenarios(example: LuaCase) async throws { try await FileRun.check(example) }

  @Test(
    "At its time limit",
    arguments: LuaCase.list(
      """
      -- a scenario is stopped, and the failure names the line
      local x

      while true do end
      --> line 3: timeout: timed out after 0.05 s (raise it with { timeout = ... } or --timeout)
      -- finalizers are stopped, too
      kept = setmetatable({}, {__gc = function() while true do end end}) --> nowhere: timeout:
      --> the finalizers of its values took longer than 0.05 s of real time
      """))
  func timeLimit(example: LuaCase) async throws {
    try await FileRun.check(example, options: "{timeout = 0.05}")
  }

  @Test(
    "A failed expectation is reported once, wherever it is",
    arguments: [
      "coroutine.wrap(function() expect.equal(1, 2) end)()",
      "pcall(function() expect.equal(1, 2) end)",
      "task.spawn(function() expect.equal(1, 2) end):await()",
      "task.spawn(function() task.sleep(1) expect.equal(1, 2) end) task.sleep(2)",
      "store.subscribe('counter.count', function() expect.equal(1, 2) end) counter.increment()",
      "expect.changes(function() expect.equal(1, 2) end, {})",
      "xpcall(function() expect.equal(1, 2) end, function() expect.equal(1, 1) end)",
    ])
  func toldOnce(body: String) async throws {
    #expect(try await FileRun.failure(body).message == "the values differ")
  }

  @Test("A failed scenario has its actions, with what they changed and the lines that sent them")
  func timeline() async throws {
    let run = try FileRun("scenario('s', function()\n  counter.count = 7\n  error('x')\nend)")
    let timeline = try await run.run("s").timeline
    #expect(timeline?.map(\.text) == ["counter.count = 7"])
    #expect(timeline?.first?.location?.line == 2)
    #expect(timeline?.first?.changes == [.init(path: "counter.count", old: "0", new: "7")])
  }

  @Test("A long scenario has its last 1,000 actions, and the number of the others")
  func longTimeline() async throws {
    let body = "for _ = 1, 1200 do counter.increment() end error('x')"
    let ended = try await FileRun("scenario('s', function() \(body) end)").run("s")
    #expect(ended.timeline?.count == 1000)
    #expect(ended.earlierActions == 200)
  }

  @Test("A scenario whose file declares another one now fails")
  func changedFile() async throws {
    let folder = try TemporaryFolder()
    let run = try FileRun("scenario('a', function() end)", in: folder)
    let other = ScenarioDescription(id: .init(file: "f", number: 1), names: ["b"], line: 1)
    let ended = await run.run(other)
    #expect(
      ended.failures?.map(\.message) == [
        "the file no longer declares this scenario: it has changed, or the name has something that differs each "
          + "time the file runs"
      ])
  }

  @Test("The modules that a scenario requires are known, for --watch")
  func modules() async throws {
    var settings = WorkerSettings()
    settings.reportsModules = true
    let run = try FileRun(
      "require('a') scenario('s', function() require('b') end)", settings: settings)
    let paths = try ["a.lua", "b.lua"].map { try run.folder.write("return 1", to: $0) }
    #expect(try await Set(run.run("s").modules ?? []) == Set(paths))
  }

  @Test("At most 100 failures of a scenario are kept")
  func manyFailures() async throws {
    let body = "for _ = 1, 1000 do pcall(expect.equal, 1, 2) end"
    #expect(try await FileRun.failures(body).count == 100)
  }
}
