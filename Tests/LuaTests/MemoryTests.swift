import Lua
import Testing

@MainActor
@Suite("Memory", .timeLimit(.minutes(5)))
struct MemoryTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    fixture.host.function("echo", "v") { (value: LuaValue) in value }
    fixture.host.function("new") { Point() }
    fixture.host.function("fail") { () throws -> Void in throw LuaError(.wrongType, "failed") }
    fixture.host.asyncFunction("now", "v") { (value: LuaValue) in { value } }
    fixture.host.asyncFunction("failNow") { { throw LuaError(.wrongType, "failed") } }
    try fixture.install()
  }

  private func memory() throws -> Int {
    try fixture.state.collectAll()
    return try fixture.state.memoryUsed()
  }

  @Test(
    "5,000 of anything leave the memory unchanged",
    arguments: [
      "host.echo(i)", "host.echo({i})", "host.echo(function() return i end)", "host.new()",
      "host.new():sum(1)", "pcall(host.fail)", "pcall(error, {})", "local x = 'text' .. i",
      "pcall(host.echo, {}, i)", "for _ in pairs(host) do break end",
      "host.now(i)", "host.now({i})", "pcall(host.failNow)",
      "coroutine.wrap(function() host.now(i) end)()",
      "task.spawn(host.now, i):await()", "task.spawn(function() return {i} end)",
      "local t = task.spawn(error, {}) pcall(t.await, t)",
    ])
  func flat(statement: String) async throws {
    let function = try fixture.state.load("for i = 1, 5000 do \(statement) end")
    // The first time, Lua's tables grow to what the collector's pace asks for.
    try await fixture.state.run(function)
    let before = try memory()
    try await fixture.state.run(function)
    #expect(try memory() < before + 16_384)
  }

  @Test("a script that endlessly passes values to Swift doesn't fill the registry")
  func whileRunning() throws {
    let growth = try fixture.state.load(
      """
      local function round() for i = 1, 5000 do host.echo({}) end collectgarbage() return collectgarbage('count') end
      local before = round()
      return round() - before
      """
    ).call(as: Double.self)
    #expect(growth < 64)
  }

  @Test("memory grows with what Lua holds and shrinks when it is dropped")
  func used() throws {
    let before = try memory()
    try fixture.call("text = ('x'):rep(1000000)")
    #expect(try memory() > before + 1_000_000)
    try fixture.call("text = nil")
    #expect(try memory() < before + 10_000)
  }

  @Test("memory is counted as Lua itself counts it")
  func accounting() throws {
    let bytes = try fixture.state.load(
      "collectgarbage() collectgarbage('stop') return collectgarbage('count') * 1024"
    ).call(as: Double.self)
    #expect(abs(try fixture.state.memoryUsed() - Int(bytes)) < 1024)
  }
}
