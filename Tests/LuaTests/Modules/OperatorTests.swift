import Lua
import Testing
import TestSupport

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
    try fixture.state.setGlobal("base", to: Base())
    try fixture.state.setGlobal("derived", to: Derived())
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- an operator calls the body whose types the operands have
      return tostring(v + w), tostring(v * 2), tostring(2 * v) --> (4.0, 6.0) (2.0, 4.0) (2.0, 4.0)
      return v * w, tostring(-v), #v, v .. {1, 2} --> 11.0 (-1.0, -2.0) 2 4.0
      return v .. '!', 1 .. v --> (1.0, 2.0)! 1(1.0, 2.0)
      -- every operator of Lua can be defined
      return tally + 4, tally - 4, tally * 2, tally / 2, tally % 4, tally ^ 2 --> 10 2 12 3 2 36
      return tally // 4, tally & 3, tally | 1, tally ~ 2, tally << 1, tally >> 1 --> 1 2 7 4 12 3
      return tally .. 1, -tally, ~tally, #tally --> 61 -6 -7 6
      -- comparisons are booleans, also those that follow from others
      return v == Vector(1, 2), v == w, v ~= w, v < w, v > w, v <= v, v >= w
      --> true false true true false true false
      -- operands of other types are never equal
      return v == point, v == 1, v == nil, point ~= v --> false false false true
      -- operands that no body takes are named, and those that some body takes
      return v * 'x'
      --> wrong_type: attempt to evaluate 'vector * string': the operands can be vector * number,
      --> number * vector, vector * vector
      return {} + v
      --> wrong_type: attempt to evaluate 'table + vector': the operands can be vector + vector
      return v < 1
      --> wrong_type: attempt to evaluate 'vector < number': the operands can be vector < vector
      return v .. true --> wrong_type: attempt to concatenate a boolean value
      -- an undefined operator is Lua's own error
      return v - w --> …: …attempt to perform arithmetic…
      -- an error in a body is raised, and no other body is tried
      return tally + 'x' --> …: no tally of x
      -- a subclass's bodies are tried before those it inherits
      return base + 1, derived + 1, derived + 'x', base + derived --> base derived base base
      """))
  func scripts(example: LuaCase) throws { try fixture.check(example) }
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
