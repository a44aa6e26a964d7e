import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("The state at the prompt")
struct StateSessionTests {
  private let home: TemporaryFolder
  private let runner: CommandRunner

  init() throws {
    home = try TemporaryFolder()
    runner = CommandRunner(home: home)
  }

  private var file: String { home.path(of: "session.sqlite") }

  private func prompt(_ body: (PseudoTerminal) async throws -> Void) async throws {
    try await PseudoTerminal.prompt(["--state", file, "-q"], home: home, columns: 90, body)
  }

  /// The output of a script on the session's file.
  private func read(_ code: String) async throws -> String {
    try await runner.run(["--state", file, "-e", code]).output
  }

  // MARK: - Changes

  @Test(
    "is followed by a line for a command's changes, even of many actions, with passwords hidden")
  func changes() async throws {
    try await prompt { terminal in
      try await terminal.enter("counter.count = 7", "#1  counter.count 0 → 7")
      try await terminal.enter(
        "for i = 1, 60 do counter.increment() end", "#2…#61  60 actions: counter.count 7 → 67")
      try await terminal.enter(
        "signup.data.password = 'geheim'", ##"#62  signup.data.password "" → "••••••""##)
      try await terminal.enter(".changes off", "changes are not shown")
      try await terminal.enter("counter.count = 8")
      try await terminal.enter(".changes maybe", ".changes on|off|full, not maybe")
      try await terminal.enter(".changes full", "changes are shown in full")
      try await terminal.enter(".changes on", "changes are shown")
      try await terminal.enter("counter.count = 9", "#64  counter.count 8 → 9")
    }
  }

  @Test("of a task is shown as its own, also if it replaces undone actions")
  func tasks() async throws {
    try await prompt { terminal in
      try await terminal.enter("counter.count = 7", "#1  counter.count 0 → 7")
      try await terminal.enter(
        "t = task.spawn(function() while not go do task.sleep(0.05) end counter.count = 3 end)")
      try await terminal.enter(
        ".undo", "#0 of 1  undone: counter.count = 7 · counter.count 7 → 0", prompt: "-1> ")
      try await terminal.send("go = true\n", showing: "task  #1 counter.count 0 → 3\n")
      try await terminal.expectEnd("task  #1 counter.count 0 → 3", ">")
    }
  }

  @Test("goes back by whole commands with .undo, and by actions with store.undo()")
  func undo() async throws {
    try await prompt { terminal in
      try await terminal.enter(
        "for i = 1, 3 do counter.increment() end", "#1…#3  3 actions: counter.count 0 → 3")
      try await terminal.enter(
        ".undo", "#0 of 3  undone: 3 actions #1…#3 · counter.count 3 → 0", prompt: "-3> ")
      try await terminal.enter(
        ".redo", "#3 of 3  redone: 3 actions #1…#3 · counter.count 0 → 3")
      try await terminal.enter("counter.increment()", "4", "#4  counter.count 3 → 4")
      try await terminal.enter(
        ".undo 2", "#0 of 4  undone: 4 actions #1…#4 · counter.count 4 → 0", prompt: "-4> ")
      try await terminal.enter(
        ".redo 1", "#3 of 4  redone: 3 actions #1…#3 · counter.count 0 → 3", prompt: "-1> ")
      try await terminal.enter(
        ".redo 9", "#4 of 4  redone: counter.increment() · counter.count 3 → 4")
      try await terminal.enter(
        "store.undo()", "3", "#3 of 4  undone: counter.increment() · counter.count 4 → 3",
        prompt: "-1> ")
      try await terminal.enter(
        "counter.count = 9", "#4  counter.count 3 → 9")
    }
  }

  // MARK: - Views

  @Test("is watched in a row below the input, which follows tasks")
  func watching() async throws {
    let gate = try Gate()
    try await prompt { terminal in
      try await terminal.send(".watch counter.count #favorites\n")
      try await terminal.expectRow("counter.count 0 · #favorites 0")
      try await terminal.send(
        "t = task.spawn(function() \(gate.wait) favorites.add(7) counter.count = 5 end)\nhalf")
      try await terminal.expectRow("> half")
      try gate.open()
      try await terminal.expectRow("counter.count 5 · #favorites 1")
      try await terminal.expectRow("> half")
      try await terminal.send("\u{15}.watch off\n")
      try await terminal.expectScreen("no row of watched values") { screen in
        screen.rows.last { !$0.isEmpty } == ">"
      }
    }
  }

  @Test("is traveled by keys: Enter goes to the state that is shown, Escape and Ctrl-C stay")
  func traveling() async throws {
    try await prompt { terminal in
      try await terminal.enter(
        "for i = 1, 4 do counter.increment(i) end", "#1…#4  4 actions: counter.count 0 → 10")
      for end in ["\u{1B}", "\u{03}"] {
        try await terminal.send(".travel\n", showingRow: "4 of 4")
        try await terminal.send("\u{1B}[D\u{1B}[D", showingRow: "2 of 4")
        try await terminal.send(end)
        try await terminal.expectScreen("the prompt") { !$0.text.contains("2 of 4") }
        try await terminal.send("counter.count\n", showing: "\n10\n> ")
      }
      try await terminal.send(".travel\n", showingRow: "4 of 4")
      try await terminal.send("/(2)\n", showingRow: "2 of 4")
      try terminal.resize(columns: 40, rows: 8)
      try await terminal.expectRow("2 of 4")
      try await terminal.send("\n", showing: "-2> ")
    }
    #expect(try await read("print(counter.count)") == "3\n")
  }

  @Test("shows in .travel the actions of tasks meanwhile")
  func travelingWithTasks() async throws {
    let gate = try Gate()
    try await prompt { terminal in
      try await terminal.enter("counter.count = 7", "#1  counter.count 0 → 7")
      try await terminal.enter(
        "t = task.spawn(function() \(gate.wait) counter.count = 3 end)")
      try await terminal.send(".travel\n", showingRow: "1 of 1")
      try gate.open()
      try await terminal.expectRow("1 of 2")
      try await terminal.send("\u{1B}[C", showingRow: "2 of 2")
      try await terminal.expectRow("counter.count 7 → 3")
    }
  }

  // MARK: - Trials

  @Test("is tried on a copy by .try: n drops the changes, y keeps them, even after an error")
  func trying() async throws {
    try await prompt { terminal in
      try await terminal.send(".try counter.increment(5)\n")
      try await terminal.expect("5\ncounter.count 0 → 5\nKeep this? (y/n)")
      #expect(try await read("print(counter.count)") == "0\n")
      try await terminal.send("n", showing: "no\n> ")
      try await terminal.enter("counter.count", "0")
      try await terminal.send(".try counter.increment(6) error('oops')\n")
      try await terminal.expect("oops\ncounter.count 0 → 6\nKeep this? (y/n)")
      try await terminal.send("y", showing: "yes\n> ")
      try await terminal.enter(".try 1 + 1", "2", "no difference")
    }
    #expect(try await read("print(counter.count)") == "6\n")
  }

  @Test("has nothing of a trial after a kill, nor of an endless one after Ctrl-C")
  func stoppedTrials() async throws {
    try await prompt { terminal in
      try await terminal.send(".try counter.increment() print('begun') while true do end\n")
      try await terminal.expect("\nbegun")
      try await terminal.send("\u{03}")
      try await terminal.expect(
        "interrupted\ncounter.count 0 → 1\nKeep this? (y/n)")
      try await terminal.send("\u{03}", showing: "no\n> ")
      try await terminal.send(".try counter.count = 77\n", showing: "Keep this? (y/n)")
      try await terminal.signal(SIGKILL)
      _ = try await terminal.expectExit()
    }
    #expect(try await read("print(counter.count)") == "0\n")
  }

  @Test("shows actions of tasks during a trial's question, and whether they are dropped with it")
  func tasksInTrials() async throws {
    let gate = try Gate()
    try await prompt { terminal in
      try await terminal.enter(
        "t = task.spawn(function() \(gate.wait) favorites.add(7) end)")
      try await terminal.send(".try counter.count = 5\n", showing: "Keep this? (y/n)")
      try gate.open()
      try await terminal.expectRow("task  #2 favorites +7")
      try await terminal.send("n", showing: "dropped too: 1 action of tasks\n> ")
      try await terminal.enter("#favorites", "0")
    }
  }
}
