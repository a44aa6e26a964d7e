import SampleApp
import Testing

@MainActor
@Suite("task")
struct TaskModuleTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test("spawns a function with its arguments, and await returns its results")
  func spawns() async throws {
    #expect(
      try await app.text(
        """
        local t = task.spawn(function(...) return select("#", ...), ... end, 1, nil, "x", nil)
        local status = t.status
        return status, t:await()
        """) == "done 4 1 nil x nil")
  }

  @Test("runs a spawned function at once, until it first waits")
  func runsAtOnce() async throws {
    async let text = app.text(
      """
      local order = {}
      local function note(word) order[#order + 1] = word end
      local t = task.spawn(function() note("begun") task.sleep(1) note("ended") end)
      note("spawned")
      t:await()
      note("awaited")
      return table.concat(order, " ")
      """)
    await app.clock.waitForSleepers(1)
    app.clock.advance(by: .seconds(1))
    #expect(try await text == "begun spawned ended awaited")
  }

  @Test("lets tasks take turns in the order their waits end")
  func takesTurns() async throws {
    try await app.run(
      """
      order = {}
      local function sleeper(seconds)
        return task.spawn(function() task.sleep(seconds) order[#order + 1] = seconds end)
      end
      slow, fast = sleeper(2), sleeper(1)
      """)
    await app.clock.waitForSleepers(2)
    app.clock.advance(by: .seconds(1))
    try await app.run("fast:await()")
    app.clock.advance(by: .seconds(1))
    #expect(try await app.text("slow:await() return table.concat(order, ' ')") == "1 2")
  }

  @Test("sleeps for the given time, and not less")
  func sleeps() async throws {
    try await app.run("t = task.spawn(task.sleep, 1.5)")
    await app.clock.waitForSleepers(1)
    app.clock.advance(by: .milliseconds(1499))
    #expect(try await app.text("return t.status") == "waiting")
    app.clock.advance(by: .milliseconds(1))
    #expect(try await app.text("t:await() return t.status") == "done")
  }

  @Test("has a status for each task")
  func status() async throws {
    #expect(
      try await app.text(
        """
        local inside
        local running = task.spawn(function() inside = "seen" end)
        local waiting = task.spawn(task.sleep, 1)
        local failed = task.spawn(error, "oops")
        pcall(failed.await, failed)
        local cancelled = task.spawn(task.sleep, 1)
        cancelled:cancel()
        pcall(cancelled.await, cancelled)
        local texts = { waiting.status, failed.status, cancelled.status, tostring(waiting) }
        waiting:cancel()
        return running.status, inside, table.concat(texts, " ")
        """) == "done seen waiting failed cancelled task (waiting)")
  }

  @Test("raises a task's error in each await: the same value, each time")
  func raises() async throws {
    #expect(
      try await app.text(
        """
        local value = { "mine" }
        local t = task.spawn(error, value)
        local first, raised = pcall(t.await, t)
        local second, again = pcall(t.await, t)
        local host = task.spawn(favorites.add, 8)
        local _, err = pcall(host.await, host)
        return first, raised == value, second, again == value, err.code, err
        """) == "false true false true not_prime 8 is not prime")
  }

  @Test("returns the results again for a task that has ended")
  func awaitsAgain() async throws {
    #expect(
      try await app.text(
        "local t = task.spawn(function() return 1, 2 end) t:await() return t:await()") == "1 2")
  }

  @Test("resumes several tasks that await the same one")
  func awaitedBySeveral() async throws {
    async let text = app.text(
      """
      local t = task.spawn(function() task.sleep(1) return 7 end)
      local a = task.spawn(function() return t:await() + 1 end)
      local b = task.spawn(function() return t:await() + 2 end)
      return a:await(), b:await()
      """)
    await app.clock.waitForSleepers(1)
    app.clock.advance(by: .seconds(1))
    #expect(try await text == "8 9")
  }

  @Test("raises cancelled where a cancelled task waits; the task can clean up and continue")
  func cancels() async throws {
    #expect(
      try await app.text(
        """
        local code
        local t = task.spawn(function()
          local ok, err = pcall(task.sleep, 100)
          code = err.code
          return ok, "cleaned up"
        end)
        t:cancel()
        local ok, words = t:await()
        return code, ok, words, t.status
        """) == "cancelled false cleaned up done")
  }

  @Test("ignores a cancellation after the end")
  func cancelsTooLate() async throws {
    #expect(
      try await app.text(
        "local t = task.spawn(type, 7) t:cancel() t:cancel() return t:await(), t.status"
      ) == "number done")
  }

  @Test("reports failures of tasks that were never awaited, once, but no cancellations")
  func unobservedFailures() async throws {
    try await app.run(
      """
      task.spawn(error, "lost", 0)
      local awaited = task.spawn(error, "found", 0)
      pcall(awaited.await, awaited)
      task.spawn(task.sleep, 1):cancel()
      """)
    #expect(await app.state.finishTasks().map(\.message) == ["lost"])
    #expect(await app.state.finishTasks().isEmpty)
  }

  @Test("sleeps from 0 seconds to a day", arguments: ["-0.1", "86400.5", "1/0", "math.mininteger"])
  func outOfRange(seconds: String) async {
    let error = await app.failure("task.sleep(\(seconds))")
    #expect(error?.code == "number_out_of_range")
    #expect(error?.message.hasPrefix("task.sleep needs 0 to 86400 seconds, not ") == true)
  }

  @Test("sleeps no time for 0 seconds")
  func sleepsNotAtAll() async throws {
    #expect(try await app.text("task.sleep(0) task.sleep(-0.0) return 'awake'") == "awake")
  }

  @Test(
    "refuses wrong arguments",
    arguments: [
      ("task.spawn()", "bad argument #1 to 'task.spawn' (fn: function expected, got no value)"),
      ("task.spawn(1)", "bad argument #1 to 'task.spawn' (fn: function expected, got number)"),
      (
        "task.sleep('1')",
        "bad argument #1 to 'task.sleep' (seconds: number expected, got string)"
      ),
      (
        "task.sleep(math.maxinteger)",
        "bad argument #1 to 'task.sleep' (seconds: a number that a float holds exactly expected, "
          + "got 9223372036854775807)"
      ),
      (
        "task.spawn(print, 1).await()",
        "bad object for 'task:await' (task expected, got no value); "
          + "call it with a colon, not task.await(...)"
      ),
    ])
  func badArguments(code: String, message: String) async {
    let error = await app.failure("local print = type " + code)
    #expect(error?.code == "bad_argument")
    #expect(error?.message == message)
  }

  @Test("has the fields of a task and no others")
  func unknownField() async {
    let error = await app.failure("return task.spawn(type, 1).stauts")
    #expect(error?.code == "unknown_field")
    #expect(
      error?.message
        == "task has no field 'stauts'; did you mean 'status'? It has: await, cancel, status")
  }
}
