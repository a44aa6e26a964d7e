import Testing

@testable import Lua

@MainActor
@Suite("Values and results as types of Swift")
struct ResultTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    try fixture.install()
  }

  @Test("a literal makes a value of its kind")
  func literals() throws {
    let word = "text"
    let values: [LuaValue] = [nil, true, 1, 1.0, "text", "a \(word)"]
    #expect(
      values == [
        .nil, .boolean(true), .integer(1), .number(1), .string(LuaString("text")),
        .string(LuaString("a text")),
      ])
  }

  @Test("values are keys of sets and dictionaries")
  func hashable() throws {
    let values = try fixture.call("local t = {} return t, t, 1, 1.0, print, print")
    #expect(Set(values).count == 4)
  }

  @Test("a value without identity is read as any type, without a state")
  func plainValues() throws {
    #expect(try LuaValue.integer(7).as(Int.self) == 7)
    #expect(try LuaValue.integer(7).as(Int64.self) == 7)
    #expect(try LuaValue.integer(7).as(Double.self) == 7)
    #expect(try LuaValue.integer(7).as(UInt8.self) == 7)
    #expect(try LuaValue.number(2.5).as(Double.self) == 2.5)
    #expect(try LuaValue.number(2.5).as(Float.self) == 2.5)
    #expect(try LuaValue.boolean(true).as(Bool.self))
    #expect(try LuaValue.string("text").as(String.self) == "text")
    #expect(try LuaValue.string("text").as(LuaString.self) == "text")
    #expect(try LuaValue.integer(7).as(LuaValue.self) == 7)
    #expect(try LuaValue.string("south").as(Heading.self) == .south)
  }

  @Test(
    "a value of another type is refused with the type that it has",
    arguments: [
      ("1.5", "integer expected, got 1.5"), ("nil", "integer expected, got nil"),
      ("{}", "integer expected, got table"),
    ])
  func mismatches(source: String, message: String) throws {
    let value = try #require(try fixture.call("return \(source)").first)
    let error = try #require(throws: LuaError.self) { try value.as(Int.self) }
    #expect(error.code == .wrongType)
    #expect(error.message == message)
  }

  @Test("a table is read as an array, a dictionary or a Codable type, a function as a function")
  func references() throws {
    let values = try fixture.call("return {1, 2}, {a = 1}, print, {x = 1, y = 2}")
    #expect(try values[0].as([Int].self) == [1, 2])
    #expect(try values[1].as([String: Int].self) == ["a": 1])
    #expect(try values[2] == .function(values[2].as(LuaFunction.self)))
    #expect(try values[3].as(Spot.self) == Spot(x: 1, y: 2))
  }

  @Test("a value with identity can't be read once its state is closed; others can")
  func closed() throws {
    let state = try LuaState()
    let values = try state.load("return {1}, 'text'").call()
    state.close()
    let error = #expect(throws: LuaError.self) { try values[0].as([Int].self) }
    #expect(error?.code == .stateClosed)
    #expect(try values[1].as(String.self) == "text")
  }

  @Test("results are read as a tuple, of which missing ones are nil, and others are dropped")
  func tuples() throws {
    let results: [LuaValue] = [1, "two", true]
    let (number, text) = try results.values(as: (Int, String).self)
    #expect((number, text) == (1, "two"))
    let (_, _, _, missing) = try results.values(as: (Int, String, Bool, Int?).self)
    #expect(missing == nil)
    #expect(try results.value(as: Int.self) == 1)
    let (none, nothing) = try [LuaValue]().values(as: (Int?, LuaVariadic).self)
    #expect(none == nil)
    #expect(nothing.values.isEmpty)
    let (first, rest) = try results.values(as: (Int, LuaVariadic).self)
    #expect(first == 1)
    #expect(rest.values == ["two", true])
  }

  @Test("a value of another state, or of a closed one, has no text here")
  func foreignText() throws {
    let other = try LuaState()
    let table = try other.makeTable()
    let foreign = #expect(throws: LuaError.self) { try fixture.state.text(of: table) }
    #expect(foreign?.code == .foreignValue)
    other.close()
    let closed = #expect(throws: LuaError.self) { try other.text(of: 1) }
    #expect(closed?.code == .stateClosed)
    #expect(try fixture.stackCount == 0)
  }

  @Test("values are read in a function that Lua called, and in a finalizer")
  func callbacks() throws {
    var lists: [[Int]] = []
    let take = try fixture.state.function("take") { (value: LuaValue) in
      lists.append(try value.as([Int].self))
    }
    try fixture.state.setGlobal("take", to: take)
    try fixture.call("take({1}) setmetatable({}, {__gc = function() take({2}) end})")
    try fixture.state.collectAll()
    #expect(lists == [[1], [2]])
  }

  @Test("the text of a value is that of tostring, with metamethods")
  func text() throws {
    let state = fixture.state
    #expect(try state.text(of: 1.0) == "1.0")
    #expect(try state.text(of: LuaValue.nil) == "nil")
    #expect(try state.text(of: "text") == "text")
    let values = try fixture.call(
      """
      return setmetatable({}, {__tostring = function() return 'own' end}),
        setmetatable({}, {__tostring = function() error('boom', 0) end}), {}
      """)
    #expect(try state.text(of: values[0]) == "own")
    let error = #expect(throws: LuaError.self) { try state.text(of: values[1]) }
    #expect(error?.message == "boom")
    try state.setGlobal("plain", to: values[2])
    #expect(try fixture.call("return tostring(plain)") == [.string(state.text(of: values[2]))])
    #expect(try fixture.stackCount == 0)
  }
}

private enum Heading: String, LuaCodable { case north, south }

private struct Spot: LuaCodable, Equatable { var x, y: Int }
