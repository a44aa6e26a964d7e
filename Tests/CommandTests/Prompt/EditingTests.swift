import TerminalSupport
import Testing
import TestSupport

@Suite("Typing at the prompt")
struct EditingTests {
  // MARK: - Pastes

  @Test("takes 200 pasted lines as one input that Enter runs once")
  func longPaste() async throws {
    let lines = (1...200).map { "x\($0) = \($0); n = (n or 0) + 1" }
    try await PseudoTerminal.prompt { terminal in
      try await terminal.send(KeyCode.paste(lines.joined(separator: "\n")))
      try await terminal.expectEnd(". \(lines[199])")
      try await terminal.type("\n", ". \(lines[199])", ">")
      let transcript = terminal.screen.transcript
      for line in lines { #expect(transcript.ranges(of: " \(line)\n").count == 1, "\(line)") }
      try await terminal.type("n, x1, x200\n", "200   1   200", ">")
    }
  }

  @Test(
    "runs nothing after a syntax error in lines pasted without brackets, and keeps them in order")
  func unbracketedPaste() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.send("print(1)\nfor i = 1, 2 do\n\tx = = 1\n  print(2)\nend\nprint(3)\n")
      try await terminal.expectEnd(
        "> print(1)", "1", "> for i = 1, 2 do", ".         x = = 1  unexpected symbol near '='",
        ".   print(2)", ". end", ". print(3)")
      try await terminal.expectCursor(row: 3, column: 14)
      try await terminal.type(
        KeyCode.control("d"),
        "> for i = 1, 2 do", ".         x =  1", ".   print(2)", ". end", ". print(3)")
      try await terminal.type(
        "4", "> for i = 1, 2 do", ".         x = 4 1", ".   print(2)", ". end", ". print(3)")
      #expect(!terminal.screen.text.contains("\n3"))
    }
  }

  // MARK: - Blocks

  @Test("completes the values of options, and the ids of records with their texts")
  func argumentCompletion() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.send("counter.ask_nth_prime{source=\"\t")
      try await terminal.expectRow("local value    wolfram value")
      try await terminal.send("w\t}")
      try await terminal.expectRow("> counter.ask_nth_prime{source=\"wolfram\"}")
      try await terminal.type(
        KeyCode.control("c"), "> counter.ask_nth_prime{source=\"wolfram\"}^C", ">")
      try await terminal.type("todo.add('milk'); todo.add('bread')\n", ">")
      try await terminal.send("todo.complete(\t")
      try await terminal.expectRow("2 bread  1 milk")
      try await terminal.send("\t")
      try await terminal.expectRow("> todo.complete(2")
    }
  }

  @Test("recalls a block as a whole with the up key")
  func recall() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.type(
        KeyCode.paste("for i = 1, 2 do\n  print(i)\nend") + "\n", "1", "2", ">")
      try await terminal.type(KeyCode.up, "> for i = 1, 2 do", ".   print(i)", ". end")
      try await terminal.type("\n", ". end", "1", "2", ">")
    }
  }

  // MARK: - Keys

  @Test("inserts control characters that are quoted, and shows them escaped")
  func quotedInsert() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.type("#'", "> #'")
      try await terminal.type(KeyCode.control("v") + KeyCode.control("a"), "> #'\\x01")
      try await terminal.type(KeyCode.control("q") + "\u{1B}", "> #'\\x01\\x1b")
      try await terminal.type("'\n", "> #'\\x01\\x1b'", "2", ">")
    }
  }

  @Test("finds an earlier input with Ctrl-R, and runs it")
  func search() async throws {
    try await PseudoTerminal.prompt(environment: PseudoTerminal.colors) { terminal in
      for line in ["a = 1", "b = 1"] { try await terminal.type(line + "\n", "> \(line)", ">") }
      try await terminal.type(
        KeyCode.control("r") + "a", "> a = 1", "(reverse-i-search)'a'", "▸ a = 1")
      try await terminal.type("\n", "> b = 1", "> a = 1", ">")
    }
  }

  @Test("shows the signature of the call being typed, with the current argument marked")
  func hint() async throws {
    try await PseudoTerminal.prompt(environment: PseudoTerminal.colors) { terminal in
      try await terminal.send("store.subscribe('counter.count', ")
      try await terminal.expectRow("store.subscribe(path: string, fn: function): subscription")
      try await terminal.expectScreen("the second parameter marked") {
        !$0.cell(1, 16).style.isUnderlined && $0.cell(1, 30).style.isUnderlined
      }
      try await terminal.type(KeyCode.control("c"), "> store.subscribe('counter.count', ^C", ">")
    }
  }

  // MARK: - The window

  @Test("follows the window's size, however small")
  func sizes() async throws {
    try await PseudoTerminal.prompt(columns: 40, rows: 12) { terminal in
      try await terminal.type("for i = 1, 2 do\n", "> for i = 1, 2 do", ".")
      try await terminal.type("x = '0123456789 0123456789'", ".   x = '0123456789 0123456789'")
      try terminal.resize(columns: 20, rows: 12)
      try await terminal.expectEnd(".   x = '0123456789", "0123456789'")
      for (columns, rows) in [(10, 3), (1, 1), (2, 2)] as [(UInt16, UInt16)] {
        try await terminal.expectOutput {
          try terminal.resize(columns: columns, rows: rows)
        }
        try await terminal.send("z" + KeyCode.backspace)
      }
      try terminal.resize(columns: 100, rows: 30)
      try await terminal.expectEnd("> for i = 1, 2 do", ".   x = '0123456789 0123456789'")
      try await terminal.type(" end\n", ".   x = '0123456789 0123456789' end", ">")
      try await terminal.type("x\n", "\"0123456789 0123456789\"", ">")
    }
  }
}
