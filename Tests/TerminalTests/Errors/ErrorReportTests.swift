import Lua
import PrimereplLineEditing
import Testing

@testable import PrimereplTerminal

@MainActor
@Suite("Errors: the report")
struct ErrorReportTests {
  private let session: ErrorSession

  init() throws { session = try ErrorSession() }

  @Test(
    "says on one line what one line says, keeps the place in a file, and escapes controls",
    arguments: [
      ("error('boom')", "boom"),
      ("favorites.add(8)", "8 is not prime  [not_prime]"),
      ("string.rep()", "bad argument #1 to 'rep' (string expected, got no value)"),
      ("error('here', 0)", "here"),
      ("error('a\\nb', 0)", "a\nb"),
      ("local ok, e = pcall(error, 'x', 1) error('input 2:1: ' .. e)", "x"),
      ("load('\\n\\nerror(\"boom\")', '@folder/file.lua')()", "folder/file.lua:3: boom"),
      (
        "error('a\\27[31m\\u{9b}b\\127\\u{202e}c\\255', 0)",
        "a\\x1b[31m\\u{9b}b\\x7f\\u{202e}c\\xff"
      ),
    ])
  func oneLine(input: String, text: String) async throws {
    #expect(try await session.text(of: input) == text)
  }

  @Test(
    "says that a module isn't there on one line, and lists the places of the search in the traceback"
  )
  func missingModule() async throws {
    let report = try await session.report(on: "require 'nope'")
    #expect(
      report.lines.map(\.text) == [
        "module 'nope' not found; .traceback lists where it was searched"
      ])
    #expect(report.fullTraceback?.contains("no field package.preload['nope']") == true)
    #expect(report.fullTraceback?.contains("stack traceback") == true)
  }

  @Test("shows the message in red, and the code of the app's error dim")
  func styles() async throws {
    let lines = try await session.report(on: "favorites.add(8)").lines
    #expect(
      lines == [
        StyledText("8 is not prime", Style(.red)) + StyledText("  [not_prime]", .dim)
      ])
  }

  @Test("names the input and the line in a block, and marks what was called")
  func line() async throws {
    #expect(
      try await session.text(of: "local x = 1\nerror('boom')") == """
        input 2:2: boom
          error('boom')
          ^^^^^
        """)
    #expect(
      try await session.text(of: "local x = 1\n\nfavorites.add(8)") == """
        input 2:3: 8 is not prime  [not_prime]
          favorites.add(8)
                    ^^^
        """)
  }

  @Test(
    "marks the name that the message quotes, or else the line's code",
    arguments: [
      ("local t = {}\nreturn t.x.y", "  return t.x.y\n           ^"),
      ("local x = {}\nreturn x + 1 -- one", "  return x + 1 -- one\n         ^"),
      ("local x\n  return {} < 1", "    return {} < 1\n    ^^^^^^^^^^^^^"),
    ])
  func mark(input: String, excerpt: String) async throws {
    #expect(try await session.text(of: input).hasSuffix("\n" + excerpt))
  }

  @Test(
    "shows error values that aren't texts",
    arguments: [
      ("error({code = 5})", "error: <table>"), ("error()", "error: <nil>"),
      ("error(false)", "error: <false>"), ("error(42)", "error: <42>"),
      ("error(print)", "error: <function>"), ("error('')", "error: <>"),
      ("error(setmetatable({}, { __tostring = function() return 'own text' end }))", "own text"),
    ])
  func values(input: String, text: String) async throws {
    #expect(try await session.text(of: input) == text)
  }

  @Test("shows the beginning of a long message")
  func long() async throws {
    let text = try await session.text(of: "error(('x'):rep(10000000), 0)")
    #expect(text == String(repeating: "x", count: 2_000) + "\n... (10000000 bytes)")
    let lines = try await session.report(on: "error(('x\\n'):rep(1000), 0)").lines
    #expect(lines.count == 21)
  }

  @Test("names a failed task")
  func task() async throws {
    let error = try #require(await session.error(of: "favorites.add(8)"))
    let report = ErrorReport(error, in: nil, session.context, title: "task failed: ")
    #expect(
      report.text
        == "task failed: input 2:1: 8 is not prime  [not_prime]\n  favorites.add(8)\n            ^^^"
    )
    let value = try #require(await session.error(of: "error({})"))
    let other = ErrorReport(value, in: nil, session.context, title: "task failed: ")
    #expect(other.text == "task failed: <table>")
  }

  // MARK: - Syntax

  @Test(
    "shows a syntax error with its line and a caret",
    arguments: [
      ("x = = 3", 4, "unexpected symbol near '='", "  x = = 3\n      ^"),
      ("foo barbar", 4, "syntax error near 'barbar'", "  foo barbar\n      ^^^^^^"),
      (
        "local x = 1\nif x the y", 17, "input 2:2: 'then' expected near 'the'",
        "  if x the y\n       ^^^"
      ),
      ("'日本' 🎉", 9, "unexpected symbol near ''日本''", "  '日本' 🎉\n         ^^"),
    ])
  func syntax(input: String, offset: Int, message: String, excerpt: String) async throws {
    #expect(try await session.text(of: input, fault: offset) == "\(message)\n\(excerpt)")
  }

  @Test("shows the part of a long line around a syntax error")
  func longLine() throws {
    let text = String(repeating: "x", count: 5_000) + " = = " + String(repeating: "y", count: 5_000)
    let lines = SourceTokens(Array(text.utf8)).excerpt(of: 5_003..<5_004, columns: 60).map(\.text)
    #expect(lines.allSatisfy { $0.count <= 60 })
    let (line, carets) = (Array(lines[0]), Array(lines[1]))
    let caret = try #require(carets.firstIndex(of: "^"))
    #expect(String(line[(caret - 3)...(caret + 2)]) == "x = = y".suffix(6))
  }
}
