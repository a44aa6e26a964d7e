import PrimereplLineEditing
import Testing

@MainActor
@Suite("Language: whether a text can be run")
struct VerdictTests {
  @Test(
    "is so for expressions, statements, blank text and dot commands",
    arguments: [
      "1 + 1", "x = 1", "return 1", "", "  \n", "-- a comment", "print(1); print(2)", ".5 + 1",
      ".help", ".help store", "  .help", "f()\n(g)()", "#{1, 2}", "#'abc' + 1", "goto a ::a::",
      "local s = \"a\\\nb\"", "local s = 'a\\z\n  b'", "x = [[\nlong\n]]", "x = 'caf\u{E9}'",
    ])
  func complete(text: String) throws {
    #expect(try AssistantFixture().assistant.verdict(on: text) == .complete)
  }

  @Test(
    "needs more lines where either reading ends too early",
    arguments: [
      "1 +", "{ 1,", "f(", "if x then", "for i = 1, 2 do\nprint(i)", "function f()", "x =",
      "x = 1 +", "repeat", "[[long", "x = [==[ ]]", "--[[ a comment", "local", "return 1 +", "#t +",
      "#", "local s = \"a\\", "local s = 'a\\z  ", "print(\"a\",",
    ])
  func incomplete(text: String) throws {
    #expect(try AssistantFixture().assistant.verdict(on: text) == .incomplete)
  }

  @Test(
    "has a fault at the token that Lua complains about, in the reading that gets further",
    arguments: [
      ("x = = 1", 4, "unexpected symbol near '='"),
      ("x = 1\ny == 2", 8, "syntax error near '=='"),
      ("if x then\n  y = )\nend", 16, "unexpected symbol near ')'"),
      ("print(1))", 8, "unexpected symbol near ')'"),
      ("1; x = 2", 3, "<eof> expected near 'x'"),
      ("x = = y = = z", 4, "unexpected symbol near '='"),
      ("{ a = = 1 }", 6, "unexpected symbol near '='"),
      ("end", 0, "<eof> expected near 'end'"),
      ("x = 3x", 4, "malformed number near '3x'"),
      ("x = \"abc", 4, "unfinished string"),
      ("x = \"abc\ny = 1", 4, "unfinished string near '\"abc'"),
      ("#\"abc", 1, "unfinished string"), ("#t 5", 3, "<eof> expected near '5'"),
      ("x = '\\q'", 4, "invalid escape sequence near ''\\q'"),
      ("break", 0, "break outside loop at line 1"),
      ("goto nowhere", 5, "no visible label 'nowhere' for <goto> at line 1"),
      ("local x <const> = 1\nx = 2", 22, "attempt to assign to const variable 'x'"),
      ("é = 1", 0, "unexpected symbol near '<\\195>'"),
    ])
  func fault(text: String, offset: Int, message: String) throws {
    let verdict = try AssistantFixture().assistant.verdict(on: text)
    #expect(verdict == .fault(offset: offset, message: message))
  }

  @Test("shows a fault's message on one line, without control characters, and not at any length")
  func message() throws {
    let texts = [
      "x = [[\u{1B}\n]] [[b]] 1", "x = 1 [[\(String(repeating: "long ", count: 1000))]]",
    ]
    for text in texts {
      guard case .fault(_, let message) = try AssistantFixture().assistant.verdict(on: text) else {
        Issue.record("\(text) has no fault")
        continue
      }
      #expect(message.count <= 101)
      #expect(!message.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
  }

  @Test("runs nothing")
  func runsNothing() throws {
    let fixture = try AssistantFixture(after: "ran = false")
    #expect(fixture.assistant.verdict(on: "ran = true") == .complete)
    #expect(try fixture.state.global("ran", as: Bool.self) == false)
  }

  @Test("finds the fault at the end of a long line in few compilations")
  func longLine() throws {
    let line = String(repeating: "x = 1 ", count: 20_000)
    let verdict = try AssistantFixture().assistant.verdict(on: line + "= 2")
    #expect(verdict == .fault(offset: line.utf8.count, message: "unexpected symbol near '='"))
  }
}
