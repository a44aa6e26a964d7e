import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("The prompt as a process on a terminal")
struct PromptProcessTests {
  private static func command() throws -> String { try BuiltExecutable.path(of: "primerepl") }

  // MARK: - Signals

  /// Opens a prompt by a command of an interactive shell.
  private func promptInShell(_ body: (PseudoTerminal) async throws -> Void) async throws {
    let command = try Self.command()
    try await PseudoTerminal.run(
      ["--norc", "-i"], environment: ["PS1": "shell: "], program: "/bin/bash"
    ) { terminal in
      try await terminal.expectEnd("shell:")
      try await terminal.send("\(command) --ephemeral -q\n")
      try await terminal.expectEnd(">")
      try await body(terminal)
    }
  }

  @Test("stops with Ctrl-Z and continues with fg, with the block as it was")
  func jobControl() async throws {
    try await promptInShell { terminal in
      try await terminal.type("for i = 1, 2 do\n", "> for i = 1, 2 do", ".")
      try await terminal.type("x = i", "> for i = 1, 2 do", ".   x = i")
      try await terminal.send(KeyCode.control("z"), showingRow: "Stopped")
      try await terminal.expectEnd("shell:")
      try await terminal.type("echo 'in the' shell\n", "in the shell", "shell:")
      try await terminal.send("fg\n")
      try await terminal.expectEnd("> for i = 1, 2 do", ".   x = i")
      try await terminal.type(" end\n", ".   x = i end", ">")
      let folder = try TemporaryFolder()
      try await terminal.send(
        "print('running') while not io.open('\(folder.path)/go') do end print('on') while true do end\n"
      )
      try await terminal.expectScreen("the code's output") { $0.rows.contains("running") }
      try await terminal.send(KeyCode.control("z"))
      try await terminal.expectEnd("shell:")
      try await terminal.send("fg\n")
      _ = try folder.write("", to: "go")
      try await terminal.expectScreen("the code's output after fg") { $0.rows.contains("on") }
      try await terminal.send(KeyCode.control("c"))
      try await terminal.expectEnd("^C", "interrupted", ">")
      try await terminal.type("x\n", "2", ">")
    }
  }

  @Test("leaves no waiting row behind when Ctrl-Z stops it")
  func stoppedWait() async throws {
    try await promptInShell { terminal in
      try await terminal.send("task.sleep(100)\n", showingRow: "Ctrl-C cancels")
      try await terminal.send(KeyCode.control("z"))
      try await terminal.expectEnd("shell:")
      #expect(!terminal.screen.text.contains("background"))
      try await terminal.send("fg\n", showingRow: "Ctrl-C cancels")
      try await terminal.type(KeyCode.control("c"), "interrupted", ">")
    }
  }

  @Test("saves the session when the terminal hangs up")
  func hangUp() async throws {
    let home = try TemporaryFolder()
    try await PseudoTerminal.prompt(["-q"], home: home) { terminal in
      try await terminal.type("counter.count = 7;\n", "#1  counter.count 0 → 7", ">")
      try await terminal.type("half typed (", "> half typed (")
      terminal.hangUp()
      #expect(try await terminal.expectExit() == .signaled(SIGHUP))
    }
    try await PseudoTerminal.prompt(["-q"], home: home) { terminal in
      try await terminal.type("counter.count\n", "7", ">")
    }
  }

  @Test(
    "ends by SIGQUIT with the terminal restored and without a report of a crash",
    arguments: [
      "", "print('running') while true do end", "task.sleep(100)",
    ])
  func quit(_ code: String) async throws {
    try await PseudoTerminal.prompt { terminal in
      if !code.isEmpty { try await terminal.send(code + "\n") }
      if code.hasPrefix("print") {
        try await terminal.expectScreen("the code's output") { $0.rows.contains("running") }
        try await terminal.send(KeyCode.control("\\"))
      } else if code.isEmpty {
        try await terminal.signal(SIGQUIT)
      } else {
        // Ctrl-T is this signal while code waits.
        try await terminal.expectRow("Ctrl-T continues")
        try await terminal.signal(SIGQUIT)
        try await terminal.expectRow("continues in the background as")
        try await terminal.expectEnd(">")
        try await terminal.signal(SIGQUIT)
      }
      #expect(try await terminal.expectExit() == .signaled(SIGQUIT))
      #expect(try terminal.isInLineMode())
      #expect(!terminal.screen.transcript.contains("crashed"))
    }
  }

  @Test("asks before Ctrl-D leaves running tasks")
  func runningTasks() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.type("t = task.spawn(task.sleep, 100);\n", ">")
      try await terminal.type(KeyCode.control("d"), "1 task still runs. Leave? (y/n)")
      try await terminal.type("n", "1 task still runs. Leave? (y/n) no", ">")
      try await terminal.send(KeyCode.control("d"))
      try await terminal.expectEnd(
        "1 task still runs. Leave? (y/n) no", ">", "1 task still runs. Leave? (y/n)")
      #expect(try await terminal.expectExit(after: "y") == .exited(0))
      #expect(try terminal.isInLineMode())
    }
  }

  /// A table whose `pairs` doesn't end.
  private static let endless =
    "setmetatable({}, { __pairs = function() print('runs') return function() return 1, 1 end end })"

  @Test(
    "returns to an empty prompt with Ctrl-C from everything",
    arguments: [
      ("half typed (", "> half typed ("), ("for i = 1, 2 do\n", "."),
      ("counter.\t", "> counter."), (KeyCode.control("r") + "x", nil),
      ("\u{1B}[200~an unfinished paste", nil), ("print('runs') while true do end\n", "runs"),
      ("task.sleep(99)\n", "s  task.sleep  (Ctrl-C"), ("print('runs') io.read()\n", "runs"),
      ("print('runs') ('x'):rep(1e9):find(('x?'):rep(30) .. ('x'):rep(30) .. 'y')\n", "runs"),
      ("\u{1B}[", nil), ("\(endless)\n.json /dev/null\n", "runs"),
      (".expect \(endless)\n", "runs"),
    ] as [(String, String?)])
  func interrupt(_ text: String, _ shown: String?) async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.send(text)
      if let shown {
        try await terminal.expectScreen(shown) { screen in
          screen.rows.contains { $0 == shown || shown.hasPrefix("s  ") && $0.contains(shown) }
        }
      }
      try await terminal.send(KeyCode.control("c"))
      try await terminal.expectScreen("an empty prompt") {
        $0.cursorRow > 0 && $0.cursorColumn == 2 && $0.rows[$0.cursorRow] == ">"
      }
      try await terminal.type("1 + 1\n", "> 1 + 1", "2", ">")
    }
  }

  // MARK: - Terminals

  @Test(
    "shows not one color with NO_COLOR and --no-color, but hints and suggestions",
    arguments: [
      (["--ephemeral", "-q"], "1"), (["--ephemeral", "-q", "--no-color"], nil),
    ] as [([String], String?)])
  func noColors(_ arguments: [String], _ variable: String?) async throws {
    try await PseudoTerminal.prompt(
      arguments, environment: ["NO_COLOR": variable, "TERM": "xterm-256color"]
    ) { terminal in
      try await terminal.type("counter.increment() -- 'x'\n", "1", "#1  counter.count 0 → 1", ">")
      try await terminal.type("x = = 1\n", "> x = = 1  unexpected symbol near '='")
      try await terminal.type(KeyCode.control("c"), ">")
      try await terminal.send("prime.\t", showingRow: "previous")
      try await terminal.send("\t" + KeyCode.control("c"))
      try await terminal.type("error({})\n", ">")
      try await terminal.type("counter.in", "> counter.increment() -- 'x'")
      try await terminal.send("crement(")
      try await terminal.expectRow("counter.increment([by: integer]): integer  Adds 1")
      for row in 0..<24 {
        let styles = terminal.screen.cells(ofRow: row).map(\.style)
        #expect(styles.allSatisfy { $0.color == nil && $0.backgroundColor == nil })
      }
    }
  }

  @Test("reads plain lines on a terminal that can't move its cursor")
  func dumbTerminal() async throws {
    try await PseudoTerminal.prompt(environment: ["TERM": "dumb", "NO_COLOR": nil]) { terminal in
      try await terminal.send("for i = 1, 2 do\n", showing: ">> ")
      try await terminal.send("print(i)\nend\n", showing: "1\n2\n> ")
      try await terminal.send("x = = 1\n", showing: "x = = 1", "> ")
      #expect(try await terminal.expectExit(after: "\u{04}") == .exited(0))
      #expect(!terminal.screen.text.contains("\u{1B}"))
    }
  }

  @Test("writes nothing but text if standard output isn't the terminal")
  func pipedOutput() async throws {
    let command = try Self.command()
    let home = try TemporaryFolder()
    try await PseudoTerminal.run(
      ["-c", "\"$0\" --ephemeral -q > out.txt", command], environment: PseudoTerminal.colors,
      home: home, program: "/bin/sh"
    ) { terminal in
      try await terminal.send("1 + 1\ncounter.increment()\n{1, 'x'}\n\u{04}")
      #expect(try await terminal.expectExit() == .exited(0))
    }
    let output = try home.read("out.txt")
    #expect(output.contains("2\n"))
    #expect(output.contains("{ 1, \"x\" }\n"))
    #expect(!output.contains("\u{1B}"))
  }

  @Test("has vi's keys, and those of the user's file")
  func keyBindings() async throws {
    let home = try TemporaryFolder()
    _ = try home.write("bind -v\n", to: "vi")
    try await PseudoTerminal.prompt(
      environment: ["EDITRC": home.path(of: "vi")], home: home
    ) { terminal in
      try await terminal.type("one two", "[i] > one two")
      try await terminal.type("\u{1B}", "[n] > one two")
      try await terminal.type("bdwA3", "[i] > one 3")
    }
    _ = try home.write(
      "bind \"^X\" ed-delete-prev-word\nbind \"^Y\" no-such-command\n", to: ".editrc")
    try await PseudoTerminal.prompt(home: home) { terminal in
      #expect(terminal.transcript.contains(".editrc:2:"))
      try await terminal.type("one two", "> one two")
      try await terminal.type(KeyCode.control("x"), "> one")
    }
  }
}
