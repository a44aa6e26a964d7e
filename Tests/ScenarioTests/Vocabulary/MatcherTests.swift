import Testing
import TestSupport

@testable import Scenarios

@MainActor
@Suite("Matchers")
struct MatcherTests {
  @Test(
    "A matcher stands for the values that it describes",
    arguments: [
      "1, expect.any()", "false, expect.any()", "1, expect.any('integer')",
      "1.5, expect.any('float')", "1, expect.any('number')", "{}, expect.any('table')",
      "print, expect.any('function')", "nil, expect.none", "{}, {a = expect.none}",
      "'abc', expect.like('^a.c$')", "{a = 1, b = 2}, expect.having({a = 1})",
      "{a = {b = 1}}, expect.having({a = expect.having({b = expect.any('integer')})})",
      "4, expect.where(function(x) return x > 3 end)", "{1, 'x'}, {1, expect.any('string')}",
    ])
  func matching(values: String) async throws {
    #expect(try await FileRun.failures("expect.equal(\(values))").isEmpty)
  }

  @Test(
    "A difference shows a matcher as its description",
    arguments: LuaCase.pairs(
      #"""
      nil, expect.any() --> any value -> nil
      1, expect.any('string') --> any string -> 1
      {a = 1}, {a = expect.none} --> a: nil -> 1
      'b', expect.like('^a') --> a string like "^a" -> "b"
      {a = 1}, expect.having({a = 2}) --> a table having { a = 2 } -> { a = 1 }
      1, expect.having({}) --> a table having {} -> 1
      2, expect.where(function(x) return x > 3 end) --> a value that the function accepts -> 2
      2, expect.where(function(x) return x > 3 end, 'over 3') --> over 3 -> 2
      """#))
  func differing(values: String, difference: String) async throws {
    #expect(try await FileRun.failure("expect.equal(\(values))").differenceLines == [difference])
  }
}
