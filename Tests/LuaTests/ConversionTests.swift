import Lua
import Testing

@MainActor
@Suite("Conversion")
struct ConversionTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    try fixture.install()
  }

  @Test("a float without a fraction is an integer", arguments: ["2.0", "2", "4 / 2", "0x1p1"])
  func integralFloats(expression: String) throws {
    #expect(try fixture.read(expression, as: Int.self) == 2)
  }

  @Test(
    "no other value is an integer",
    arguments: [
      ("1.5", "integer expected, got 1.5"), ("'3'", "integer expected, got string"),
      ("0/0", "integer expected, got nan"), ("true", "integer expected, got boolean"),
      ("nil", "integer expected, got nil"), ("{}", "integer expected, got table"),
    ])
  func notIntegers(expression: String, message: String) throws {
    #expect(
      try fixture.mismatch(expression, as: Int.self).replacing("-nan", with: "nan") == message)
  }

  @Test(
    "a float beyond 64 bits isn't an integer, and the message gives the range",
    arguments: ["2^63", "-2^63 - 2048", "1e300", "math.huge"])
  func hugeFloats(expression: String) throws {
    let message = try fixture.mismatch(expression, as: Int64.self)
    #expect(message.hasPrefix("integer from \(Int64.min) to \(Int64.max) expected, got "))
  }

  @Test("the least and the greatest 64-bit integer go both ways")
  func extremes() throws {
    #expect(try fixture.read("math.mininteger", as: Int64.self) == .min)
    #expect(try fixture.read("math.maxinteger", as: Int64.self) == .max)
    #expect(try fixture.read("-2^63", as: Int64.self) == .min)
    try fixture.state.setGlobal("low", to: Int64.min)
    try fixture.state.setGlobal("high", to: Int64.max)
    #expect(
      try fixture.call("return low == math.mininteger, high == math.maxinteger") == [true, true])
  }

  @Test("an unsigned integer above Int64.max doesn't go to Lua")
  func unsignedToLua() throws {
    try fixture.state.setGlobal("high", to: UInt64(Int64.max))
    #expect(
      try problem { try fixture.state.setGlobal("high", to: UInt64(Int64.max) + 1) }
        == "number_out_of_range: 9223372036854775808 doesn't fit Lua's 64-bit integers")
    #expect(try fixture.call("return high") == [.integer(.max)])
  }

  @Test("an unsigned integer above Int64.max doesn't come from Lua, though a float could hold it")
  func unsignedFromLua() throws {
    #expect(try fixture.read("math.maxinteger", as: UInt64.self) == UInt64(Int64.max))
    let range = "integer from 0 to 9223372036854775807 expected"
    #expect(try fixture.mismatch("2^63", as: UInt64.self).hasPrefix(range))
    #expect(try fixture.mismatch("2^63", as: UInt.self).hasPrefix(range))
    #expect(try fixture.mismatch("-1", as: UInt64.self) == "\(range), got -1")
  }

  @Test("narrow integers accept what they can hold and name their range otherwise")
  func narrowIntegers() throws {
    #expect(try fixture.read("127", as: Int8.self) == 127)
    #expect(try fixture.read("-128.0", as: Int8.self) == -128)
    #expect(try fixture.read("255", as: UInt8.self) == 255)
    #expect(
      try fixture.mismatch("128", as: Int8.self) == "integer from -128 to 127 expected, got 128")
    #expect(try fixture.mismatch("-1", as: UInt8.self) == "integer from 0 to 255 expected, got -1")
    #expect(
      try fixture.mismatch("256.0", as: UInt8.self) == "integer from 0 to 255 expected, got 256.0")
    #expect(
      try fixture.mismatch("32768", as: Int16.self)
        == "integer from -32768 to 32767 expected, got 32768")
    #expect(
      try fixture.mismatch("65536", as: UInt16.self)
        == "integer from 0 to 65535 expected, got 65536")
    #expect(
      try fixture.mismatch("1 << 31", as: Int32.self)
        == "integer from -2147483648 to 2147483647 expected, got 2147483648")
    #expect(
      try fixture.mismatch("1 << 32", as: UInt32.self)
        == "integer from 0 to 4294967295 expected, got 4294967296")
  }

  @Test("a Double takes floats and the integers it can hold exactly")
  func doubles() throws {
    #expect(try fixture.read("0.1", as: Double.self) == 0.1)
    #expect(try fixture.read("3", as: Double.self) == 3)
    #expect(try fixture.read("1 << 53", as: Double.self) == 9_007_199_254_740_992)
    #expect(
      try fixture.mismatch("(1 << 53) + 1", as: Double.self)
        == "a number that a float holds exactly expected, got 9007199254740993")
    #expect(try fixture.mismatch("'0.5'", as: Double.self) == "number expected, got string")
  }

  @Test("infinities and NaN go both ways as floats")
  func specialFloats() throws {
    #expect(try fixture.read("-math.huge", as: Double.self) == -.infinity)
    #expect(try fixture.read("0/0", as: Double.self).isNaN)
    try fixture.state.setGlobal("nan", to: Double.nan)
    #expect(try fixture.call("return nan ~= nan, math.type(nan)") == [true, "float"])
  }

  @Test("a string of invalid UTF-8 isn't a String, but is a LuaString")
  func invalidText() throws {
    #expect(
      try fixture.mismatch(#"'\xFF\xFE'"#, as: String.self)
        == "a string of valid UTF-8 expected, got other bytes")
    let bytes = try fixture.read(#"'\xFF\xFE'"#, as: LuaString.self)
    #expect(bytes.bytes == [0xFF, 0xFE])
    #expect(bytes.text == nil)
    #expect(bytes.description == "\u{FFFD}\u{FFFD}")
  }

  @Test("embedded zero bytes survive both ways")
  func zeroBytes() throws {
    #expect(try fixture.read(#"'a\0b\0'"#, as: String.self) == "a\0b\0")
    try fixture.state.setGlobal("text", to: "\0x\0")
    try fixture.state.setGlobal("bytes", to: LuaString(bytes: [0, 1, 0]))
    #expect(
      try fixture.call(#"return #text, text == '\0x\0', bytes == '\0\1\0'"#) == [3, true, true])
  }

  @Test("an empty string goes both ways")
  func emptyStrings() throws {
    #expect(try fixture.read("''", as: String.self) == "")
    #expect(try fixture.read("''", as: LuaString.self) == LuaString(bytes: []))
    try fixture.state.setGlobal("empty", to: LuaString(bytes: []))
    #expect(try fixture.call("return empty") == [""])
  }

  @Test("a number isn't a string")
  func numbersAreNotText() throws {
    #expect(try fixture.mismatch("3", as: String.self) == "string expected, got number")
    #expect(try fixture.mismatch("3", as: LuaString.self) == "string expected, got number")
    #expect(try fixture.call("return math.type(value)") == ["integer"])
  }

  @Test("only booleans are booleans", arguments: ["nil", "0", "'true'"])
  func notBooleans(expression: String) throws {
    #expect(try fixture.mismatch(expression, as: Bool.self).hasPrefix("boolean expected, got "))
    #expect(try fixture.read("false", as: Bool.self) == false)
  }

  @Test("an Optional separates nil from a wrong type")
  func optionals() throws {
    #expect(try fixture.read("nil", as: Int?.self) == nil)
    #expect(try fixture.read("7", as: Int?.self) == 7)
    #expect(try fixture.mismatch("'7'", as: Int?.self) == "integer expected, got string")
    #expect(try fixture.mismatch("false", as: String?.self) == "string expected, got boolean")
  }

  @Test("an array comes from a sequence and goes to one")
  func arrays() throws {
    #expect(try fixture.read("{1, 2.0, 3}", as: [Int].self) == [1, 2, 3])
    #expect(try fixture.read("{}", as: [String].self) == [])
    #expect(try fixture.read("{{1}, {2, 3}}", as: [[Int]].self) == [[1], [2, 3]])
    try fixture.state.setGlobal("list", to: [["a"], [], ["b", "c"]])
    #expect(try fixture.call("return #list, #list[2], list[3][2]") == [3, 0, "c"])
  }

  @Test("an array with a bad element names its position")
  func badElements() throws {
    #expect(
      try fixture.mismatch("{1, 'two', 3}", as: [Int].self)
        == "integer[] expected, got string at position 2")
    #expect(
      try fixture.mismatch("{1, 2.5}", as: [Int].self)
        == "integer[] expected, got 2.5 at position 2")
    #expect(
      try fixture.mismatch("{'a', nil, 'c'}", as: [String].self)
        == "string[] expected, got nil at position 2")
    #expect(try fixture.mismatch("'abc'", as: [String].self) == "string[] expected, got string")
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

  @Test("a dictionary comes from a table with names as keys and goes to one")
  func dictionaries() throws {
    #expect(try fixture.read("{a = 1, ['b c'] = 2}", as: [String: Int].self) == ["a": 1, "b c": 2])
    #expect(try fixture.read("{}", as: [String: [Int]].self) == [:])
    try fixture.state.setGlobal("ages", to: ["ann": [31], "bob": [27, 28]])
    #expect(try fixture.call("return ages.ann[1], ages.bob[2], ages.x") == [31, 28, .nil])
    let type = "table<string, integer> expected"
    #expect(
      try fixture.mismatch("{a = 'x'}", as: [String: Int].self)
        == "\(type), got string for the key 'a'")
    #expect(
      try fixture.mismatch("{5}", as: [String: Int].self) == "\(type), got a table with the key 1")
    #expect(
      try fixture.mismatch("{['\\xff'] = 1}", as: [String: Int].self)
        == "\(type), got a table with the key '\\xff'")
    #expect(try fixture.mismatch("host", as: [String: Int].self) == "\(type), got table")
    #expect(throws: LuaError.self) { try fixture.state.setGlobal("bad", to: ["n": UInt64.max]) }
    #expect(try fixture.stackCount == 0)
  }

  @Test("a 32-bit float takes the nearest fraction, but no whole number that it can't hold")
  func floats() throws {
    #expect(try fixture.read("0.1", as: Float.self) == 0.1)
    #expect(try fixture.read("3", as: Float.self) == 3)
    #expect(
      try fixture.mismatch("16777217", as: Float.self)
        == "a number that a 32-bit float holds exactly expected, got 16777217.0")
    try fixture.state.setGlobal("half", to: Float(0.5))
    #expect(try fixture.call("return half") == [0.5])
  }

  @Test("an array element that Lua can't hold leaves nothing on the stack")
  func badElementToLua() throws {
    let error = #expect(throws: LuaError.self) {
      try fixture.state.setGlobal("list", to: [1, UInt64.max])
    }
    #expect(error?.is(.numberOutOfRange) == true)
    #expect(throws: LuaError.self) {
      try fixture.state.setGlobal("record", to: LuaRecord([("n", UInt64.max)]))
    }
    #expect(try fixture.stackCount == 0)
  }
}
