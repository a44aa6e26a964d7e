import TerminalSupport
import Testing
import TestSupport

@Suite("Output while something is typed")
struct OutputAboveTests {
  @Test(
    "goes above the block, in order, from every source",
    arguments: [
      ("print('a', 1)", ["a       1"]),
      ("io.write('par'); io.write('tial\\n')", ["partial"]),
      ("io.stderr:write('problem\\n')", ["problem"]),
      ("print('one'); os.execute('echo two'); print('three')", ["one", "two", "three"]),
      ("os.execute('echo wrong >&2; echo open')", ["wrong", "open"]),
      ("print(io.popen('echo child'):read())", ["child"]),
      ("io.popen('echo background >&2'):close()", ["background"]),
      ("counter.increment(3)", ["task  #1 counter.count 0 → 3"]),
      (
        "error('gone wrong')",
        [
          "task failed: input 1:1: gone wrong",
          "  …sk.sleep(0.01) end error('gone wrong') end);",
          "                      ^^^^^",
          "  in a function (input 1:1)",
        ]
      ),
    ])
  func output(_ code: String, _ rows: [String]) async throws {
    let gate = try Gate()
    try await PseudoTerminal.prompt { terminal in
      try await terminal.send("task.spawn(function() \(gate.wait) \(code) end);\n")
      try await terminal.expectScreen("the prompt") { $0.text.hasSuffix("\n>") }
      try await terminal.type("for i = 1, 2 do\n", "> for i = 1, 2 do", ".")
      try await terminal.type("x = i", "> for i = 1, 2 do", ".   x = i")
      let before = terminal.screen
      try gate.open()
      try await terminal.expectScreen("«\(rows)» above the block") {
        $0.text.contains(
          "\n" + rows.joined(separator: "\n") + "\n> for i = 1, 2 do\n.   x = i")
      }
      #expect(terminal.screen.cursorColumn == before.cursorColumn)
      try await terminal.type(" end\n", ".   x = i end", ">")
      try await terminal.type("x\n", "2", ">")
    }
  }

  @Test("shows an unfinished line at once, and continues it")
  func unfinishedLine() async throws {
    let gates = try [Gate(), Gate()]
    try await PseudoTerminal.prompt { terminal in
      let task =
        "\(gates[0].wait) io.write('1 of 2, ') io.flush() \(gates[1].wait) print('2 of 2')"
      try await terminal.send("task.spawn(function() \(task) end);\n")
      try await terminal.expectScreen("the prompt") { $0.text.hasSuffix("\n>") }
      try await terminal.type("typed", "> typed")
      try gates[0].open()
      try await terminal.expectEnd("1 of 2,", "> typed")
      try gates[1].open()
      try await terminal.expectEnd("1 of 2, 2 of 2", "> typed")
    }
  }

  @Test("of much text leaves the block intact")
  func muchOutput() async throws {
    let gate = try Gate()
    try await PseudoTerminal.prompt(columns: 40, rows: 10) { terminal in
      try await terminal.send(
        "task.spawn(function() \(gate.wait) for i = 1, 2000 do print('line ' .. i) end end);\n")
      try await terminal.type("typed\u{1B}\rmore", "> typed", ". more")
      try gate.open()
      try await terminal.expectEnd("line 1999", "line 2000", "> typed", ". more")
      let lines = Set(terminal.screen.transcript.split(separator: "\n"))
      #expect((1...2000).allSatisfy { lines.contains("line \($0)") })
    }
  }

  @Test("can't command the terminal through a message of the prompt")
  func controls() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.send(
        "task.spawn(function() error('\\27[2J\\27]0;title\\7\\u{9b}31m') end);\n")
      try await terminal.type("typed", "> typed")
      try await terminal.expectRow("task failed: input 1:1: \\x1b[2J\\x1b]0;title\\x07\\u{9b}31m")
      try await terminal.expectEnd("> typed")
    }
  }
}
