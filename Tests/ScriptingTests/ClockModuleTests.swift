import Lua
import SampleApp
import Scripting
import Testing

@MainActor
@Suite("clock")
struct ClockModuleTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test("gives the time since 1970 as a float, like os.time")
  func now() async throws {
    #expect(
      try await app.text(
        """
        local before = os.time()
        local now = require and clock.now()
        return math.type(now), math.abs(now - before) < 3600
        """) == "float true")
  }

  @Test("moves on with the app's clock")
  func elapsed() async throws {
    try await app.run("start = clock.now()")
    app.clock.advance(by: .milliseconds(1500))
    #expect(try await app.text("return math.abs(clock.now() - start - 1.5) < 1e-3") == "true")
  }

  @Test("can't be moved on where time is real")
  func noAdvance() async {
    let error = await app.failure("clock.advance(1)")
    #expect(error?.code == "unknown_field")
  }
}
