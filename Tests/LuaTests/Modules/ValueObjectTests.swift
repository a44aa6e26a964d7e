import Lua
import Testing
import TestSupport

@MainActor
@Suite("Values as objects")
struct ValueObjectTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    let vector = Vector(x: 1, y: 2)
    fixture.host.property("vector") { vector }
    fixture.host.function("sum", "v") { (vector: Vector) in vector.x + vector.y }
    fixture.host.function("sums", "list") { (vectors: [Vector]) in vectors.map(\.x).reduce(0, +) }
    fixture.host.function("reset", "v") { (box: LuaBox<Vector>) in box.value = Vector(x: 0, y: 0) }
    try fixture.install()
    try fixture.state.setGlobal("point", to: Point())
    try fixture.state.setGlobal("suit", to: Suit.hearts)
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- each push is a new userdata with a copy
      local a, b = host.vector, host.vector
      a.x = 10
      return a.x, b.x, host.vector.x, rawequal(a, b) --> 10.0 1.0 1.0 false
      -- Swift reads a copy of what scripts changed
      local v = host.vector v.x = 5 return host.sum(v) --> 7.0
      local v = host.vector v.x = 5 return host.sums({v, v}) --> 10.0
      -- a function that takes the box changes the script's own value
      local v = host.vector host.reset(v) return v.x, v.y --> 0.0 0.0
      -- a method that returns the box returns the same userdata
      local v = host.vector return rawequal(v:scale(3), v), v.x, v.y --> true 3.0 6.0
      -- a value of the wrong type, and another object, can't be assigned
      host.vector.x = 'a' --> bad_argument: bad value for 'vector.x' (number expected, got string)
      host.sum(point)
      --> bad_argument: bad argument #1 to 'host.sum' (v: vector expected, got point)
      host.sum({x = 1, y = 2}) --> …: …vector expected…
      -- an enum is an object too
      return suit.name, suit.is_red --> hearts true
      """))
  func scripts(example: LuaCase) throws { try fixture.check(example) }
}

private enum Suit: String, LuaExposedValue {
  case hearts, spades

  static let luaTypeName = "suit"

  static func describe(_ members: LuaClass<LuaBox<Suit>>) {
    members.property("name", \.value.rawValue)
    members.property("is_red") { $0.value == .hearts }
  }
}
