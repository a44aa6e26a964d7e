import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("Values at the prompt")
struct ValueSessionTests {
  @Test("are in _, _1, _2; a semicolon keeps them from being shown")
  func results() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.enter("4, 'x'", "4   \"x\"")
      try await terminal.enter("_2, _1, _", "\"x\"   4   4")
      try await terminal.enter("_3", "4")
      try await terminal.enter("_2", "nil")
      try await terminal.enter("6 * 7;")
      try await terminal.enter("_", "42")
      // A function isn't named after its variable.
      try await terminal.enter("function(a, b) end", "function (a, b) (input 7:1)")
      try await terminal.enter("_", "function (a, b) (input 7:1)")
    }
  }

  @Test("of errors are in _error")
  func errors() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.enter("favorites.add(8)", "8 is not prime  [not_prime]")
      try await terminal.enter("_error.code", "\"not_prime\"")
      try await terminal.enter("error({ kind = 'mine' })", "error: { kind = \"mine\" }")
      try await terminal.enter("_error.kind", "\"mine\"")
      try await terminal.enter("error()", "error: nil")
    }
  }

  @Test("of locals are kept for the session, unless that would hide a function, with a note")
  func locals() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.enter("local x, y = 5, 6")
      try await terminal.enter("x, y", "5   6")
      try await terminal.enter("local print = 3", "print is local to this input")
      try await terminal.enter("print", "function print")
    }
  }

  @Test("are shown in full by .page in the pager, whose failure is reported")
  func paging() async throws {
    try await PseudoTerminal.prompt(environment: ["PAGER": "cat"], columns: 60) { terminal in
      try await terminal.enter(".page", "no value so far")
      try await terminal.enter(
        "(function() local t = {} for i = 1, 200 do t[i] = i end return t end)();")
      try await terminal.send(".page\n", showing: " 200,", "}\n> ")
    }
    try await PseudoTerminal.prompt(environment: ["PAGER": "exit 3; \u{1B}"], columns: 60) {
      terminal in
      try await terminal.enter("1", "1")
      try await terminal.send(".page\n", showing: "ended with status 3\n> ")
    }
  }

  @Test("are written to files by .csv and .json")
  func files() async throws {
    let folder = try TemporaryFolder()
    let (csv, json) = (folder.path(of: "persons.csv"), folder.path(of: "persons.json"))
    try await PseudoTerminal.prompt(columns: 150) { terminal in
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
