import Lua
import Testing

@MainActor
@Suite("Callable objects and modules")
struct CallableTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    try fixture.state.setGlobal("adder", to: Adder(10))
    let module = LuaModule("Adder", help: "Adds.")
    module.callable("start") { (start: Int) in Adder(start) }
    module.function("pair") { (1, 2) }
    try fixture.state.setGlobal("Adder", to: module)
    try fixture.install()
  }

  @Test("an object is called with arguments")
  func object() throws {
    #expect(try fixture.call("return adder(1, 2), adder(1)") == [13, 11])
  }

  @Test("a module is called with arguments, and its members work beside it")
  func module() throws {
    #expect(try fixture.call("return Adder(5)(1), Adder.pair()") == [6, 1, 2])
  }

  @Test("it can have any number of results")
  func results() throws {
    let none = LuaModule("none", help: "None.")
    none.callable {}
    let two = LuaModule("two", help: "Two.")
    two.callable { (1, "b") }
    try fixture.state.setGlobal("none", to: none)
    try fixture.state.setGlobal("two", to: two)
    #expect(try fixture.call("return two(none())") == [1, "b"])
    #expect(try fixture.call("return select('#', none())") == [0])
  }

  @Test(
    "a bad argument's position doesn't count the called object",
    arguments: [
      ("adder({})", "bad argument #1 to 'adder' (a: integer expected, got table)"),
      ("adder(1, 'x')", "bad argument #2 to 'adder' (b: integer expected, got string)"),
      ("Adder()", "bad argument #1 to 'Adder' (start: integer expected, got no value)"),
      ("Adder(Adder)", "bad argument #1 to 'Adder' (start: integer expected, got table)"),
    ])
  func badArgument(source: String, message: String) throws {
    let error = try fixture.failure(source)
    #expect(error.is(.badArgument))
    #expect(error.message == message)
    #expect(try fixture.stackCount == 0)
  }

  @Test("values that aren't callable raise an error")
  func notCallable() throws {
    #expect(try fixture.failure("host()").message.contains("attempt to call a"))
  }

  @Test("a call works where Lua expects a function")
  func asFunction() throws {
    #expect(try fixture.call("return pcall(adder, 1)") == [true, 11])
    #expect(try fixture.call("return coroutine.wrap(function() return adder(2) end)()") == [12])
  }

  @Test("a call is described under the name of the called module")
  func documentation() {
    let module = LuaModule("Vector", help: "Vectors.", of: Vector.self)
    #expect(module.callDocumentation?.signature == "Vector(x: number, y: number): vector")
    #expect(module.documentation.map(\.name) == ["zero"])
  }
}

private final class Adder: LuaExposed {
  let start: Int

  init(_ start: Int) { self.start = start }

  static var luaTypeName: String { "adder" }

  static func describe(_ members: LuaClass<Adder>) {
    members.callable("a", "b") { (adder, a: Int, b: Int?) in adder.start + a + (b ?? 0) }
  }
}
