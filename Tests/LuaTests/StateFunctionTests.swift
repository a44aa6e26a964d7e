import Testing

@testable import Lua

@MainActor
@Suite("Functions without a module")
struct StateFunctionTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    try fixture.install()
  }

  @Test("a closure becomes a function with any number of arguments and results")
  func results() throws {
    let state = fixture.state
    var count = 0
    try state.setGlobal("double", to: state.function("double") { (n: Double) in 2 * n })
    try state.setGlobal("split", to: state.function("split") { (n: Int) in (n / 10, n % 10) })
    try state.setGlobal("note", to: state.function("note") { count += 1 })
    #expect(try fixture.call("note() return double(1.5), split(42)") == [3.0, 4, 2])
    #expect(try state.function("sum") { (a: Int, b: Int?) in a + (b ?? 0) }.call(1) == [1])
    #expect(count == 1)
  }

  @Test("an argument of the wrong type is named by its position and the function's name")
  func badArgument() throws {
    let function = try fixture.state.function("name") { (n: Int) in n }
    let error = try #require(throws: LuaError.self) { try function.call("x") }
    #expect(error.code == .badArgument)
    #expect(error.message == "bad argument #1 to 'name' (integer expected, got string)")
  }

  @Test("one that waits suspends its task, and refuses a plain call by its name")
  func waiting() async throws {
    let state = fixture.state
    let later = try state.asyncFunction("later") { (n: Int) in
      { () async -> Int in
        await Task.yield()
        return n + 1
      }
    }
    #expect(try await state.run(later, [1]) == [2])
    let error = try #require(throws: LuaError.self) { try later.call(1) }
    #expect(error.message == "later waits, and its caller can't be suspended")
  }

  @Test("the closure is released when Lua collects the function")
  func release() throws {
    final class Witness {}
    weak var witness: Witness?
    let state = fixture.state
    do {
      let made = Witness()
      witness = made
      _ = try state.function("hold") { withExtendedLifetime(made) {} }
    }
    #expect(witness != nil)
    try state.collectAll()
    #expect(witness == nil)
  }
}
