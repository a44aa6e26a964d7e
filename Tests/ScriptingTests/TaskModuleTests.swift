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
}
