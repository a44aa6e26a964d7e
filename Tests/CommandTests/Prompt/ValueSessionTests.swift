import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("Values at the prompt")
struct ValueSessionTests {
  private func prompt(
    environment: [String: String?] = [:], home: TemporaryFolder? = nil,
    columns: UInt16 = 60, rows: UInt16 = 20, _ body: (PseudoTerminal) async throws -> Void
  ) async throws {
    try await PseudoTerminal.run(
      ["--ephemeral", "-q"], environment: environment, home: home, columns: columns, rows: rows
    ) { terminal in
      try await terminal.expect("> ")
      try await body(terminal)
    }
  }

  @Test(
    "that are huge are shown in part, and the prompt returns",
    arguments: [
      ("string.rep('x', 10 * 1024 * 1024)", "more bytes"),
      ("(function() local t = {} for i = 1, 100000 do t[i] = i end return t end)()", " more "),
      ("(function() local t = {} for i = 1, 100000 do t = { t } end return t end)()", "{...}"),
      ("(function() local t = {} for i = 1, 100000 do t['k' .. i] = i end return t end)()", "more"),
    ])
  func huge(code: String, mark: String) async throws {
    for (columns, rows) in [(20, 5), (60, 20), (200, 60)] as [(UInt16, UInt16)] {
      try await prompt(columns: columns, rows: rows) { terminal in
        try await terminal.send(code + "\n")
        // Narrow screens break lines.
        try await terminal.expectScreen("the part and the prompt") { screen in
          screen.rows.last { !$0.isEmpty } == ">"
            && screen.unwrappedLines.contains { $0.contains(mark) }
        }
      }
    }
  }

  @Test("are in _, _1, _2; a semicolon keeps them from being shown")
  func results() async throws {
    try await prompt { terminal in
      try await terminal.enter("4, 'x'", "4   \"x\"")
      try await terminal.enter("_2, _1, _", "\"x\"   4   4")
      try await terminal.enter("_3", "4")
      try await terminal.enter("_2", "nil")
      try await terminal.enter("6 * 7;")
      try await terminal.enter("_", "42")
    }
  }

  @Test("of errors are in _error")
  func errors() async throws {
    try await prompt { terminal in
      try await terminal.enter("favorites.add(8)", "8 is not prime  [not_prime]")
      try await terminal.enter("_error.code", "\"not_prime\"")
      try await terminal.enter("error({ kind = 'mine' })", "error: { kind = \"mine\" }")
      try await terminal.enter("_error.kind", "\"mine\"")
      try await terminal.enter("error()", "error: nil")
    }
  }

  @Test("that are functions aren't named after _")
  func functions() async throws {
    try await prompt { terminal in
      try await terminal.enter("function(a, b) end", "function (a, b) (input 1:1)")
      try await terminal.enter("_", "function (a, b) (input 1:1)")
      try await terminal.enter("coroutine.wrap(print)", "function (built in)")
    }
  }

  @Test("of locals are kept for the session, unless that would hide a function, with a note")
  func locals() async throws {
    try await prompt { terminal in
      try await terminal.enter("local x, y = 5, 6")
      try await terminal.enter("x, y", "5   6")
      try await terminal.enter("local print = 3", "print is local to this input")
      try await terminal.enter("print", "function print")
    }
  }

  @Test("and messages and the history show control characters as escapes")
  func controlCharacters() async throws {
    try await prompt(columns: 100) { terminal in
      try await terminal.send(#"todo.add('a\27[31m\u{9b}2J\u{202e}b')"# + "\n")
      try await terminal.expectRow(#"☐ a\x1b[31m\u{9b}2J\u{202e}b"#)
      try await terminal.send(#"error('c\27]0;title\7d')"# + "\n")
      try await terminal.expectRow(#"c\x1b]0;title\x07d"#)
      for command in [".history", ".state todo", ".diff 0"] {
        try await terminal.send(command + "\n")
        try await terminal.expect(#"a\x1b[31m"#)
      }
      try await terminal.expectScreen("the prompt") { $0.text.hasSuffix("\n>") }
      #expect(!terminal.transcript.unicodeScalars.contains("\u{202E}"))
      #expect(!terminal.transcript.unicodeScalars.contains("\u{9B}"))
    }
  }

  @Test("are shown in full by .page in the pager, whose failure is reported")
  func paging() async throws {
    try await prompt(environment: ["PAGER": "cat"]) { terminal in
      try await terminal.enter(".page", "no value so far")
      try await terminal.enter(
        "(function() local t = {} for i = 1, 200 do t[i] = i end return t end)();")
      try await terminal.send(".page\n")
      try await terminal.expect(" 200,")
      try await terminal.expect("}\n> ")
    }
    try await prompt(environment: ["PAGER": "exit 3; \u{1B}"]) { terminal in
      try await terminal.enter("1", "1")
      try await terminal.send(".page\n")
      try await terminal.expect("ended with status 3\n> ")
    }
  }

  @Test("keep the columns of a table that can be assigned, and name those without room")
  func hiddenColumns() async throws {
    try await prompt(columns: 60) { terminal in
      try await terminal.send("landmarks.load();\nlandmarks.all\n")
      try await terminal.expect("│ name            │ park           │ is_favorite │\n")
      try await terminal.expect(
        "hidden: state, category, latitude, longitude, is_featured;\n.page shows all\n")
    }
  }

  @Test("are written to files by .csv and .json")
  func files() async throws {
    let folder = try TemporaryFolder()
    let (csv, json) = (folder.path(of: "persons.csv"), folder.path(of: "persons.json"))
    try await prompt(columns: 150) { terminal in
      try await terminal.enter(".csv \(csv)", "no value so far: type an expression first")
      try await terminal.send("persons.add{name='A \"B\", C', age=3};\npersons\n")
      try await terminal.expect("1 row\n")
      try await terminal.enter(".csv \(csv)", "1 row in \(csv)")
      try await terminal.enter(".json \(json)", "the last value is in \(json)")
      try await terminal.enter("print", "function print")
      try await terminal.enter(
        ".json \(json)", "the value can't be written as JSON: it is a function")
      try await terminal.enter(
        ".csv \(csv)",
        ".csv writes a list, such as persons or todo.items; the last value isn't one")
    }
    #expect(
      try String(contentsOfFile: csv, encoding: .utf8)
        == "id,name,age\n1,\"A \"\"B\"\", C\",3\n")
    #expect(
      try String(contentsOfFile: json, encoding: .utf8).contains(#""name": "A \"B\", C""#))
  }
}
