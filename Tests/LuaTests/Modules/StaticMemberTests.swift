import Lua
import Testing

@MainActor
@Suite("Static members")
struct StaticMemberTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    try fixture.state.setGlobal("Figure", to: LuaModule("Figure", of: Figure.self))
    try fixture.state.setGlobal("Circle", to: LuaModule("Circle", of: Circle.self))
    try fixture.state.setGlobal("Vector", to: LuaModule("Vector", of: Vector.self))
    try fixture.install()
  }

  @Test("a class has functions and properties of its own")
  func members() throws {
    #expect(try fixture.call("return Figure.unit, Figure.named('a').name") == ["m²", "a"])
  }

  @Test("a subclass inherits them and adds others, such as a constructor")
  func inherited() throws {
    #expect(try fixture.call("return Circle.unit, Circle(2).radius") == ["m²", 2.0])
    #expect(try fixture.failure("Figure(2)").message.contains("attempt to call"))
  }

  @Test("a struct has them too")
  func value() throws {
    #expect(try fixture.call("return Vector.zero.x, Vector(1, 2) == Vector(1, 2)") == [0.0, true])
  }

  @Test("they can't be assigned, and unknown ones name what there is")
  func refused() throws {
    #expect(try fixture.failure("Figure.unit = 1").is(.readOnlyField))
    #expect(
      try fixture.failure("return Circle.units").message
        == "Circle has no field 'units'; did you mean 'unit'? It has: named, unit")
  }

  @Test("a class without any has an empty module")
  func none() {
    #expect(LuaModule("Point", help: "Points.", of: Point.self).documentation.isEmpty)
  }
}
