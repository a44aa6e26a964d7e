import Foundation
import Lua
import Testing
import TestSupport

@MainActor
@Suite("Values of Foundation, sets and dictionaries by integers")
struct FoundationValueTests {
  private struct Everything: Codable, Equatable {
    var date: Date
    var identifier: UUID
    var address: URL
    var price: Decimal
    var tags: Set<String>
    var names: [Int: String]
    var dates: [UInt8: Date?]
  }

  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    try fixture.addConversion("Date", of: Date.self)
    try fixture.addConversion("Dates", of: [[Int: Date]].self)
    try fixture.addConversion("UUID", of: UUID.self)
    try fixture.addConversion("URL", of: URL.self)
    try fixture.addConversion("Decimal", of: Decimal.self)
    try fixture.addConversion("Set", of: Set<Int>.self)
    try fixture.addConversion("ByteSet", of: Set<UInt8>.self)
    try fixture.addConversion("OptionalSet", of: Set<String>?.self)
    try fixture.addConversion("ByInteger", of: [Int: String].self)
    try fixture.addConversion("ByByte", of: [UInt8: String].self)
  }

  /// Expects the results of an expression with a value, there called `value`: as an argument, and as a coded value.
  private func expect(
    _ value: some LuaPushable & Encodable, _ expression: String, _ results: LuaValue...
  ) throws {
    try fixture.state.setGlobal("value", to: value)
    #expect(try fixture.call("return \(expression)") == results)
    try fixture.state.setGlobal("value", to: LuaEncoder().encode(value, in: fixture.state))
    #expect(try fixture.call("return \(expression)") == results)
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      #"""
      -- a date is any finite number of seconds
      return Date(86400.0), Date(-1.5) --> 86400 -1.5
      Date('1970-01-01') --> …(number expected, got string)
      Date(math.huge) --> …(a finite number of seconds expected, got inf)
      -- a UUID is its text, in either case
      return UUID('c0ffee00-1234-4abc-8def-0123456789ab') --> C0FFEE00-1234-4ABC-8DEF-0123456789AB
      UUID('C0FFEE') --> …(a UUID expected, got "C0FFEE")
      UUID('C0FFEE00-1234-4ABC-8DEF-0123456789AB\0;') --> …(a UUID expected…
      UUID(7) --> …(string expected, got number)
      -- a URL is its text, in which all must be valid
      return URL('https://example.com/a?b=%20') --> https://example.com/a?b=%20
      URL('') --> …(a URL expected, got "")
      URL('http://a b') --> …(a URL expected, got "http://a b")
      -- a decimal number is the text of its digits, or an integer
      return Decimal('-12345678901234567890.05') --> -12345678901234567890.05
      return Decimal('+.5e1'), Decimal(0), tonumber(Decimal('0.00')) == 0 --> 5 0 true
      return Decimal(math.mininteger) --> -9223372036854775808
      -- a float is no decimal number
      Decimal(0.5) --> …(string expected, got number)
      -- a set is a sequence; equal elements become one
      local set = Set{3, 1, 3, 2} table.sort(set) return table.concat(set, ' ') --> 1 2 3
      Set{1, 'x'} --> …(integer[] expected, got string at position 2)
      -- a set of bytes isn't a string, unlike an array of them
      return #ByteSet{3, 1, 3} --> 2
      ByteSet('abc') --> …(integer[] expected, got string)
      -- a dictionary by integers is a table with integer keys
      local names = ByInteger{[-1] = 'a', [10.0] = 'b'} return names[-1], names[10] --> a b
      ByInteger{a = 'x'} --> …(table<integer, string> expected, got a table with the key 'a')
      ByByte{[300] = 'x'} --> …(table<integer, string> expected, got a table with the key 300)
      ByInteger{[7] = true} --> …(table<integer, string> expected, got boolean for the key 7)
      -- they are in arrays, optionals and dictionaries, too
      local dates = Dates{{[1] = 5}, {[2] = 6}} return dates[1][1], dates[2][2] --> 5 6
      return OptionalSet(nil) --> nil
      """#))
  func scripts(example: LuaCase) throws { try fixture.check(example) }

  @Test("values are the same as arguments and coded")
  func bothWays() throws {
    try expect(
      Date(timeIntervalSince1970: 86_400),
      "value, math.type(value), os.date('!%Y-%m-%d', value)", 86_400, "integer", "1970-01-02")
    try expect(Date(timeIntervalSince1970: 1_700_000_000.25), "value", 1_700_000_000.25)
    let text = "C0FFEE00-1234-4ABC-8DEF-0123456789AB"
    try expect(#require(UUID(uuidString: text)), "value", .string(LuaString(text)))
    try expect(#require(URL(string: "https://a.com/?b=%20")), "value", "https://a.com/?b=%20")
    try expect(#require(Decimal(string: "-1234567890123.05")), "value", "-1234567890123.05")
    try expect(Set([10, 20]), "#value, value[1] + value[2]", 2, 30)
    try expect([-1: "a", 10: "b"], "value[-1], value[10]", "a", "b")
    try expect([UInt8(200): "a"], "value[200]", "a")
  }

  @Test("sets and dictionaries have the type of what they contain in signatures")
  func typeNames() {
    #expect(Set<UInt8>.luaTypeName == "integer[]")
    #expect([Int64: [Bool]].luaTypeName == "table<integer, boolean[]>")
  }

  @Test("a date comes back to a quarter of a microsecond")
  func datePrecision() throws {
    for number in 0..<100 {
      let date = Date(timeIntervalSinceReferenceDate: 8e8 + Double(number) * 1e5 / 7)
      try fixture.state.setGlobal("value", to: date)
      let back = try fixture.state.global("value", as: Date.self)
      #expect(abs(back.timeIntervalSince(date)) < 0.25e-6)
    }
  }

  @Test(
    "a text that isn't exactly a decimal number is refused",
    arguments: ["1.2.3", "12 euros", "", ".", "-", "1e", "٣", "1e999", "1e-999"])
  func notDecimals(text: String) throws {
    #expect(try fixture.mismatch("'\(text)'", as: Decimal.self).hasPrefix("a decimal number"))
  }

  @Test("more digits than a decimal number holds are refused")
  func inexactDecimals() throws {
    let digits = String(repeating: "7", count: 39)
    #expect(
      try fixture.mismatch("'0.\(digits)'", as: Decimal.self)
        == "a decimal number of up to 38 digits expected, got \"0.\(digits)\"")
  }

  @Test("an integer key that Lua can't hold is refused, and nothing is pushed")
  func keyOutOfRange() throws {
    let error = try #require(throws: LuaError.self) {
      try fixture.state.setGlobal("value", to: [UInt64.max: 1])
    }
    #expect(error.is(.numberOutOfRange))
    #expect(try fixture.stackCount == 0)
  }

  @Test("coded values have the same form, and come back")
  func coded() throws {
    let url = try #require(URL(string: "https://example.com"))
    let value = Everything(
      date: Date(timeIntervalSince1970: 1), identifier: UUID(), address: url, price: 1.5,
      tags: ["a", "b"], names: [3: "c"], dates: [1: Date(timeIntervalSince1970: 2)])
    let encoded = try LuaEncoder().encode(value, in: fixture.state)
    #expect(try LuaDecoder().decode(Everything.self, from: encoded, in: fixture.state) == value)
    try fixture.state.setGlobal("value", to: encoded)
    #expect(
      try fixture.call(
        "return value.date, value.address, value.price, #value.tags, value.names[3], value.dates[1]"
      )
        == [1, "https://example.com", "1.5", 2, "c", 2])
  }
}
