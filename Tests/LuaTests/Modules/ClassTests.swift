import Lua
import Testing

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
  }

  @Test("the same object is the same userdata")
  func identity() throws {
    #expect(
      try fixture.call("return host.point() == host.point(), host.new(1) == host.new(1)")
        == [true, false])
    #expect(
      try fixture.call("local t = {[host.point()] = 'found'} return t[host.point()]") == ["found"])
  }

  @Test("an object arrives in Swift as itself")
  func argument() throws {
    #expect(
      try fixture.call(
        "return host.same(host.point(), host.point()), host.same(host.point(), host.new(3))")
        == [true, false])
  }

  @Test("methods and properties work on the object")
  func members() throws {
    #expect(
      try fixture.call("local p = host.point() p.y = 10 return p.x, p.y, p:sum(), p:sum(1)")
        == [3, 10, 13, 14])
  }

  @Test("unknown and read-only fields say so")
  func fields() throws {
    let unknown = try fixture.failure("return host.point().z")
    #expect(unknown.is(.unknownField))
    #expect(unknown.message == "point has no field 'z'. It has: later, sum, x, y")
    #expect(
      try fixture.failure("return host.point().smu").message.hasPrefix(
        "point has no field 'smu'; did you mean 'sum'?"))
    let readOnly = try fixture.failure("host.point().x = 1")
    #expect(readOnly.is(.readOnlyField))
    #expect(readOnly.message == "point.x is read-only and can't be assigned")
    let wrong = try fixture.failure("host.point().y = {}")
    #expect(wrong.message == "bad value for 'point.y' (integer expected, got table)")
  }

  @Test("an object has a text, which can be joined with strings and numbers")
  func text() throws {
    #expect(
      try fixture.call("local p = host.point() return tostring(p), 'p=' .. p, p .. 1, p .. p")
        == ["(3, 4)", "p=(3, 4)", "(3, 4)1", "(3, 4)(3, 4)"])
    #expect(
      try fixture.failure("return host.point() .. {}").message
        == "attempt to concatenate a table value")
  }

  @Test("texts of objects of different classes can be joined")
  func textsOfTwoClasses() throws {
    try fixture.state.setGlobal("figure", to: Figure("f"))
    try fixture.state.setGlobal("circle", to: Badge("c", radius: 1))
    try fixture.state.setGlobal("vector", to: Vector(x: 1, y: 2))
    #expect(
      try fixture.call(
        """
        local p = host.point()
        return figure .. circle, circle .. figure, p .. figure, circle .. p .. 1, figure .. vector
        """) == [
          "figure fbadge c", "badge cfigure f", "(3, 4)figure f", "badge c(3, 4)1",
          "figure f(1.0, 2.0)",
        ])
    let error = try fixture.failure("return figure .. host.words()")
    #expect(error.is(.wrongType))
    #expect(error.message == "attempt to concatenate a words value")
  }

  @Test("an object is a sequence if its class says so")
  func sequence() throws {
    let values = try fixture.call(
      """
      local words = host.words()
      words:add('c')
      local seen = {}
      for i, word in ipairs(words) do seen[#seen + 1] = i .. word end
      for i, word in pairs(words) do seen[#seen + 1] = i .. word end
      return #words, words[3], words[4], words[0], table.concat(seen, ' ')
      """)
    #expect(values == [3, "c", .nil, .nil, "1a 2b 3c 1a 2b 3c"])
  }

  @Test("the function that pairs gives refuses another object and ends outside the sequence")
  func iterator() throws {
    #expect(
      try fixture.call(
        """
        local f, s = pairs(host.words())
        return (f(s, -1)), (f(s, 2)), (f(s, math.mininteger)), (f(s, math.maxinteger))
        """) == [.nil, .nil, .nil, .nil])
    let error = try fixture.failure("local f = pairs(host.words()) f(host.point(), 0)")
    #expect(error.is(.badArgument))
    #expect(error.message == "words expected, got point")
    #expect(
      try fixture.call(
        "local f, words = pairs(host.words()) local ok, e = pcall(f, words, 'x') return ok, e.code")
        == [false, "bad_argument"])
  }

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
