import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("The prompt, on a terminal")
struct PromptTests {
  private static let up = "\u{1B}[A"

  @Test("shows a result, and Ctrl-D leaves it")
  func evaluates() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("1+1\n")
      try await terminal.expect("\n2\n> ")
      try await terminal.send("\u{04}")
      #expect(try await terminal.expectExit() == .exited(0))
      #expect(try terminal.isInLineMode())
    }
  }

  @Test("recalls the last line with the up key")
  func recalls() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("40+2\n")
      try await terminal.expect("\n42\n> ")
      try await terminal.send(Self.up + "\n")
      try await terminal.expect("40+2")
      try await terminal.expect("\n42\n> ")
    }
  }

  @Test("finds an earlier line with Ctrl-R")
  func searches() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("40+2\n")
      try await terminal.expect("\n42\n> ")
      try await terminal.send("1+1\n")
      try await terminal.expect("\n2\n> ")
      try await terminal.send("\u{12}40")
      try await terminal.expect("40")
      try await terminal.send("\n")
      try await terminal.expect("\n42\n> ")
    }
  }

  @Test("discards the line at Ctrl-C, and continues")
  func interrupts() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("error('must not run')")
      try await terminal.expect("run')")
      try await terminal.send("\u{03}")
      try await terminal.expect("^C\n> ")
      try await terminal.send("1+1\n")
      try await terminal.expect("\n2\n> ")
      #expect(!terminal.transcript.contains("stack traceback"))
    }
  }

  @Test("discards an unfinished chunk at Ctrl-C")
  func interruptsChunk() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("for i = 1, 3 do\n")
      try await terminal.expect("do\n.")
      try await terminal.send("\u{03}")
      try await terminal.expect("^C\n> ")
      try await terminal.send("1+1\n")
      try await terminal.expect("\n2\n> ")
    }
  }

  @Test(
    "stops running code at Ctrl-C, and continues",
    arguments: ["while true do end", "task.sleep(100)", "task.sleep(0) while true do end"])
  func interruptsCode(code: String) async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("print('running') \(code)\n")
      try await terminal.expect("\nrunning\n")
      try await terminal.send("\u{03}")
      try await terminal.expect("interrupted\n")
      try await terminal.expect("> ")
      try await terminal.send("1+1\n")
      try await terminal.expect("\n2\n> ")
    }
  }

  @Test("shows an error in a line, and continues")
  func reportsErrors() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("favorites.add(8)\n")
      try await terminal.expect("\n8 is not prime  [not_prime]\n> ")
      try await terminal.send("1+1\n")
      try await terminal.expect("\n2\n> ")
    }
  }

  @Test("shows tables and objects with their contents")
  func inspects() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("{ 1, 'two', three = { 3 } }\n")
      try await terminal.expect("\n{ 1, \"two\", three = { 3 } }\n> ")
      try await terminal.send("todo.items\n")
      try await terminal.expect("\ntodo.items {}\n> ")
    }
  }

  @Test("shows the output of tasks above the line being typed")
  func printsAbove() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send(
        "function go() while not io.open(name) do task.sleep(0.01) end print('from', 'a task') end\n"
      )
      try await terminal.expect("\n> ")
      let folder = try TemporaryFolder()
      try await terminal.send("name = '\(folder.path(of: "go"))' t = task.spawn(go)\n")
      try await terminal.expect("\n> ")
      try await terminal.send("40 + ")
      try await terminal.expect("40 + ")
      _ = try folder.write("", to: "go")
      try await terminal.expectScreen("the output above the input") {
        $0.text.hasSuffix("\nfrom    a task\n> 40 +")
      }
      try await terminal.send("2\n")
      try await terminal.expect("\n42\n> ")
    }
  }

  @Test("lets tasks continue while it waits for a line")
  func runsTasks() async throws {
    let home = try TemporaryFolder()
    let file = home.path(of: "done")
    try await PseudoTerminal.run(home: home) { terminal in
      try await terminal.expect("> ")
      try await terminal.send(
        "t = task.spawn(function() task.sleep(0.05) io.open('\(file)', 'w'):close() end)\n")
      try await terminal.expect("\n> ")
      // Nothing more is typed until the task is done.
      try await terminal.expectFile(file)
      try await terminal.send("t.status\n")
      try await terminal.expect("\n\"done\"\n> ")
    }
  }

  @Test("asks for the rest of a chunk, and runs it as one")
  func continues() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      // Lines that arrive together would be taken for pasted ones, which aren't indented.
      try await terminal.type("for i = 1, 3 do\n", "> for i = 1, 3 do", ".")
      try await terminal.type(
        "print('number ' .. i)\n", "> for i = 1, 3 do", ".   print('number ' .. i)", ".")
      try await terminal.type("end\n", ". end", "number 1", "number 2", "number 3", ">")
    }
  }

  @Test("completes an unambiguous name with Tab")
  func completes() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("counter.incr\t")
      try await terminal.expect("counter.increment")
    }
  }

  @Test("lists the candidates for Tab")
  func lists() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("counter.\t")
      try await terminal.expect("counter.\n")
      try await terminal.expect("increment function")
      try await terminal.expect("count integer")
    }
  }

  @Test("indents with Tab at the start of a line")
  func indents() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("\t")
      try await terminal.expectScreen("an indented cursor") { $0.cursorColumn == 4 }
      try await terminal.send("#'x'\n")
      try await terminal.expect("  #'x'\n1\n")
    }
  }

  @Test("accepts any character, and any other byte unchanged")
  func readsUnicode() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("'é日🎉', #'é日🎉'\n")
      try await terminal.expect("\n\"é日🎉\"   9\n> ")
      try await terminal.send(Array("#'".utf8) + [0xFF, 0xC3] + Array("'\n".utf8))
      try await terminal.expect("\n2\n> ")
    }
  }

  @Test("accepts lines longer than the screen")
  func readsLongLines() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("#'" + String(repeating: "x", count: 5000) + "'\n")
      try await terminal.expect("\n5000\n> ")
    }
  }

  @Test("continues when the window changes its size")
  func resizes() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("40 ")
      try await terminal.expect("40 ")
      try terminal.resize(columns: 40)
      try await terminal.send("+ 2\n")
      try await terminal.expect("\n42\n> ")
    }
  }

  @Test("ends when the terminal goes away")
  func hangsUp() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("unfinished")
      try await terminal.expect("unfinished")
      terminal.hangUp()
      // Ended by the signal, or by the end of the input: either will do, a busy loop won't.
      _ = try await terminal.expectExit()
    }
  }

  @Test("restores the terminal when it is terminated")
  func terminates() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("unfinished")
      try await terminal.expect("unfinished")
      #expect(try !terminal.isInLineMode())
      try await terminal.signal(SIGTERM)
      #expect(try await terminal.expectExit() == .signaled(SIGTERM))
      #expect(try terminal.isInLineMode())
    }
  }

  @Test("continues after it was suspended")
  func stopsAndContinues() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("40 ")
      try await terminal.expect("40 ")
      try await terminal.signal(SIGSTOP)
      try await terminal.signal(SIGCONT)
      try await terminal.send("+ 2\n")
      try await terminal.expect("\n42\n> ")
    }
  }

  @Test("keeps its history in the file that PRIMEREPL_HISTORY names")
  func remembers() async throws {
    let home = try TemporaryFolder()
    let environment = ["PRIMEREPL_HISTORY": home.path(of: "new/history")]
    try await PseudoTerminal.run(environment: environment, home: home) { terminal in
      try await terminal.expect("> ")
      for line in ["40+2", "40+2", " 1+2"] {
        try await terminal.send(line + "\n")
        try await terminal.expect(line == " 1+2" ? "\n3\n> " : "\n42\n> ")
      }
      try await terminal.send("\u{04}")
      _ = try await terminal.expectExit()
    }
    #expect(try home.read("new/history") == "# history 1\n40+2\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: home.path(of: "new/history"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)

    try await PseudoTerminal.run(environment: environment, home: home) { terminal in
      try await terminal.expect("> ")
      try await terminal.send(Self.up + "\n")
      try await terminal.expect("\n42\n> ")
    }
  }

  @Test("warns once if the history can't be used, and continues")
  func warnsOfHistory() async throws {
    let home = try TemporaryFolder()
    try await PseudoTerminal.run(
      environment: ["PRIMEREPL_HISTORY": home.path], home: home
    ) { terminal in
      try await terminal.expect(home.path)
      try await terminal.expect("> ")
      for _ in 1...2 {
        try await terminal.send("1+1\n")
        try await terminal.expect("\n2\n> ")
      }
      #expect(terminal.transcript.components(separatedBy: home.path).count == 2)
    }
  }
}
