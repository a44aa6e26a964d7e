import Testing

@testable import Lua

@MainActor
@Suite("Values")
struct ValueTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    try fixture.install()
  }

  @Test("every kind of value is returned from a chunk unchanged, a whole float as a float")
  func kinds() throws {
    let values = try fixture.call("return nil, true, 42, 42.0, 'text', {}, print, io.stdout")
    #expect(values.prefix(5) == [.nil, true, .integer(42), .number(42), "text"])
    guard case .table = values[5], case .function = values[6], case .userdata = values[7] else {
      Issue.record("a table, a function and an object expected, got \(values.suffix(3))")
      return
    }
  }

  @Test("a chunk without results returns none, and nil is a result")
  func noResults() throws {
    #expect(try fixture.call("") == [])
    #expect(try fixture.call("return nil") == [.nil])
  }

  @Test("a table from Lua is the same table when passed back")
  func tableIdentity() throws {
    let values = try fixture.call("shared = {} return shared, shared, {}")
    try fixture.state.setGlobal("back", to: values[0])
    #expect(values[0] == values[1])
    #expect(values[0] != values[2])
    #expect(try fixture.call("return rawequal(back, shared)") == [true])
  }

  @Test("reading a global or an element as the wrong type says which")
  func wrongTypeOfKey() throws {
    #expect(
      try problem { try fixture.state.global("nothing", as: Int.self) }
        == "wrong_type: global 'nothing': integer expected, got nil")
    let table = try fixture.state.makeTable(["x"])
    let element = try #require(throws: LuaError.self) { try table.get(1, as: Int.self) }
    #expect(element.message == "field 1: integer expected, got string")
    let key = String(repeating: "k", count: 1000)
    let long = try #require(throws: LuaError.self) { try table.get(key, as: Int.self) }
    #expect(long.message == "field '\(key.prefix(60))\u{2026}': integer expected, got nil")
    #expect(try fixture.stackCount == 0)
  }

  @Test("an object of an exposed class comes out of a value, and an exposed struct's value too")
  func exposedObjects() throws {
    let point = Point(x: 1)
    try fixture.state.setGlobal("point", to: point)
    try fixture.state.setGlobal("vector", to: Vector(x: 1, y: 2))
    let values = try fixture.call("return point, vector, 5, {1, 2}, io.stdout")
    #expect(try values[0].as(Point.self) === point)
    #expect(try values[1].as(LuaBox<Vector>.self).value == Vector(x: 1, y: 2))
    let messages = try [1, 2, 3, 4].map { index in
      try #require(throws: LuaError.self) { try values[index].as(Point.self) }
    }
    #expect(messages.allSatisfy { $0.is(.wrongType) })
    #expect(
      messages.map(\.message) == [
        "point expected, got vector", "point expected, got number", "point expected, got table",
        "point expected, got FILE*",
      ])
    #expect(try values[3].as(LuaTable.self).as([Int].self) == [1, 2])
    #expect(try values[1].as(LuaUserdata.self).as(Vector.self) == Vector(x: 1, y: 2))
    #expect(try fixture.stackCount == 0)
  }

  @Test("a plain value's text is that of tostring")
  func texts() throws {
    try fixture.call(
      """
      values = {false, true, 42, math.mininteger, 1.0, 0.1, -2.5, 1e15, 1e100, 3.14159265358979,
        1/0, -1/0, 2^53, -0.0, 'text', ''}
      """)
    let values: [LuaValue] = try fixture.state.global("values")
    let expected = try fixture.call(
      "for i, v in ipairs(values) do values[i] = tostring(v) end return table.unpack(values)")
    #expect(values.map { .string(LuaString($0.description)) } == expected)
    let others = try fixture.call("return nil, {}, print, io.stdout")
    #expect(others.map(\.description) == ["nil", "table", "function", "userdata"])
  }

  @Test("a table's fields go through its metamethods")
  func metamethods() throws {
    try fixture.call(
      """
      proxy = setmetatable({}, {
        __index = function(_, key) return key .. '!' end,
        __newindex = function(_, key, value) written = key .. '=' .. value end,
        __len = function() return 77 end,
      })
      """)
    let table: LuaTable = try fixture.state.global("proxy")
    try table.set("key", to: "value")
    #expect(try table.get("key") == "key!")
    #expect(try table.length() == 77)
    #expect(try fixture.state.global("written") == "key=value")
  }

  @Test(
    "a metamethod's error is thrown in Swift",
    arguments: ["__index", "__newindex", "__len"])
  func raisingMetamethod(event: String) throws {
    try fixture.call(
      "proxy = setmetatable({}, {\(event) = function() error('no ' .. '\(event)', 0) end})")
    let table: LuaTable = try fixture.state.global("proxy")
    let error = #expect(throws: LuaError.self) {
      try table.set("key", to: 1)
      _ = try table.get("other", as: LuaValue.self)
      _ = try table.length()
    }
    #expect(error?.message == "no \(event)")
    #expect(try fixture.stackCount == 0)
  }

  @Test("globals behind a metatable that raises give an error, as strict.lua does")
  func strictGlobals() throws {
    try fixture.call(
      "setmetatable(_G, {__index = function(_, name) error('undefined ' .. name, 0) end})")
    let error = #expect(throws: LuaError.self) {
      try fixture.state.global("missing", as: LuaValue.self)
    }
    #expect(error?.message == "undefined missing")
  }

  @Test("a record's later field replaces an earlier one of the same name")
  func records() throws {
    let table = try fixture.state.makeTable(LuaRecord([("a", 1), ("b", "x"), ("a", 3)]))
    #expect(try table.get("a") == 3)
    #expect(try table.get("b") == "x")
    let literal = try fixture.state.makeTable(LuaRecord(["a": 1, "b": "x"]))
    #expect(try literal.get("a") == 1)
    let pairs: KeyValuePairs<String, any LuaPushable> = ["a": 1, "a": 2]
    #expect(try fixture.state.makeTable(LuaRecord(pairs)).get("a") == 2)
  }

  @Test("a value of another state is refused, alone or in an array")
  func valuesOfAnotherState() throws {
    let (state, other) = (fixture.state, try LuaState())
    let (own, foreign) = (try state.makeTable([1]), try other.makeTable([2]))
    for body in [
      { try state.setGlobal("x", to: foreign) }, { try state.setGlobal("x", to: [own, foreign]) },
    ] as [() throws -> Void] {
      let error = #expect(throws: LuaError.self) { try body() }
      #expect(error?.code == .foreignValue)
    }
    #expect(try fixture.stackCount == 0)
  }

  @Test("a first line that begins with # is skipped, and the lines keep their numbers")
  func commentLine() throws {
    #expect(try fixture.call("#!/usr/bin/env primerepl\nreturn 1") == [1])
    #expect(try fixture.failure("#!shebang\nerror('here')").message == "test:2: here")
    #expect(try fixture.call("# only a comment") == [])
  }

  @Test("a byte order mark is skipped, before a comment line too")
  func byteOrderMark() throws {
    #expect(try fixture.call("\u{FEFF}return 1") == [1])
    #expect(try fixture.failure("\u{FEFF}#!shebang\nerror('here')").message == "test:2: here")
  }

  @Test("a chunk can have any bytes in its strings")
  func anyBytes() throws {
    let source = Array("return '".utf8) + [0xFF, 0x00, 0xC3] + Array("'".utf8)
    let values = try fixture.state.load(source).call()
    #expect(values == [.string(LuaString(bytes: [0xFF, 0x00, 0xC3]))])
  }

  @Test("compiled chunks aren't accepted: they could crash the interpreter")
  func binaryChunks() throws {
    let code = try fixture.read("string.dump(function() end)", as: LuaString.self)
    let error = #expect(throws: LuaError.self) { try fixture.state.load(code.bytes) }
    #expect(error?.is(.syntax) == true)
  }
}
