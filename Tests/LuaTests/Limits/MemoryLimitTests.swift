import Testing

@testable import Lua

@MainActor
@Suite("A memory limit", .timeLimit(.minutes(5)))
struct MemoryLimitTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    fixture.host.function("text", "size") { (size: Int) in String(repeating: "x", count: size) }
    try fixture.install()
    try fixture.state.limitMemory(to: fixture.state.memoryUsed() + 1_000_000)
  }

  private static let hungry = "local t = {} for i = 1, 1e7 do t[i] = {} end"

  @Test("raises an error in code that needs more, and the state stays usable")
  func exceeded() throws {
    let error = try fixture.failure(Self.hungry)
    #expect(error.is(.outOfMemory))
    #expect(try fixture.call("return ('x'):rep(1000) == host.text(1000)") == [.boolean(true)])
    #expect(try fixture.stackCount == 0)
  }

  @Test("can be caught, in coroutines and tasks too")
  func caught() async throws {
    let source = """
      local function hungry() \(Self.hungry) end
      local ok = pcall(hungry)
      local resumed = coroutine.resume(coroutine.create(hungry))
      local t = task.spawn(hungry)
      return ok, resumed, t.status
      """
    #expect(try await fixture.run(source) == [.boolean(false), .boolean(false), .string("failed")])
  }

  @Test("never refuses Swift's allocations, but Lua's next one")
  func swiftIsNotRefused() throws {
    #expect(
      try fixture.call(
        """
        local function more() local t = {} for i = 1, 1000 do t[i] = {} end end
        local big = host.text(2000000)
        local ok = pcall(more)
        return #big, ok
        """) == [.integer(2_000_000), .boolean(false)])
  }

  @Test("can be lifted")
  func lifted() throws {
    try fixture.state.limitMemory(to: nil)
    #expect(try fixture.call("local t = {} for i = 1, 1e5 do t[i] = {} end return #t") == [100_000])
  }

  @Test("of 0 or less refuses everything", arguments: [0, -1, Int.min])
  func nothing(limit: Int) throws {
    try fixture.state.limitMemory(to: limit)
    #expect(try fixture.failure("return {}, {}, ('x'):rep(100)").is(.outOfMemory))
    try fixture.state.limitMemory(to: nil)
    #expect(try fixture.call("return 1") == [1])
  }
}
