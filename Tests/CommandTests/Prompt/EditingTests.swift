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

  @Test("undoes and redoes a paste as one step")
  func undonePaste() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.type("a = ", "> a =")
      try await terminal.type(KeyCode.paste("{\n\t1,\n}"), "> a = {", ".         1,", ". }")
      try await terminal.type(KeyCode.control("_"), "> a =")
      try await terminal.type("\u{1B}_", "> a = {", ".         1,", ". }")
      try await terminal.type("\n", ". }", ">")
      try await terminal.type("a\n", "{ 1 }", ">")
    }
  }

  @Test("keeps a pasted block with a syntax error, and runs no part of it")
  func faultyPaste() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.send(KeyCode.paste("print('a')\nx = = 1\nprint('b')"))
      try await terminal.expectEnd("> print('a')", ". x = = 1", ". print('b')")
      try await terminal.send("\n")
      try await terminal.expectEnd(
        "> print('a')", ". x = = 1  unexpected symbol near '='", ". print('b')")
      try await terminal.expectCursor(row: 1, column: 6)
      try await terminal.send(KeyCode.control("d") + KeyCode.control("d"))
      try await terminal.expectEnd("> print('a')", ". x = 1", ". print('b')")
      try await terminal.send("\u{1B}>")
      try await terminal.expectEnd("> print('a')", ". x = 1", ". print('b')")
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

  @Test(
    "continues after an operator and in a table",
    arguments: [
      (["1 +", "2"], ["> 1 +", ". 2", "3"]),
      (["{ 1,", "2 }"], ["> { 1,", ".   2 }", "{ 1, 2 }"]),
      (["f = function()", "return 7 end"], ["> f = function()", ".   return 7 end"]),
      (["x = [[a", "b]]"], ["> x = [[a", ". b]]"]),
    ])
  func incomplete(_ lines: [String], _ rows: [String]) async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.send(lines[0] + "\n")
      try await terminal.expectScreen("another line") { $0.cursorRow == 1 }
      try await terminal.send(lines[1] + "\n")
      try await terminal.expectScreen("«\(rows)»") {
        $0.text == (rows + [">"]).joined(separator: "\n")
      }
    }
  }

  @Test("indents blocks, moves their ends back, and adds lines with Alt-Enter")
  func indentation() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.type("for i = 1, 2 do\n", "> for i = 1, 2 do", ".")
      try await terminal.expectCursor(row: 1, column: 4)
      try await terminal.type("if true then\n", ".   if true then", ".")
      try await terminal.type("print(i)\n", ".     print(i)", ".")
      try await terminal.type("end\n", ".     print(i)", ".   end", ".")
      try await terminal.type("end", ".   end", ". end")
      try await terminal.type(KeyCode.altEnter, ".   end", ". end", ".")
      try await terminal.type("print(9)\n", ". print(9)", "1", "2", "9", ">")
    }
  }

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

  @Test("recalls a block as a whole, to be edited in its middle")
  func recall() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.type(
        KeyCode.paste("for i = 1, 2 do\n  print(i)\nend") + "\n", "1", "2", ">")
      try await terminal.type(KeyCode.up, "> for i = 1, 2 do", ".   print(i)", ". end")
      try await terminal.send(KeyCode.up + "\u{1B}[F" + KeyCode.left + " * 10")
      try await terminal.expectEnd(
        "> for i = 1, 2 do", ".   print(i * 10)", ". end",
        "print(...)  Prints its arguments with tabs between them.")
      try await terminal.send(KeyCode.down + "\u{1B}[F\n")
      try await terminal.expectEnd(".   print(i * 10)", ". end", "10", "20", ">")
    }
  }

  @Test("scrolls a block that is taller than the screen, with the cursor in sight")
  func tallBlock() async throws {
    let lines = (1...500).map { "x\($0) = \($0)" }
    try await PseudoTerminal.prompt(rows: 10) { terminal in
      try await terminal.send(KeyCode.paste(lines.joined(separator: "\n")))
      try await terminal.expectEnd(". x499 = 499", ". x500 = 500")
      for _ in 0..<20 { try await terminal.send(KeyCode.up) }
      try await terminal.expectScreen("line 480") { screen in
        screen.rows[screen.cursorRow] == ". x480 = 480"
      }
      try await terminal.send("typed")
      try await terminal.expectRow("typed")
      try await terminal.send(KeyCode.control("_"))
      for _ in 0..<20 { try await terminal.send(KeyCode.down) }
      try await terminal.expectEnd(". x499 = 499", ". x500 = 500")
      try await terminal.type("\n", ". x500 = 500", ">")
      try await terminal.type("x1 + x500\n", "501", ">")
      #expect(terminal.screen.transcript.ranges(of: " x250 = 250\n").count == 1)
    }
  }

  @Test("edits a line of 10,000 characters")
  func longLine() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.send("#'" + String(repeating: "x", count: 9_998) + "'")
      try await terminal.expectScreen("the end of the line") { $0.text.hasSuffix("x'") }
      try await terminal.send(KeyCode.control("a"))
      try await terminal.expectScreen("the start of the line") { $0.rows[0].hasPrefix("> #'xx") }
      try await terminal.send("1 + ")
      try await terminal.expectScreen("the new start") { $0.rows[0].hasPrefix("> 1 + #'xx") }
      try await terminal.type("\n", "9999", ">")
    }
  }

  // MARK: - Keys

  @Test("undoes, redoes, kills and yanks")
  func editingKeys() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.type("one two", "> one two")
      try await terminal.type(KeyCode.control("w"), "> one")
      try await terminal.type(KeyCode.control("a") + KeyCode.control("k"), ">")
      try await terminal.type(KeyCode.control("y"), "> one")
      try await terminal.type("\u{1B}y", "> two")
      try await terminal.type(KeyCode.control("_"), "> one")
      try await terminal.type(KeyCode.control("_"), ">")
      try await terminal.type("\u{1B}_", "> one")
    }
  }

  @Test(
    "types nothing for keys that it doesn't know",
    arguments: [
      "\u{1B}[99~", "\u{1B}[15~", "\u{1B}[1;6R", "\u{1B}[57363u", "\u{1B}OP", "\u{1B}[I",
      "\u{1B}[?62;22c", "\u{1B}[<0;10;10M", "\u{1B}z", "\u{1C}", "\u{1E}",
    ])
  func unknownKeys(_ key: String) async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.type("ab", "> ab")
      try await terminal.send(key)
      try await terminal.type("c", "> abc")
    }
  }

  @Test("inserts control characters that are quoted, and shows them escaped")
  func quotedInsert() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.type("#'", "> #'")
      try await terminal.type(KeyCode.control("v") + KeyCode.control("a"), "> #'\\x01")
      try await terminal.type(KeyCode.control("q") + "\u{1B}", "> #'\\x01\\x1b")
      try await terminal.type("'\n", "> #'\\x01\\x1b'", "2", ">")
    }
  }

  @Test("edits wide, combining, joined and right-to-left characters one by one")
  func graphemes() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.type("x = '世e\u{301}👨‍👩‍👧🇩🇪שלום", "> x = '世e\u{301}👨‍👩‍👧🇩🇪שלום")
      for _ in 0..<4 { try await terminal.send(KeyCode.backspace) }
      try await terminal.expectEnd("> x = '世e\u{301}👨‍👩‍👧🇩🇪")
      try await terminal.type(KeyCode.backspace, "> x = '世e\u{301}👨‍👩‍👧")
      try await terminal.type(KeyCode.backspace, "> x = '世e\u{301}")
      try await terminal.type(KeyCode.backspace, "> x = '世")
      try await terminal.type(KeyCode.left + "a", "> x = 'a世")
      try await terminal.expectCursor(row: 0, column: 8)
    }
  }

  @Test("searches the history with the matches in sight, back and forth")
  func search() async throws {
    try await PseudoTerminal.prompt(environment: PseudoTerminal.colors) { terminal in
      for line in ["a = 1", "b = 1", "a = 2"] {
        try await terminal.type(line + "\n", "> \(line)", ">")
      }
      try await terminal.type(
        KeyCode.control("r") + "a", "> a = 2", "(reverse-i-search)'a'", "▸ a = 2", "  a = 1")
      try await terminal.type(
        KeyCode.control("r"), "> a = 1", "(reverse-i-search)'a'", "  a = 2", "▸ a = 1")
      try await terminal.type(
        KeyCode.control("s"), "> a = 2", "(i-search)'a'", "▸ a = 2", "  a = 1")
      try await terminal.type("x", "> a = 2", "(failing i-search)'ax'")
      try await terminal.type(KeyCode.control("g"), "> a = 2", ">")
      try await terminal.type(KeyCode.control("s") + "b", "> b = 1", "(i-search)'b'", "▸ b = 1")
    }
  }

  @Test("takes the rest of an earlier input with the right arrow")
  func ghost() async throws {
    try await PseudoTerminal.prompt(environment: PseudoTerminal.colors) { terminal in
      try await terminal.type("abc = 12\n", "> abc = 12", ">")
      try await terminal.type("ab", "> abc = 12")
      #expect(terminal.screen.cell(1, 3).style.color == nil)
      #expect(terminal.screen.cell(1, 4).style.color == 90)
      try await terminal.send(KeyCode.right)
      try await terminal.expectCursor(row: 1, column: 10)
      #expect(terminal.screen.cell(1, 4).style.color == nil)
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
