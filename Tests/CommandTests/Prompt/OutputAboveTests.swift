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

  @Test("doesn't count a task's actions that changed nothing in the end among a command's")
  func vainActions() async throws {
    let gate = try Gate()
    try await PseudoTerminal.prompt { terminal in
      try await terminal.send(
        "task.spawn(function() \(gate.wait) counter.increment() store.undo() print('done') end);\n")
      try await terminal.expectScreen("the prompt") { $0.text.hasSuffix("\n>") }
      try gate.open()
      try await terminal.expectScreen("the end of the task") { $0.text.hasSuffix("\ndone\n>") }
      try await terminal.enter("counter.increment(3);", "#1  counter.count 0 → 3")
    }
  }
}
