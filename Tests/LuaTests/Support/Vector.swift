import Lua

/// A struct exposed to Lua, with operators.
struct Vector: LuaExposedValue, Equatable {
  var x: Double
  var y: Double

  static let luaTypeName = "vector"

  static func describe(_ members: LuaClass<LuaBox<Vector>>) {
    members.property("x", \.value.x, help: "The abscissa.", example: "v.x = 1")
    members.property("y", \.value.y, help: "The ordinate.", example: "v.y = 1")
    members.method("scale", "by", help: "Scales it.", example: "v:scale(2)") {
      (box, factor: Double) -> LuaBox<Vector> in
      box.value.x *= factor
      box.value.y *= factor
      return box
    }
    members.operator(.add) { (left: Vector, right: Vector) in
      Vector(x: left.x + right.x, y: left.y + right.y)
    }
    members.operator(.multiply) { (left: Vector, right: Double) in
      Vector(x: left.x * right, y: left.y * right)
    }
    members.operator(.multiply) { (left: Double, right: Vector) in
      Vector(x: left * right.x, y: left * right.y)
    }
    members.operator(.multiply) { (left: Vector, right: Vector) in
      left.x * right.x + left.y * right.y
    }
    members.operator(.negate) { (vector: Vector) in Vector(x: -vector.x, y: -vector.y) }
    members.operator(.length) { (_: Vector) in 2 }
    members.operator(.equal) { (left: Vector, right: Vector) in left == right }
    members.operator(.lessThan) { (left: Vector, right: Vector) in left.x < right.x }
    members.operator(.lessThanOrEqual) { (left: Vector, right: Vector) in left.x <= right.x }
    members.operator(.concatenate) { (left: Vector, right: [Double]) in left.x + right.reduce(0, +)
    }
    members.text { "(\($0.value.x), \($0.value.y))" }
  }

  static func describeStatics(_ module: LuaModule) {
    module.callable("x", "y", help: "A vector.", example: "Vector(1, 2)") {
      (x: Double, y: Double) in Vector(x: x, y: y)
    }
    module.property("zero", help: "No length.", example: "Vector.zero") { Vector(x: 0, y: 0) }
  }
}
