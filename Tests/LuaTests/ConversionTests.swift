import Lua
import Testing
import TestSupport

@MainActor
@Suite("Conversion")
struct ConversionTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    try fixture.addConversion("Int", of: Int.self)
    try fixture.addConversion("Int8", of: Int8.self)
    try fixture.addConversion("Int16", of: Int16.self)
    try fixture.addConversion("Int32", of: Int32.self)
    try fixture.addConversion("UInt", of: UInt.self)
    try fixture.addConversion("UInt8", of: UInt8.self)
    try fixture.addConversion("UInt16", of: UInt16.self)
    try fixture.addConversion("UInt32", of: UInt32.self)
    try fixture.addConversion("UInt64", of: UInt64.self)
    try fixture.addConversion("Double", of: Double.self)
    try fixture.addConversion("Float", of: Float.self)
    try fixture.addConversion("Bool", of: Bool.self)
    try fixture.addConversion("String", of: String.self)
    try fixture.addConversion("LuaString", of: LuaString.self)
    try fixture.addConversion("OptionalInt", of: Int?.self)
    try fixture.addConversion("OptionalString", of: String?.self)
    try fixture.addConversion("Ints", of: [Int].self)
    try fixture.addConversion("Strings", of: [String].self)
    try fixture.addConversion("Lists", of: [[Int]].self)
    try fixture.addConversion("Ages", of: [String: Int].self)
    try fixture.addConversion("Groups", of: [String: [Int]].self)
    try fixture.install()
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      #"""
      -- a float without a fraction is an integer
      return Int(2.0), Int(2), Int(4 / 2), Int(0x1p1) --> 2 2 2 2
      -- no other value is an integer
      Int(1.5) --> …(integer expected, got 1.5)
      Int('3') --> …(integer expected, got string)
      Int(0/0) --> …(integer expected, got …nan)
      Int(true) --> …(integer expected, got boolean)
      Int(nil) --> …(integer expected, got nil)
      Int({}) --> …(integer expected, got table)
      -- a float beyond 64 bits isn't an integer, and the message gives the range
      Int(2^63)
      --> …(integer from -9223372036854775808 to 9223372036854775807 expected, got …)
      Int(-2^63 - 2048)
      --> …(integer from -9223372036854775808 to 9223372036854775807 expected, got …)
      Int(1e300)
      --> …(integer from -9223372036854775808 to 9223372036854775807 expected, got …)
      Int(math.huge)
      --> …(integer from -9223372036854775808 to 9223372036854775807 expected, got …)
      -- the least and the greatest 64-bit integer go both ways
      return Int(math.mininteger), Int(-2^63), Int(math.maxinteger)
      --> -9223372036854775808 -9223372036854775808 9223372036854775807
      -- an unsigned integer above Int64.max doesn't come from Lua, though a float could hold it
      return UInt64(math.maxinteger) --> 9223372036854775807
      UInt64(2^63) --> …(integer from 0 to 9223372036854775807 expected, got …)
      UInt(2^63) --> …(integer from 0 to 9223372036854775807 expected, got …)
      UInt64(-1) --> …(integer from 0 to 9223372036854775807 expected, got -1)
      -- narrow integers accept what they can hold and name their range otherwise
      return Int8(127), Int8(-128.0), UInt8(255) --> 127 -128 255
      Int8(128) --> …(integer from -128 to 127 expected, got 128)
      UInt8(-1) --> …(integer from 0 to 255 expected, got -1)
      UInt8(256.0) --> …(integer from 0 to 255 expected, got 256.0)
      Int16(32768) --> …(integer from -32768 to 32767 expected, got 32768)
      UInt16(65536) --> …(integer from 0 to 65535 expected, got 65536)
      Int32(1 << 31) --> …(integer from -2147483648 to 2147483647 expected, got 2147483648)
      UInt32(1 << 32) --> …(integer from 0 to 4294967295 expected, got 4294967296)
      -- a Double takes floats and the integers it can hold exactly
      return Double(0.1), Double(3), Double(1 << 53) == 1 << 53 --> 0.1 3.0 true
      Double((1 << 53) + 1)
      --> …(a number that a float holds exactly expected, got 9007199254740993)
      Double('0.5') --> …(number expected, got string)
      -- infinities and NaN go both ways as floats
      local nan = Double(0/0)
      return Double(-math.huge), nan ~= nan, math.type(nan) --> -inf true float
      -- a 32-bit float takes the nearest fraction, but no whole number that it can't hold
      return math.abs(Float(0.1) - 0.1) < 1e-8, Float(3), Float(0.5) --> true 3.0 0.5
      Float(16777217) --> …(a number that a 32-bit float holds exactly expected, got 16777217.0)
      -- a string of invalid UTF-8 isn't a String, but is a LuaString
      String('\xFF\xFE') --> …(a string of valid UTF-8 expected, got other bytes)
      return LuaString('\xFF\xFE') == '\xFF\xFE' --> true
      -- embedded zero bytes survive both ways, and so does an empty string
      return String('a\0b\0') == 'a\0b\0', LuaString('\0\1\0') == '\0\1\0' --> true true
      return String('') == '', LuaString('') == '' --> true true
      -- a number isn't a string
      String(3) --> …(string expected, got number)
      LuaString(3) --> …(string expected, got number)
      -- only booleans are booleans
      return Bool(true), Bool(false) --> true false
      Bool(nil) --> …(boolean expected, got nil)
      Bool(0) --> …(boolean expected, got number)
      Bool('true') --> …(boolean expected, got string)
      -- an Optional separates nil from a wrong type
      return OptionalInt(nil), OptionalInt(7) --> nil 7
      OptionalInt('7') --> …(integer expected, got string)
      OptionalString(false) --> …(string expected, got boolean)
      -- an array comes from a sequence and goes to one
      return table.concat(Ints{1, 2.0, 3}, ' '), #Strings{}, #Lists{{1}, {2, 3}}[2] --> 1 2 3 0 2
      -- an array with a bad element names its position
      Ints{1, 'two', 3} --> …(integer[] expected, got string at position 2)
      Ints{1, 2.5} --> …(integer[] expected, got 2.5 at position 2)
      Strings{'a', nil, 'c'} --> …(string[] expected, got nil at position 2)
      Strings('abc') --> …(string[] expected, got string)
      -- a dictionary comes from a table with names as keys and goes to one
      local ages = Ages{a = 1, ['b c'] = 2}
      return ages.a, ages['b c'], next(Ages{}), Groups{bob = {27, 28}}.bob[2] --> 1 2 nil 28
      -- a dictionary names the wrong key or value
      Ages{a = 'x'} --> …(table<string, integer> expected, got string for the key 'a')
      Ages{5} --> …(table<string, integer> expected, got a table with the key 1)
      Ages{['\xff'] = 1} --> …(table<string, integer> expected, got a table with the key '\xff')
      Ages(host) --> …(table<string, integer> expected, got table)…
      """#))
  func scripts(example: LuaCase) throws { try fixture.check(example) }

  @Test("a LuaString has a text only if its bytes are UTF-8")
  func invalidText() {
    let bytes = LuaString(bytes: [0xFF, 0xFE])
    #expect(bytes.text == nil)
    #expect(bytes.description == "\u{FFFD}\u{FFFD}")
  }

  @Test("an unsigned integer above Int64.max doesn't go to Lua")
  func unsignedToLua() throws {
    try fixture.state.setGlobal("high", to: UInt64(Int64.max))
    #expect(
      try problem { try fixture.state.setGlobal("high", to: UInt64(Int64.max) + 1) }
        == "number_out_of_range: 9223372036854775808 doesn't fit Lua's 64-bit integers")
    #expect(try fixture.call("return high") == [.integer(.max)])
  }

  @Test(
    "a table with other keys than 1 to n isn't an array, and the message names one",
    arguments: [
      ("{x = 'a'}", "a table with the key 'x'"), ("{'a', x = 'b'}", "a table with the key 'x'"),
      ("{[0] = 'a'}", "a table with the key 0"), ("{[-1] = 'a'}", "a table with the key -1"),
      ("{[1.5] = 'a'}", "a table with the key 1.5"),
      ("{[true] = 'a'}", "a table with the key true"),
      ("{[{}] = 'a'}", "a table with the key of type table"),
      ("{[2] = 'a'}", "nil at position 1"), ("{'a', [3] = 'c'}", "nil at position 2"),
      ("{'a', [math.maxinteger] = 'c'}", "nil at position 2"),
      ("{[('k'):rep(100)] = 1}", "a table with the key '\(String(repeating: "k", count: 60))…'"),
    ])
  func notSequences(expression: String, problem: String) throws {
    #expect(
      try fixture.mismatch(expression, as: [String].self) == "string[] expected, got \(problem)")
    #expect(
      try fixture.mismatch(expression, as: [String?].self) == "string?[] expected, got \(problem)")
    #expect(
      try fixture.mismatch(expression, as: [LuaValue].self) == "any[] expected, got \(problem)")
  }

  @Test("a sparse table whose length is 2^62 to Lua takes no longer than its entries")
  func sparse() throws {
    let sparse = """
      (function()
        local parts = {'{true, true, true, true, [5] = true'}
        for shift = 3, 62 do parts[#parts + 1] = (', [%d] = true'):format(1 << shift) end
        return load('return ' .. table.concat(parts) .. '}')()
      end)()
      """
    #expect(try fixture.call("return #\(sparse) > 1 << 61") == [true])
    #expect(
      try fixture.mismatch(sparse, as: [Bool?].self) == "boolean?[] expected, got nil at position 6"
    )
    #expect(
      try fixture.mismatch(sparse, as: [LuaValue].self) == "any[] expected, got nil at position 6")
  }

  @Test("an array keeps as nil the elements that a metamethod of another removes")
  func changedArray() throws {
    let changing = """
      (function()
        local list = {}
        list[1] = setmetatable({}, {__index = function()
          for key in pairs(list) do list[key] = nil end
          return 1
        end})
        list[2] = {a = 2}
        return list
      end)()
      """
    #expect(
      try fixture.mismatch(changing, as: [Items.Item].self).hasSuffix("got nil at position 2"))
    #expect(try fixture.read(changing, as: [Items.Item?].self) == [Items.Item(a: 1), nil])
  }

  @Test("an element that Lua can't hold leaves nothing on the stack")
  func badElementToLua() throws {
    for set in [
      { try fixture.state.setGlobal("list", to: [1, UInt64.max]) },
      { try fixture.state.setGlobal("table", to: ["n": UInt64.max]) },
      { try fixture.state.setGlobal("record", to: LuaRecord([("n", UInt64.max)])) },
    ] as [() throws -> Void] {
      #expect(try problem(of: set).hasPrefix("number_out_of_range: "))
    }
    #expect(try fixture.stackCount == 0)
  }
}
