import Lua

/// A class exposed to Lua whose subclasses add to what scripts see.
class Figure: LuaExposed {
  var name: String
  private let token: LifeCounter.Token

  init(_ name: String, of counter: LifeCounter = LifeCounter()) {
    self.name = name
    token = counter.token()
  }

  var area: Double { 0 }

  class var luaTypeName: String { "figure" }

  class func describe(_ members: LuaClass<Figure>) {
    members.property("name", \.name, help: "The name.", example: "figure.name = 'a'")
    members.property("sides", help: "How many.", example: "figure.sides") { _ in 0 }
    members.method("area", help: "The area.", example: "figure:area()") { figure in figure.area }
    members.method("kind", help: "What it is.", example: "figure:kind()") { _ in "figure" }
    members.asyncMethod("later", help: "Waits.", example: "figure:later()") { figure in
      { () async -> String in
        await Task.yield()
        return figure.name
      }
    }
    members.text { "figure \($0.name)" }
  }

  class func describeStatics(_ module: LuaModule) {
    module.property("unit", help: "What areas are in.", example: "Figure.unit") { "m²" }
    module.function("named", "name", help: "A figure.", example: "Figure.named('a')") {
      (name: String) in Figure(name)
    }
  }
}

/// Adds a radius, and replaces `kind`.
class Circle: Figure {
  var radius: Double

  init(_ name: String, radius: Double, of counter: LifeCounter = LifeCounter()) {
    self.radius = radius
    super.init(name, of: counter)
  }

  override var area: Double { 3 * radius * radius }

  override class var luaTypeName: String { "circle" }

  override class func describe(_ members: LuaClass<Figure>) {
    // Before what is inherited, to show that the order doesn't matter.
    members.refine(Circle.self) { circle in
      circle.property("radius", \.radius, help: "The radius.", example: "circle.radius = 2")
      circle.method("kind", help: "What it is.", example: "circle:kind()") { _ in "circle" }
      circle.method("grow", "by", help: "Grows.", example: "circle:grow(1)") {
        (circle, amount: Double) in circle.radius += amount
      }
    }
    super.describe(members)
  }

  override class func describeStatics(_ module: LuaModule) {
    super.describeStatics(module)
    module.callable("radius", help: "A circle.", example: "Circle(1)") { (radius: Double) in
      Circle("made", radius: radius)
    }
  }
}

/// Replaces `kind` once more.
final class Dot: Circle {
  override class var luaTypeName: String { "dot" }

  override class func describe(_ members: LuaClass<Figure>) {
    super.describe(members)
    members.refine(Dot.self) { dot in
      dot.method("kind", help: "What it is.", example: "dot:kind()") { _ in "dot" }
    }
  }
}

/// Adds nothing of its own.
final class Square: Figure {
  override var area: Double { 4 }
}
