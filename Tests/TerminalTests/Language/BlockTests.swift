import Testing

@testable import PrimereplTerminal

@MainActor
@Suite("Language: blocks")
struct BlockTests {
  @Test(
    "indent a new line by two columns from the line that opened the innermost one",
    arguments: [
      ("x = 1", 0), ("if x then", 2), ("for i = 1, 3 do", 2), ("while true do", 2),
      ("repeat", 2), ("function f()", 2), ("local t = {", 2), ("f(", 2), ("f(function()", 2),
      ("if x then\n  y()\nelse", 2), ("if x then\n  for k in pairs(t) do", 4),
      ("if x then y() end", 0), ("f(function()\n  g()\nend)", 0), ("t = { [1] = {", 2),
      ("    if x then", 6), ("\tif x then", 10), ("x = [[\nif y then", 0), ("-- if x then", 0),
      ("x = \"if y then\"", 0), ("end end ) }", 0), ("", 0),
    ])
  func indentation(text: String, columns: Int) throws {
    #expect(try AssistantFixture().assistant.indentation(after: text) == columns)
  }

  @Test(
    "move back a line that only closes them",
    arguments: [
      ("if x then\n  y()\n  end", 0), ("if x then\n  y()\n  else", 0),
      ("if x then\n  y()\n  elseif", 0), ("if x then\n  y()\n  elseif z then", 0),
      ("repeat\n  y()\n  until", 0), ("t = {\n  1,\n  }", 0), ("f(function()\n  g()\n  end)", 0),
      ("f({\n  1\n  })", 0), ("  if x then\n    y()\n    end", 2),
      ("if x then\n  for i = 1, 2 do\n    y()\n    end", 2), ("t = {\n  {\n    1\n    },", 2),
    ] as [(String, Int)])
  func closing(text: String, columns: Int) throws {
    #expect(try AssistantFixture().assistant.reindentation(ofLastLineIn: text) == columns)
  }

  @Test(
    "leave other lines where they are",
    arguments: [
      "if x then\n  y()", "end", "if x then\n  ending", "x = [[\n  end", "--[[\n  end",
      "f(1)\n  end", "if x then\n  x = 1 end", "", "\n", "if x then\n  ",
    ])
  func others(text: String) throws {
    #expect(try AssistantFixture().assistant.reindentation(ofLastLineIn: text) == nil)
  }

  @Test(
    "and brackets are matched beside the cursor, or else around it",
    arguments: [
      ("f(|a)", 1, 3), ("f(a)|", 1, 3), ("f(|(a))", 2, 4), ("f(a|, {b})", 1, 8),
      ("if x then y(|) end", 11, 12), ("|if x then y() end", 0, 14), ("do x| = 1 end", 0, 9),
      ("repeat x() until| y", 0, 11), ("for i = 1, 2 do |end", 0, 16), ("t[|1]", 1, 3),
    ])
  func matching(marked: String, open: Int, close: Int) throws {
    let pair = try matchingBrackets(marked)
    #expect(pair?.open.lowerBound == open)
    #expect(pair?.close.lowerBound == close)
  }

  @Test(
    "that aren't closed, or are in strings, match nothing",
    arguments: ["f(|", "|", "x = '(|)'", ")|", "(]|", "end|"])
  func unmatched(marked: String) throws {
    let pair = try matchingBrackets(marked)
    #expect(pair == nil)
  }

  private func matchingBrackets(
    _ marked: String
  ) throws -> (open: Range<Int>, close: Range<Int>)? {
    let parts = marked.split(separator: "|", omittingEmptySubsequences: false)
    return try AssistantFixture().assistant.matchingBrackets(
      in: parts.joined(), at: parts[0].utf8.count)
  }
}
