import Lua
import Testing
import TestSupport

@MainActor
@Suite("Static members")
struct StaticMemberTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    try fixture.state.setGlobal("Figure", to: LuaModule("Figure", of: Figure.self))
    try fixture.state.setGlobal("Circle", to: LuaModule("Circle", of: Circle.self))
    try fixture.state.setGlobal("Point", to: LuaModule("Point", of: Point.self))
    try fixture.state.setGlobal("Vector", to: LuaModule("Vector", of: Vector.self))
    try fixture.install()
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- a class has functions and properties of its own
      return Figure.unit, Figure.named('a').name --> m² a
      -- a subclass inherits them and adds others, such as a constructor
      return Circle.unit, Circle(2).radius --> m² 2.0
      Figure(2) --> …: …attempt to call…
      -- a struct has them too
      return Vector.zero.x, Vector(1, 2) == Vector(1, 2) --> 0.0 true
      -- a class without any has an empty module
      for name in pairs(Point) do return name end return 'nothing' --> nothing
      -- they can't be assigned, and unknown ones name what there is
      Figure.unit = 1 --> read_only_field: …
      return Circle.units
      --> unknown_field: Circle has no field 'units'; did you mean 'unit'? It has: named, unit
      """))
  func scripts(example: LuaCase) throws { try fixture.check(example) }
}
