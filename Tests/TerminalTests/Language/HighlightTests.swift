import PrimereplLineEditing
import Testing

@testable import PrimereplTerminal

@MainActor
@Suite("Language: colors")
struct HighlightTests {
  /// The parts of a text that have a style.
  private func parts(of text: String, in style: Style) throws -> [String] {
    let bytes = Array(text.utf8)
    return try AssistantFixture().assistant.styles(of: text).filter { $0.style == style }.map {
      String(decoding: bytes[$0.range], as: UTF8.self)
    }
  }

  @Test(
    "set off keywords, strings, numbers and comments",
    arguments: [
      ("local x = 1 -- one", LuaHighlighter.keyword, ["local"]),
      ("local x = 1 -- one", LuaHighlighter.comment, ["-- one"]),
      ("x = 0x1p-3 + .5e+2 .. 3", LuaHighlighter.literal, ["0x1p-3", ".5e+2", "3"]),
      ("x = nil == true", LuaHighlighter.literal, ["nil", "true"]),
      ("f('a', [[b\nc]])", Style.string, ["'a'", "[[b\nc]]"]),
      ("#'a' + 1", Style.string, ["'a'"]),
      ("x = \"unfinished", Style.string, ["\"unfinished"]),
      ("x = \"unfinished\ny = 'b'", Style.string, ["\"unfinished", "'b'"]),
      ("--[[ unfinished\nif", LuaHighlighter.comment, ["--[[ unfinished\nif"]),
      ("x = [==[ unfinished ]]", Style.string, ["[==[ unfinished ]]"]),
    ])
  func tokens(text: String, style: Style, expected: [String]) throws {
    #expect(try parts(of: text, in: style) == expected)
  }

  @Test(
    "set off modules, the library's globals and calls, but not members of the same names",
    arguments: [
      ("counter.count = string.len(x)", LuaHighlighter.known, ["counter", "string"]),
      ("t.counter = t:print()", LuaHighlighter.known, []),
      ("'a'..string.x", LuaHighlighter.known, ["string"]),
      ("counter.increment(f(x))", LuaHighlighter.call, ["increment", "f"]),
    ] as [(String, Style, [String])])
  func names(text: String, style: Style, expected: [String]) throws {
    #expect(try parts(of: text, in: style) == expected)
  }

  @Test("of a dot command are its name's, and Lua's for what takes code")
  func dotCommands() throws {
    #expect(try parts(of: ".time local x", in: LuaHighlighter.keyword) == [".time", "local"])
    #expect(try parts(of: ".load local x", in: LuaHighlighter.keyword) == [".load"])
    #expect(try parts(of: ".5 + 1", in: LuaHighlighter.literal) == [".5", "1"])
  }

  @Test(
    "are in order and don't overlap, whatever the text",
    arguments: [
      "\u{0}\u{1}\\\"", "'\\", "\"\\z", "[==", "--[==[", "0x", "..", "...", "é\u{301}",
      "#!/bin/lua\n1", "\"\\\n\"", "]]", "\u{10FEFF}",
    ])
  func nonsense(text: String) throws {
    let styles = try AssistantFixture().assistant.styles(of: text)
    var end = 0
    for style in styles {
      #expect(style.range.lowerBound >= end && style.range.upperBound <= text.utf8.count)
      end = style.range.upperBound
    }
  }
}

@Suite("Language: tokens of a text that changes")
struct SourceTokensTests {
  @Test("depend on the text alone, whatever was asked about before")
  @MainActor
  func questions() throws {
    let fixture = try AssistantFixture()
    let assistant = fixture.assistant
    let block = "do\n  counter.increment(1,\n"
    _ = assistant.styles(of: block + "2)\nend")
    #expect(assistant.indentation(after: block) == 4)
    #expect(assistant.hint(for: block, at: block.utf8.count) != nil)
    #expect(assistant.hint(for: "print(", at: 6)?.text.hasPrefix("print(") == true)
    #expect(assistant.matchingBrackets(in: "(a)", at: 0)?.close == 2..<3)
  }
}
