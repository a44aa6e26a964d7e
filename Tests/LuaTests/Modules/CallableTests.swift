import Lua
import Testing
import TestSupport

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
    let none = LuaModule("none", help: "None.")
    none.callable {}
    try fixture.state.setGlobal("none", to: none)
    let two = LuaModule("two", help: "Two.")
    two.callable { (1, "b") }
    try fixture.state.setGlobal("two", to: two)
    try fixture.install()
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- an object is called with arguments
      return adder(1, 2), adder(1) --> 13 11
      -- a module is called with arguments, and its members work beside it
      return Adder(5)(1), Adder.pair() --> 6 1 2
      -- it can have any number of results
      return two(none()) --> 1 b
      return select('#', none()) --> 0
      -- a bad argument's position doesn't count the called object
      adder({}) --> bad_argument: bad argument #1 to 'adder' (a: integer expected, got table)
      adder(1, 'x') --> bad_argument: bad argument #2 to 'adder' (b: integer expected, got string)
      Adder() --> bad_argument: bad argument #1 to 'Adder' (start: integer expected, got no value)
      Adder(Adder) --> bad_argument: bad argument #1 to 'Adder' (start: integer expected, got table)
      -- values that aren't callable raise an error
      host() --> …: …attempt to call a…
      -- a call works where Lua expects a function
      return pcall(adder, 1) --> true 11
      return coroutine.wrap(function() return adder(2) end)() --> 12
      """))
  func scripts(example: LuaCase) throws { try fixture.check(example) }

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
