import Lua
import Testing

@MainActor
@Suite("Operators")
struct OperatorTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    try fixture.install()
    try fixture.state.setGlobal("Vector", to: LuaModule("Vector", of: Vector.self))
    try fixture.state.setGlobal("point", to: Point())
    try fixture.state.setGlobal("tally", to: Tally(6))
    try fixture.call("v, w = Vector(1, 2), Vector(3, 4)")
  }

  @Test(
    "an operator calls the body whose types the operands have",
    arguments: [
      ("tostring(v + w)", "(4.0, 6.0)"), ("tostring(v * 2)", "(2.0, 4.0)"),
      ("tostring(2 * v)", "(2.0, 4.0)"), ("tostring(v * w)", "11.0"),
      ("tostring(-v)", "(-1.0, -2.0)"),
      ("tostring(#v)", "2"), ("v .. {1, 2}", "4.0"), ("v .. '!'", "(1.0, 2.0)!"),
      ("1 .. v", "1(1.0, 2.0)"),
    ])
  func overloads(expression: String, result: String) throws {
    #expect(try fixture.call("return tostring(\(expression))") == [.string(LuaString(result))])
  }

  @Test(
    "every operator of Lua can be defined",
    arguments: [
      ("tally + 4", 10), ("tally - 4", 2), ("tally * 2", 12), ("tally / 2", 3), ("tally % 4", 2),
      ("tally ^ 2", 36), ("tally // 4", 1), ("tally & 3", 2), ("tally | 1", 7), ("tally ~ 2", 4),
      ("tally << 1", 12), ("tally >> 1", 3), ("tally .. 1", 61), ("-tally", -6), ("~tally", ~6),
      ("#tally", 6),
    ])
  func all(expression: String, result: Int64) throws {
    #expect(try fixture.call("return \(expression)") == [.integer(result)])
  }

  @Test("comparisons are booleans, also those that follow from others")
  func comparisons() throws {
    #expect(
      try fixture.call("return v == Vector(1, 2), v == w, v ~= w, v < w, v > w, v <= v, v >= w")
        == [true, false, true, true, false, true, false])
  }

  @Test("operands of other types are never equal")
  func neverEqual() throws {
    #expect(
      try fixture.call("return v == point, v == 1, v == nil, point ~= v") == [
        false, false, false, true,
      ])
  }

  @Test(
    "operands that no body takes are named, and those that some body takes",
    arguments: [
      (
        "v * 'x'",
        "attempt to evaluate 'vector * string': the operands can be vector * number, "
          + "number * vector, vector * vector"
      ),
      ("{} + v", "attempt to evaluate 'table + vector': the operands can be vector + vector"),
      ("v < 1", "attempt to evaluate 'vector < number': the operands can be vector < vector"),
      ("v .. true", "attempt to concatenate a boolean value"),
    ])
  func noBody(expression: String, message: String) throws {
    let error = try fixture.failure("return \(expression)")
    #expect(error.is(.wrongType))
    #expect(error.message == message)
    #expect(try fixture.stackCount == 0)
  }

  @Test("an undefined operator is Lua's own error")
  func undefined() throws {
    #expect(try fixture.failure("return v - w").message.contains("attempt to perform arithmetic"))
  }

  @Test("an error in a body is raised, and no other body is tried")
  func failure() throws {
    #expect(try fixture.failure("return tally + 'x'").message == "no tally of x")
  }

  @Test("a subclass's bodies are tried before those it inherits")
  func inherited() throws {
    try fixture.state.setGlobal("base", to: Base())
    try fixture.state.setGlobal("derived", to: Derived())
    #expect(
      try fixture.call("return base + 1, derived + 1, derived + 'x', base + derived")
        == ["base", "derived", "base", "base"])
  }
}

/// A class with every operator.
private final class Tally: LuaExposed {
  let count: Int

  init(_ count: Int) { self.count = count }

  static var luaTypeName: String { "tally" }

  static func describe(_ members: LuaClass<Tally>) {
    members.operator(.add) { (left: Tally, right: String) throws -> Int in
      throw LuaError(.wrongType, "no tally of \(right)")
    }
    members.operator(.add) { (left: Tally, right: Int) in left.count + right }
    members.operator(.add) { (_: Tally, _: LuaValue) in "anything" }
    members.operator(.subtract) { (left: Tally, right: Int) in left.count - right }
    members.operator(.multiply) { (left: Tally, right: Int) in left.count * right }
    members.operator(.divide) { (left: Tally, right: Int) in left.count / right }
    members.operator(.modulo) { (left: Tally, right: Int) in left.count % right }
    members.operator(.power) { (left: Tally, _: Int) in left.count * left.count }
    members.operator(.integerDivide) { (left: Tally, right: Int) in left.count / right }
    members.operator(.bitwiseAnd) { (left: Tally, right: Int) in left.count & right }
    members.operator(.bitwiseOr) { (left: Tally, right: Int) in left.count | right }
    members.operator(.bitwiseExclusiveOr) { (left: Tally, right: Int) in left.count ^ right }
    members.operator(.shiftLeft) { (left: Tally, right: Int) in left.count << right }
    members.operator(.shiftRight) { (left: Tally, right: Int) in left.count >> right }
    members.operator(.concatenate) { (left: Tally, right: Int) in left.count * 10 + right }
    members.operator(.negate) { (tally: Tally) in -tally.count }
    members.operator(.bitwiseNot) { (tally: Tally) in ~tally.count }
    members.operator(.length) { (tally: Tally) in tally.count }
  }
}

private class Base: LuaExposed {
  class var luaTypeName: String { "base" }

  class func describe(_ members: LuaClass<Base>) {
    members.operator(.add) { (_: Base, _: LuaValue) in "base" }
  }
}

private final class Derived: Base {
  override class func describe(_ members: LuaClass<Base>) {
    super.describe(members)
    members.refine(Derived.self) { derived in
      derived.operator(.add) { (_: Derived, _: Int) in "derived" }
    }
  }
}
