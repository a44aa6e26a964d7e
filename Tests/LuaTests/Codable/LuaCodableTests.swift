import Lua
import Testing

@Suite struct LuaCodableTests {
  private struct Point: LuaCodable, Equatable {
    var x: Int
    var y: Int
  }

  private enum Side: String, LuaCodable { case left, right }

  let state: LuaState
  private let module = LuaModule("geometry", help: "Points.")

  init() throws {
    state = try LuaState()
    module.function("mirror", "point") { (point: Point) in Point(x: point.y, y: point.x) }
    module.function("opposite", "side") { (side: Side) -> Side in side == .left ? .right : .left }
    module.function("total", "numbers", "more") {
      (numbers: LuaCoded<[String: Int]>, more: LuaCoded<[Int]>?) in
      LuaCoded(["total": (Array(numbers.value.values) + (more?.value ?? [])).reduce(0, +)])
    }
    try state.setGlobal("geometry", to: module)
  }

  @Test("a LuaCodable type is an argument and a result directly") func codable() throws {
    let source = "local p = geometry.mirror({x = 1, y = 2}) return p.x * 10 + p.y"
    #expect(try state.evaluate(source) == .integer(21))
    #expect(try state.evaluate("return geometry.opposite('left')") == .string("right"))
  }

  @Test("LuaCoded wraps any other type") func coded() throws {
    #expect(try state.evaluate("return geometry.total({a = 1}, {2, 3}).total") == .integer(6))
    #expect(try state.evaluate("return geometry.total({a = 1}).total") == .integer(1))
  }

  @Test("a wrong argument is refused with its path") func badArgument() throws {
    let error = try #require(throws: LuaError.self) {
      try state.evaluate("geometry.mirror({x = 1, y = 'z'})")
    }
    #expect(error.is(.badArgument))
    #expect(
      error.message
        == "bad argument #1 to 'geometry.mirror' (point: y: integer expected, got string)")
  }

  @Test("signatures say what scripts have to pass") func signatures() {
    #expect(
      module.documentation.map(\.signature) == [
        "mirror(point: table): table", "opposite(side: string): string",
        "total(numbers: table, [more: table]): table",
      ])
  }
}
