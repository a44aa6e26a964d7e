import Testing
import TestSupport

@testable import Scenarios

@MainActor
@Suite("Expectations of values")
struct ValueExpectationTests {
  @Test(
    "equal passes for values that are equal all the way down",
    arguments: [
      "1, 1.0", "0/0, 0/0", "nil, nil", "'a', 'a'", "{1, {a = {}}}, {1, {a = {}}}",
      "{a = 1}, {a = 1, b = nil}", "print, print", "favorites, {}",
      "setmetatable({1}, {__eq = function() return true end}), setmetatable({2}, {})",
      "setmetatable({1}, {__metatable = false}), {1}", "{[hostile] = 1}, {[hostile] = 1}",
    ])
  func equal(values: String) async throws {
    let code = """
      local hostile = setmetatable({}, { __tostring = function() error("boom") end })
      expect.equal(\(values))
      """
    #expect(try await FileRun.failures(code).isEmpty)
  }

  @Test(
    "equal tells what differs, and where",
    arguments: LuaCase.pairs(
      #"""
      1, 2 --> 2 -> 1
      '1', 1 --> 1 -> "1"
      1, nil --> nothing -> 1
      {a = false}, {} --> a: nothing -> false
      {1, {x = {'a'}}}, {1, {x = {'b'}}} --> [2].x[1]: "b" -> "a"
      {['a b'] = 1}, {['a b'] = 2} --> ["a b"]: 2 -> 1
      '\xff\0', 'a' --> "a" -> "\xff\000"
      {}, 1 --> 1 -> {}
      """#))
  func difference(values: String, difference: String) async throws {
    let failure = try await FileRun.failure("expect.equal(\(values))")
    #expect(failure.text == "the values differ; \(difference)")
  }

  @Test(
    "equal aligns lists: a missing element is one difference, wherever it is",
    arguments: LuaCase.pairs(
      """
      {1, 3, 4}, {1, 2, 3, 4} --> [2]: 2 -> nothing
      {1, 2, 3, 4}, {1, 3, 4} --> [2]: nothing -> 2
      {2, 3, 4}, {1, 2, 3} --> [1]: 1 -> nothing; [3]: nothing -> 4
      {1, 5, 3}, {1, 2, 3} --> [2]: 2 -> 5
      {{id = 1, a = 1}, {id = 3, a = 9}}, {{id = 1, a = 1}, {id = 2, a = 2}, {id = 3, a = 3}}
      --> [2]: { a = 2, id = 2 } -> nothing; [2].a: 3 -> 9
      {2, 1}, {1, 2} --> [1]: 1 -> 2; [2]: 2 -> 1
      {'a', 'b', 'c', 'd', 'e'}, {'a', expect.any(), 'd', 'e'} --> [3]: nothing -> "c"
      """))
  func alignment(values: String, differences: String) async throws {
    let failure = try await FileRun.failure("expect.equal(\(values))")
    #expect(failure.differenceLines.joined(separator: "; ") == differences)
  }

  @Test(
    "equal shows differences that can't be seen",
    arguments: [
      (#"'5\u{A0}km', '5 km'"#, #""5 km" -> "5\u{a0}km""#),
      (#"'e\u{301}', '\u{E9}'"#, #""\u{e9}" -> "e\u{301}""#),
      (#"'a\u{200D}b', 'ab'"#, #""ab" -> "a\u{200d}b""#),
      (#"'a\u{FE0F}', 'a'"#, #""a" -> "a\u{fe0f}""#),
      (#"'a ', 'a'"#, #""a" -> "a ""#), (#"'a\tb', 'a b'"#, #""a b" -> "a\tb""#),
      (#"'a\r\n', 'a\n'"#, "a\n -> a\r\n"), (#"'a \nb', 'a\nb'"#, "a\nb -> a\\x20\nb"),
      (#"1, '1'"#, #""1" -> 1"#), (#"{ x = 'a\u{A0}' }, { x = 'a ' }"#, #"x: "a " -> "a\u{a0}""#),
      (#"'\u{1F468}\u{200D}\u{1F469}', 'x'"#, "\"x\" -> \"\u{1F468}\u{200D}\u{1F469}\""),
      (#"'p\u{430}ypal', 'paypal'"#, #""paypal" -> "p\u{430}ypal""#),
      (#"'\u{43C}\u{438}\u{440}', 'war'"#, "\"war\" -> \"\u{43C}\u{438}\u{440}\""),
      (
        #"'\u{43C}\u{438}\u{440}', '\u{43C}\u{438}\u{433}'"#,
        "\"\u{43C}\u{438}\u{433}\" -> \"\u{43C}\u{438}\u{440}\""
      ),
      (#"'one \u{1F389}', 'one !'"#, "\"one !\" -> \"one \u{1F389}\""),
      (#"'\u{E4}', 'a'"#, "\"a\" -> \"\u{E4}\""),
    ])
  func invisible(values: String, expected: String) async throws {
    let failure = try await FileRun.failure("expect.equal(\(values))")
    #expect(failure.differenceLines == [expected])
  }

  @Test("A failure in a file whose lines end in CR LF shows its line")
  func otherLineEnds() async throws {
    let source = "scenario('s', function()\r\n  local a = 1\r\n  expect.equal(a, 2)\r\nend)\r\n"
    let failure = try #require(try await FileRun(source).run("s").failures?.first)
    #expect(failure.location?.line == 3)
    #expect(failure.location?.text == "expect.equal(a, 2)")
  }

  @Test("A failure names the line of the expectation, and the calls that led there")
  func location() async throws {
    let failure = try await FileRun.failure(
      """
      local function check(n)
        expect.equal(n, 2)
      end
      check(1)
      """)
    #expect(failure.location?.line == 2)
    #expect(failure.location?.text == "expect.equal(n, 2)")
    #expect(failure.callers.map(\.line) == [4])
  }

  @Test("A function that calls itself is one caller")
  func recursion() async throws {
    let failure = try await FileRun.failure("local function f() return 1 + f() end f()")
    #expect(failure.message.contains("stack overflow"))
    #expect(failure.callers.isEmpty)
  }

  @Test("Of long strings, equal shows where they begin to differ")
  func longStrings() async throws {
    let failure = try await FileRun.failure(
      "local s = ('x'):rep(1000000) expect.equal(s .. 'a', s .. 'b')")
    let expected = "\"" + String(repeating: "x", count: 100) + "b\" (from byte 999901)"
    #expect(failure.differences.map(\.expected) == [expected])
  }

  @Test(
    "near passes within the tolerance",
    arguments: [
      "0.1 + 0.2, 0.3", "1, 1.4, 0.5", "math.huge, math.huge", "5, 3, math.huge",
      "math.maxinteger, math.maxinteger - 1, 1", "math.mininteger, math.maxinteger, 0x1p64",
      "math.mininteger, math.mininteger + 1.0, 0",
    ])
  func near(arguments: String) async throws {
    #expect(try await FileRun.failures("expect.near(\(arguments))").isEmpty)
  }

  @Test(
    "near fails outside the tolerance, and for what is no number",
    arguments: [
      "1, 1.1", "1, 2, 0.5", "0/0, 0/0", "'1', 1", "5, math.huge", "math.huge, -math.huge",
      "math.huge, 5, math.huge", "math.maxinteger, math.mininteger, 10",
      "math.mininteger, 0, math.maxinteger", "2^53, (1 << 53) + 1, 0", "math.maxinteger, 2^63, 0",
    ])
  func notNear(arguments: String) async throws {
    let failure = try await FileRun.failure("expect.near(\(arguments))")
    #expect(failure.kind == .expectation)
    #expect(failure.message.hasPrefix("the number isn't within "))
  }

  @Test("A message of 10 MB is cut, and says how much is missing")
  func longMessage() async throws {
    let failure = try await FileRun.failure("error(('x'):rep(10 * 1024 * 1024), 0)")
    #expect(failure.message.utf8.count < 100_000)
    #expect(failure.message.hasSuffix(" more bytes"))
  }

  @Test(
    "in scenarios",
    arguments: LuaCase.list(
      #"""
      -- equal compares tables that contain themselves
      local a, b = {}, {} a.a, b.a = {a = a}, b expect.equal(a, b) --> passes
      local a, b = {x = 1}, {x = 2} a.a, b.a = a, b expect.equal(a, b)
      --> the values differ; x: 2 -> 1
      -- equal compares a table that is reached in many ways once
      local a, b = {}, {} for _ = 1, 60 do a, b = {a, a}, {b, b} end expect.equal(a, b) --> passes
      -- equal reports the differences of a shared table wherever it is reached
      local a, b = {1}, {2} expect.equal({x = a, y = a}, {x = b, y = b})
      --> the values differ in 2 places; x[1]: 2 -> 1; y[1]: 2 -> 1
      -- equal counts the differences, in the order of the keys
      expect.equal({b = 1, 2}, {a = 1, 3})
      --> the values differ in 3 places; [1]: 3 -> 2; a: 1 -> nothing; b: nothing -> 1
      -- equal compares live records and lists with tables
      todo.add('milk')
      expect.equal(todo.items, {{id = 1, text = 'milk', done = false}})
      expect.equal(todo.items[1], {id = 1, text = 'tea', done = false})
      --> line 3: the values differ; text: "tea" -> "milk"
      -- equal says that tables are too deep to be compared
      local a, b = {}, {} for _ = 1, 100000 do a, b = {a}, {b} end expect.equal(a, b)
      --> the values differ; …at most 1000 tables within each other -> more
      -- Errors of metamethods, and in the function of where, are errors of the scenario
      expect.equal(setmetatable({}, {__pairs = function() error('no pairs') end}), {1})
      --> error: no pairs
      expect.equal(1, expect.where(function() error('broken') end)) --> error: broken
      -- truthy, falsy, contains and matches pass for what they are about
      expect.truthy(0) expect.falsy(nil) expect.falsy(false) --> passes
      expect.contains('abc', 'bc') expect.contains({1, {a = 1}}, {a = 1}) --> passes
      favorites.add(7) expect.contains(favorites, 7) expect.contains({x = 'y'}, 'y') --> passes
      expect.matches('abc', '^a') --> passes
      -- truthy, falsy, contains and matches say what was found
      expect.truthy(nil) --> expected a value other than nil and false, got nil
      expect.falsy(0) --> expected nil or false, got 0
      expect.contains('abc', 'd') --> "abc" doesn't contain "d"
      expect.contains({1, {a = 1}}, {a = 2}) --> { 1, { a = 1 } } doesn't contain { a = 2 }
      expect.matches('abc', '^b') --> "abc" doesn't match the pattern "^b"
      expect.matches(12, '1') --> 12 doesn't match the pattern "1"
      -- assert shows differences that can't be seen
      local a, b = '5\u{A0}km', '5 km' assert(a == b)
      --> error: assertion failed: a == b, but a is "5\u{a0}km" and b is "5 km"
      """#))
  func scenarios(example: LuaCase) async throws { try await FileRun.check(example) }
}
