import Lua
import Testing
import TestSupport

@MainActor
@Suite("Classes")
struct ClassTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    let point = Point(x: 3, y: 4)
    fixture.host.function("point") { point }
    fixture.host.function("new", "x") { (x: Int) in Point(x: x) }
    fixture.host.function("same", "a", "b") { (a: Point, b: Point) in a === b }
    fixture.host.function("words") { Words("a", "b") }
    try fixture.install()
    try fixture.state.setGlobal("figure", to: Figure("f"))
    try fixture.state.setGlobal("circle", to: Badge("c", radius: 1))
    try fixture.state.setGlobal("vector", to: Vector(x: 1, y: 2))
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- the same object is the same userdata
      return host.point() == host.point(), host.new(1) == host.new(1) --> true false
      local t = {[host.point()] = 'found'} return t[host.point()] --> found
      -- an object arrives in Swift as itself
      return host.same(host.point(), host.point()), host.same(host.point(), host.new(3))
      --> true false
      -- methods and properties work on the object
      local p = host.point() p.y = 10 return p.x, p.y, p:sum(), p:sum(1) --> 3 10 13 14
      -- unknown and read-only fields say so
      return host.point().z --> unknown_field: point has no field 'z'. It has: later, sum, x, y
      return host.point().smu --> unknown_field: point has no field 'smu'; did you mean 'sum'?…
      host.point().x = 1 --> read_only_field: point.x is read-only and can't be assigned
      host.point().y = {} --> bad_argument: bad value for 'point.y' (integer expected, got table)
      -- an object has a text, which can be joined with strings and numbers
      local p = host.point() return tostring(p), 'p=' .. p, p .. 1, p .. p
      --> (3, 4) p=(3, 4) (3, 4)1 (3, 4)(3, 4)
      return host.point() .. {} --> …: attempt to concatenate a table value
      -- texts of objects of different classes can be joined
      local p = host.point()
      return figure .. circle, circle .. figure, p .. figure, circle .. p .. 1, figure .. vector
      --> figure fbadge c badge cfigure f (3, 4)figure f badge c(3, 4)1 figure f(1.0, 2.0)
      return figure .. host.words() --> wrong_type: attempt to concatenate a words value
      -- an object is a sequence if its class says so
      local words = host.words()
      words:add('c')
      local seen = {}
      for i, word in ipairs(words) do seen[#seen + 1] = i .. word end
      for i, word in pairs(words) do seen[#seen + 1] = i .. word end
      return #words, words[3], words[4], words[0], table.concat(seen, ' ')
      --> 3 c nil nil 1a 2b 3c 1a 2b 3c
      -- the function that pairs gives refuses another object and ends outside the sequence
      local f, s = pairs(host.words())
      return (f(s, -1)), (f(s, 2)), (f(s, math.mininteger)), (f(s, math.maxinteger))
      --> nil nil nil nil
      local f = pairs(host.words()) f(host.point(), 0) --> bad_argument: words expected, got point
      local f, words = pairs(host.words()) f(words, 'x') --> bad_argument: …
      """))
  func scripts(example: LuaCase) throws { try fixture.check(example) }

  @Test("one object can live in two states")
  func twoStates() throws {
    let point = Point(x: 1, y: 1)
    let other = try LuaState()
    try fixture.state.setGlobal("p", to: point)
    try other.setGlobal("p", to: point)
    try fixture.call("p.y = 5")
    #expect(try other.load("return p.y").call() == [5])
  }
}

/// A circle with its own text.
private final class Badge: Circle {
  override class var luaTypeName: String { "badge" }

  override class func describe(_ members: LuaClass<Figure>) {
    members.refine(Badge.self) { $0.text { "badge \($0.name)" } }
    super.describe(members)
  }
}
