import SampleApp
import Testing

@MainActor
@Suite("task")
struct TaskModuleTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

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
    try await app.clock.waitForSleepers(2)
    app.clock.advance(by: .seconds(1))
    try await app.run("fast:await()")
    app.clock.advance(by: .seconds(1))
    #expect(try await app.text("slow:await() return table.concat(order, ' ')") == "1 2")
  }

  @Test("sleeps for the given time, and not less")
  func sleeps() async throws {
    try await app.run("t = task.spawn(task.sleep, 1.5)")
    try await app.clock.waitForSleepers(1)
    app.clock.advance(by: .milliseconds(1499))
    #expect(try await app.text("return t.status") == "waiting")
    app.clock.advance(by: .milliseconds(1))
    #expect(try await app.text("t:await() return t.status") == "done")
  }

  @Test("sleeps no time for 0 seconds")
  func sleepsNotAtAll() async throws {
    #expect(try await app.text("task.sleep(0) task.sleep(-0.0) return 'awake'") == "awake")
  }

  @Test(
    "refuses wrong arguments",
    arguments: [
      ("task.spawn()", "bad argument #1 to 'task.spawn' (fn: function expected, got no value)"),
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
}
