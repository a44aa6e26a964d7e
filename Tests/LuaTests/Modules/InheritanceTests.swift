import Lua
import Testing
import TestSupport

@MainActor
@Suite("Inheritance")
struct InheritanceTests {
  let fixture: Fixture
  let circle = Circle("c", radius: 2)

  init() throws {
    fixture = try Fixture()
    let host = fixture.host
    let circle = circle
    host.function("as_figure") { () -> Figure in circle }
    host.function("as_circle") { circle }
    host.function("area", "figure") { (figure: Figure) in figure.area }
    host.function("radius", "circle") { (circle: Circle) in circle.radius }
    try fixture.install()
    try fixture.state.setGlobal("c", to: circle)
    try fixture.state.setGlobal("s", to: Figure("s"))
    try fixture.state.setGlobal("dot", to: Dot("d", radius: 1))
    try fixture.state.setGlobal("square", to: Square("q"))
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- an object has the members of its class and those it inherits
      c.name = 'd' return c.name, c:area(), c.radius, tostring(c) --> d 12.0 2.0 figure d
      c:grow(1) return c.radius, tostring(s) --> 3.0 figure s
      -- a subclass's member replaces an inherited one of the same name, however deep
      return s:kind(), c:kind(), dot:kind(), square:kind() --> figure circle dot figure
      -- the same object is the same userdata under whatever type Swift gives it
      return host.as_figure() == host.as_circle(), host.as_figure().radius --> true 2.0
      -- a function that takes the base takes objects of every subclass
      return host.area(c), host.area(s), host.area(dot), host.area(square) --> 12.0 0.0 3.0 4.0
      -- a function that takes a subclass refuses the base, and its other subclasses
      return host.radius(c), host.radius(dot) --> 2.0 1.0
      host.radius(s)
      --> bad_argument: bad argument #1 to 'host.radius' (circle: circle expected, got figure)
      host.radius(square) --> bad_argument: …
      -- a method taken from the base works on objects of a subclass, but not the other way round
      return s.area(c), c.area(s) --> 12.0 0.0
      c.grow(s, 1) --> bad_argument: bad object for 'circle:grow' (circle expected, got figure)…
      -- a subclass that adds nothing has what it inherits
      return square.name, square:area() --> q 4.0
      -- an unknown field names the object's own class, and all that it has
      return c.radios
      --> unknown_field: circle has no field 'radios'; did you mean 'radius'? It has: area, grow,
      --> kind, later, name, radius, sides
      return s.radius --> unknown_field: …
      c.sides = 1 --> read_only_field: circle.sides is read-only and can't be assigned
      """))
  func scripts(example: LuaCase) throws { try fixture.check(example) }

  @Test("an object's own class decides what scripts see, even if it was pushed as its base first")
  func pushedAsBase() throws {
    let other = try LuaState()
    let figure: Figure = circle
    try other.setGlobal("c", to: figure)
    #expect(try other.load("return c:kind(), c.radius").call() == ["circle", 2.0])
  }

  @Test("documentation shows every member once")
  func documentation() {
    #expect(
      Circle.luaMembers.map(\.name).sorted()
        == ["area", "grow", "kind", "later", "name", "radius", "sides"])
    #expect(Circle.luaMembers.first { $0.name == "kind" }?.example == "circle:kind()")
    #expect(Figure.luaMembers.map(\.name) == ["name", "sides", "area", "kind", "later"])
  }

  @Test("an inherited method can wait")
  func waits() async throws {
    #expect(try await fixture.run("return c:later(), pcall(s.later, c)") == ["c", true, "c"])
  }
}
