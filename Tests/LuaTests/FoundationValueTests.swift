import Foundation
import Lua
import Testing

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
    try fixture.install()
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

  private func typeName<Value: LuaReadable>(of type: Value.Type) -> String { Value.luaTypeName }

  @Test("a date is the seconds since 1970: an integer if they are whole")
  func dates() throws {
    let whole = Date(timeIntervalSince1970: 86_400)
    try expect(
      whole, "value, math.type(value), os.date('!%Y-%m-%d', value)", 86_400, "integer",
      "1970-01-02")
    let fraction = Date(timeIntervalSince1970: 1_700_000_000.25)
    try expect(fraction, "value", 1_700_000_000.25)
    #expect(try fixture.read("86400.0", as: Date.self) == whole)
    #expect(try fixture.read("-1.5", as: Date.self) == Date(timeIntervalSince1970: -1.5))
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

  @Test("no other value is a date")
  func notDates() throws {
    #expect(try fixture.mismatch("'1970-01-01'", as: Date.self) == "number expected, got string")
    #expect(
      try fixture.mismatch("math.huge", as: Date.self)
        == "a finite number of seconds expected, got inf")
  }

  @Test("a UUID is its text, in either case")
  func identifiers() throws {
    let text = "C0FFEE00-1234-4ABC-8DEF-0123456789AB"
    let identifier = try #require(UUID(uuidString: text))
    try expect(identifier, "value", .string(LuaString(text)))
    #expect(try fixture.read("'\(text.lowercased())'", as: UUID.self) == identifier)
    #expect(try fixture.mismatch("'C0FFEE'", as: UUID.self) == #"a UUID expected, got "C0FFEE""#)
    #expect(try fixture.mismatch("'\(text)\\0;'", as: UUID.self).hasPrefix("a UUID expected"))
    #expect(try fixture.mismatch("7", as: UUID.self) == "string expected, got number")
  }

  @Test("a URL is its text, in which all must be valid")
  func addresses() throws {
    let url = try #require(URL(string: "https://example.com/a?b=%20"))
    try expect(url, "value", "https://example.com/a?b=%20")
    #expect(try fixture.read("'https://example.com/a?b=%20'", as: URL.self) == url)
    #expect(try fixture.mismatch("''", as: URL.self) == #"a URL expected, got """#)
    #expect(
      try fixture.mismatch("'http://a b'", as: URL.self) == #"a URL expected, got "http://a b""#)
  }

  @Test("a decimal number is the text of its digits, or an integer")
  func decimals() throws {
    let price = try #require(Decimal(string: "-12345678901234567890.05"))
    try expect(price, "value", "-12345678901234567890.05")
    #expect(try fixture.read("'-12345678901234567890.05'", as: Decimal.self) == price)
    #expect(try fixture.read("'+.5e1'", as: Decimal.self) == 5)
    #expect(try fixture.read("0", as: Decimal.self) == 0)
    #expect(try fixture.read("'0.00'", as: Decimal.self) == 0)
    #expect(try fixture.read("math.mininteger", as: Decimal.self) == Decimal(Int64.min))
  }

  @Test(
    "a text that isn't exactly a decimal number is refused",
    arguments: ["1.2.3", "12 euros", "", ".", "-", "1e", "٣", "1e999", "1e-999"])
  func notDecimals(text: String) throws {
    #expect(try fixture.mismatch("'\(text)'", as: Decimal.self).hasPrefix("a decimal number"))
  }

  @Test("more digits than a decimal number holds are refused, and so is a float")
  func inexactDecimals() throws {
    let digits = String(repeating: "7", count: 39)
    #expect(
      try fixture.mismatch("'0.\(digits)'", as: Decimal.self)
        == "a decimal number of up to 38 digits expected, got \"0.\(digits)\"")
    #expect(try fixture.mismatch("0.5", as: Decimal.self) == "string expected, got number")
  }

  @Test("a set is a sequence; equal elements become one")
  func sets() throws {
    #expect(try fixture.read("{3, 1, 3, 2}", as: Set<Int>.self) == [1, 2, 3])
    try expect(Set([10, 20]), "#value, value[1] + value[2]", 2, 30)
    #expect(
      try fixture.mismatch("{1, 'x'}", as: Set<Int>.self)
        == "integer[] expected, got string at position 2")
    #expect(typeName(of: Set<Int>.self) == "integer[]")
    // Unlike an array of bytes, it isn't a string.
    #expect(try fixture.read("{3, 1, 3}", as: Set<UInt8>.self) == [1, 3])
    #expect(try fixture.mismatch("'abc'", as: Set<UInt8>.self) == "integer[] expected, got string")
    #expect(typeName(of: Set<UInt8>.self) == "integer[]")
  }

  @Test("a dictionary by integers is a table with integer keys")
  func integerKeys() throws {
    #expect(
      try fixture.read("{[-1] = 'a', [10.0] = 'b'}", as: [Int: String].self) == [-1: "a", 10: "b"])
    try expect([-1: "a", 10: "b"], "value[-1], value[10]", "a", "b")
    try expect([UInt8(200): "a"], "value[200]", "a")
    #expect(typeName(of: [Int64: [Bool]].self) == "table<integer, boolean[]>")
  }

  @Test("a dictionary by integers names the wrong key or value")
  func wrongEntries() throws {
    let expected = "table<integer, string> expected, got"
    #expect(
      try fixture.mismatch("{a = 'x'}", as: [Int: String].self)
        == "\(expected) a table with the key 'a'")
    #expect(
      try fixture.mismatch("{[300] = 'x'}", as: [UInt8: String].self)
        == "\(expected) a table with the key 300")
    #expect(
      try fixture.mismatch("{[7] = true}", as: [Int: String].self)
        == "\(expected) boolean for the key 7")
  }

  @Test("an integer key that Lua can't hold is refused, and nothing is pushed")
  func keyOutOfRange() throws {
    let error = try #require(throws: LuaError.self) {
      try fixture.state.setGlobal("value", to: [UInt64.max: 1])
    }
    #expect(error.is(.numberOutOfRange))
    #expect(try fixture.stackCount == 0)
  }

  @Test("they are in arrays, optionals and dictionaries, too")
  func nested() throws {
    let identifier = UUID()
    let value: [String: [UUID?]] = ["a": [identifier]]
    try fixture.state.setGlobal("value", to: value)
    #expect(try fixture.state.global("value", as: [String: [UUID?]].self) == value)
    #expect(
      try fixture.read("{{[1] = 5}, {[2] = 6}}", as: [[Int: Date]].self)
        == [
          [1: Date(timeIntervalSince1970: 5)], [2: Date(timeIntervalSince1970: 6)],
        ])
    #expect(try fixture.read("nil", as: Set<String>?.self) == nil)
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
