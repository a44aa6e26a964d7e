import Lua
import Synchronization

/// Counts the objects that are alive.
final class LifeCounter: Sendable {
  /// An object whose life is counted: something for a closure to capture, or an error to throw.
  final class Token: Error {
    private let counter: LifeCounter

    fileprivate init(of counter: LifeCounter) {
      self.counter = counter
      counter.count.add(1, ordering: .relaxed)
    }

    deinit { counter.count.subtract(1, ordering: .relaxed) }
  }

  private let count = Atomic<Int>(0)

  var alive: Int { count.load(ordering: .relaxed) }

  func token() -> Token { Token(of: self) }

  /// Waits until at most some objects are alive; a test's time limit ends it.
  func waitUntilAlive(atMost count: Int) async throws {
    while alive > count {
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}

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
    members.property("x") { $0.x }
    members.property("y", get: { $0.y }, set: { $0.y = $1 })
    members.method("sum", "extra") { (point, extra: Int?) in point.x + point.y + (extra ?? 0) }
    members.asyncMethod("later") { point in
      { () async -> Int in
        await Task.yield()
        return point.x
      }
    }
    members.text { "(\($0.x), \($0.y))" }
  }
}

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
    members.property("name", \.name)
    members.property("sides") { _ in 0 }
    members.method("area") { figure in figure.area }
    members.method("kind") { _ in "figure" }
    members.asyncMethod("later") { figure in
      { () async -> String in
        await Task.yield()
        return figure.name
      }
    }
    members.text { "figure \($0.name)" }
  }

  class func describeStatics(_ module: LuaModule) {
    module.property("unit") { "m²" }
    module.function("named", "name") { (name: String) in Figure(name) }
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
      circle.property("radius", \.radius)
      circle.method("kind", help: "What it is.", example: "circle:kind()") { _ in "circle" }
      circle.method("grow", "by") { (circle, amount: Double) in circle.radius += amount }
    }
    super.describe(members)
  }

  override class func describeStatics(_ module: LuaModule) {
    super.describeStatics(module)
    module.callable("radius") { (radius: Double) in Circle("made", radius: radius) }
  }
}

/// Replaces `kind` once more.
final class Dot: Circle {
  override class var luaTypeName: String { "dot" }

  override class func describe(_ members: LuaClass<Figure>) {
    super.describe(members)
    members.refine(Dot.self) { dot in
      dot.method("kind") { _ in "dot" }
    }
  }
}

/// Adds nothing of its own.
final class Square: Figure {
  override var area: Double { 4 }
}

/// A struct exposed to Lua, with operators.
struct Vector: LuaExposedValue, Equatable {
  var x: Double
  var y: Double

  static let luaTypeName = "vector"

  static func describe(_ members: LuaClass<LuaBox<Vector>>) {
    members.property("x", \.value.x)
    members.property("y", \.value.y)
    members.method("scale", "by") { (box, factor: Double) -> LuaBox<Vector> in
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
    module.callable("x", "y") { (x: Double, y: Double) in Vector(x: x, y: y) }
    module.property("zero") { Vector(x: 0, y: 0) }
  }
}

/// A class exposed to Lua as a sequence of words.
final class Words: LuaExposed {
  var words: [String]

  init(_ words: String...) { self.words = words }

  static var luaTypeName: String { "words" }

  static func describe(_ members: LuaClass<Words>) {
    members.sequence(count: { $0.words.count }, element: { $0.words[$1] })
    members.method("add", "word") { (list, word: String) in list.words.append(word) }
  }
}

/// A class exposed to Lua as a sequence of words that scripts can change.
final class MutableWords: LuaExposed {
  var words: [String]

  private let token: LifeCounter.Token

  init(_ words: String..., of counter: LifeCounter = LifeCounter()) {
    self.words = words
    token = counter.token()
  }

  static var luaTypeName: String { "words" }

  static func describe(_ members: LuaClass<MutableWords>) {
    members.sequence(
      count: { $0.words.count }, element: { $0.words[$1] }, set: { $0.words[$1] = $2 },
      append: { $0.words.append($1) }, removeLast: { $0.words.removeLast() })
  }
}

/// A class exposed to Lua as a sequence of Codable elements that scripts can change.
final class Items: LuaExposed {
  struct Item: LuaCodable, Equatable {
    var a: Int
  }

  var items: [Item]

  private let token: LifeCounter.Token

  init(_ numbers: Int..., of counter: LifeCounter = LifeCounter()) {
    items = numbers.map(Item.init)
    token = counter.token()
  }

  static var luaTypeName: String { "items" }

  static func describe(_ members: LuaClass<Items>) {
    members.sequence(
      count: { $0.items.count }, element: { $0.items[$1] }, set: { $0.items[$1] = $2 },
      append: { $0.items.append($1) }, removeLast: { $0.items.removeLast() })
  }
}
