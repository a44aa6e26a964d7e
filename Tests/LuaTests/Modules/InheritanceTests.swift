import Lua
import Testing

@MainActor
@Suite("Inheritance")
struct InheritanceTests {
  let fixture: Fixture
  let circle = Circle("c", radius: 2)
  let figure = Figure("s")

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
    try fixture.state.setGlobal("s", to: figure)
    try fixture.state.setGlobal("dot", to: Dot("d", radius: 1))
    try fixture.state.setGlobal("square", to: Square("q"))
  }

  @Test("an object has the members of its class and those it inherits")
  func members() throws {
    #expect(try fixture.call("c.name = 'd' return c.name, c:area(), c.radius") == ["d", 12.0, 2.0])
    #expect(circle.name == "d")
    #expect(try fixture.call("c:grow(1) return c.radius") == [3.0])
    #expect(try fixture.call("return tostring(s), tostring(c)") == ["figure s", "figure d"])
  }

  @Test("a subclass's member replaces an inherited one of the same name, however deep")
  func replaced() throws {
    #expect(
      try fixture.call("return s:kind(), c:kind(), dot:kind(), square:kind()")
        == ["figure", "circle", "dot", "figure"])
  }

  @Test("the same object is the same userdata under whatever type Swift gives it")
  func identity() throws {
    #expect(
      try fixture.call("return host.as_figure() == host.as_circle(), host.as_figure().radius")
        == [true, 2.0])
  }

  @Test("an object's own class decides what scripts see, even if it was pushed as its base first")
  func pushedAsBase() throws {
    let other = try LuaState()
    let figure: Figure = circle
    try other.setGlobal("c", to: figure)
    #expect(try other.load("return c:kind(), c.radius").call() == ["circle", 2.0])
  }

  @Test("a function that takes the base takes objects of every subclass")
  func baseArgument() throws {
    #expect(
      try fixture.call("return host.area(c), host.area(s), host.area(dot), host.area(square)")
        == [12.0, 0.0, 3.0, 4.0])
  }

  @Test("a function that takes a subclass refuses the base, and its other subclasses")
  func subclassArgument() throws {
    #expect(try fixture.call("return host.radius(c), host.radius(dot)") == [2.0, 1.0])
    #expect(
      try fixture.failure("host.radius(s)").message
        == "bad argument #1 to 'host.radius' (circle: circle expected, got figure)")
    #expect(try fixture.failure("host.radius(square)").is(.badArgument))
  }

  @Test("a method taken from the base works on objects of a subclass, but not the other way round")
  func borrowedMethods() throws {
    #expect(try fixture.call("return s.area(c), c.area(s)") == [12.0, 0.0])
    #expect(
      try fixture.failure("c.grow(s, 1)").message.hasPrefix(
        "bad object for 'circle:grow' (circle expected, got figure)"))
    #expect(try fixture.stackCount == 0)
  }

  @Test("a subclass that adds nothing has what it inherits")
  func nothingAdded() throws {
    #expect(try fixture.call("return square.name, square:area()") == ["q", 4.0])
  }

  @Test("an unknown field names the object's own class, and all that it has")
  func unknownField() throws {
    #expect(
      try fixture.failure("return c.radios").message
        == "circle has no field 'radios'; did you mean 'radius'? "
        + "It has: area, grow, kind, later, name, radius, sides")
    #expect(try fixture.failure("return s.radius").is(.unknownField))
    #expect(
      try fixture.failure("c.sides = 1").message
        == "circle.sides is read-only and can't be assigned")
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
