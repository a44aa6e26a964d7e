import Lua

/// A class exposed to Lua: two coordinates and a token that shows when it is released.
final class Point: LuaExposed {
  let x: Int
  var y: Int
  private let token: LifeCounter.Token

  init(x: Int = 0, y: Int = 0, of counter: LifeCounter = LifeCounter()) {
    self.x = x
    self.y = y
    token = counter.token()
  }

  static var luaTypeName: String { "point" }

  static func describe(_ members: LuaClass<Point>) {
    members.property("x", help: "The abscissa.", example: "p.x") { $0.x }
    members.property(
      "y", help: "The ordinate.", example: "p.y = 1", get: { $0.y }, set: { $0.y = $1 })
    members.method("sum", "extra", help: "Adds up.", example: "p:sum()") {
      (point, extra: Int?) in point.x + point.y + (extra ?? 0)
    }
    members.asyncMethod("later", help: "Waits.", example: "p:later()") { point in
      { () async -> Int in
        await Task.yield()
        return point.x
      }
    }
    members.text { "(\($0.x), \($0.y))" }
  }
}
