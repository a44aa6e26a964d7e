import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("The prompt's session")
struct PromptSessionTests {
  private let home: TemporaryFolder
  private let runner: CommandRunner

  init() throws {
    home = try TemporaryFolder()
    runner = CommandRunner(home: home)
  }

  private var file: String { home.path(of: "data/primerepl/session.sqlite") }

  /// Types a line, and waits until the prompt comes back.
  private func type(_ line: String, _ expected: String = "", in terminal: PseudoTerminal)
    async throws
  {
    try await terminal.send(line + "\n", showing: "\n\(expected)", "> ")
  }

  /// The output of a script on the file.
  private func read(_ code: String) async throws -> String {
    try await runner.run(["--state", file, "-e", code]).output
  }

  @Test("is saved in the user's data folder and continues the next time, even after a kill")
  func goesOn() async throws {
    try await PseudoTerminal.prompt([], home: home) { terminal in
      try await type("counter.count = 17", in: terminal)
      try await type("todo.add('milk').id", "1\n", in: terminal)
      try await terminal.signal(SIGKILL)
      #expect(try await terminal.expectExit() == .signaled(SIGKILL))
      #expect(!terminal.screen.text.contains("Continuing"))
    }
    try await PseudoTerminal.prompt([], home: home) { terminal in
      #expect(terminal.screen.text.contains("Continuing the session of "))
      #expect(terminal.screen.text.contains("2 actions; last: todo.add(\"milk\")"))
      try await type("counter.count, todo.items[1].text", "17   \"milk\"\n", in: terminal)
      try await type("store.undo(2)", "0\n", in: terminal)
      #expect(try await terminal.expectExit(after: "\u{04}") == .exited(0))
    }
    #expect(home.files("data/primerepl") == ["session.sqlite"])
    #expect(try await read("print(counter.count, store.redo(2))") == "0\t2\n")
  }

  @Test("isn't used by code and scripts, or the prompt after them")
  func scripts() async throws {
    _ = try await runner.run(["-e", "counter.increment()"])
    _ = try await runner.run(input: "counter.increment()")
    _ = try await runner.run(["-i", "-e", "counter.increment()"], input: "counter.increment()\n")
    #expect(home.files("data") == [])
  }

  @Test("is in memory only with --ephemeral, and another with --state and PRIMEREPL_STATE")
  func options() async throws {
    _ = try await runner.run(["--ephemeral", "-i"], input: "counter.increment()\n")
    let (one, other) = (home.path(of: "one.sqlite"), home.path(of: "other.sqlite"))
    _ = try await runner.run(["--state", one, "-i"], input: "counter.increment()\n")
    _ = try await CommandRunner(environment: ["PRIMEREPL_STATE": other], home: home)
      .run(["-i"], input: "counter.increment()\n")
    #expect(home.files("").filter { $0.hasSuffix("sqlite") } == ["one.sqlite", "other.sqlite"])
  }

  @Test("isn't opened if the file isn't a state file, and leaves it unchanged")
  func notAStateFile() async throws {
    _ = try await runner.run(["-i"])
    try Data("a text".utf8).write(to: URL(fileURLWithPath: file))
    let result = try await runner.run(["-i"])
    #expect(result.status == .exited(1))
    #expect(result.error.contains("not a state file of primerepl"))
    #expect(result.error.contains("--ephemeral"))
    #expect(try home.read("data/primerepl/session.sqlite") == "a text")
  }

  @Test("shows remote actions while a line is typed, and calls subscribers")
  func others() async throws {
    try await PseudoTerminal.prompt([], home: home) { terminal in
      try await type(
        "s = store.subscribe('counter.count', function(new, old) print(old, new) end)",
        in: terminal)
      try await terminal.send("1 +", showing: "1 +")
      _ = try await read("counter.increment(5)")
      try await terminal.expectScreen("the change above the input") {
        $0.text.hasSuffix(
          "0       5\nanother process  #1 counter.increment(5)  counter.count 0 → 5\n> 1 +")
      }
      try await terminal.send(" counter.count\n", showing: "\n6\n> ")
      try await terminal.send(".undo\n")
      try await terminal.expectScreen("the undone action, and whose it was") {
        $0.text.contains("counter.count 5 → 0")
          && $0.text.contains("undid action 1 of another process")
      }
    }
  }

  @Test("shows no remote actions with .changes off")
  func hiddenChanges() async throws {
    try await PseudoTerminal.prompt([], home: home) { terminal in
      try await type(".changes off", "changes are not shown\n", in: terminal)
      _ = try await read("counter.increment(5)")
      try await type("counter.count", "5\n", in: terminal)
      #expect(!terminal.transcript.contains("increment"))
    }
  }

  @Test("takes back its own last command by .undo --mine, and leaves what others have done since")
  func undoMine() async throws {
    try await PseudoTerminal.prompt([], home: home) { terminal in
      try await type("favorites.add(7)", in: terminal)
      _ = try await read("counter.increment(5)")
      try await terminal.expectScreen("the remote action") {
        $0.text.contains("counter.count 0 → 5")
      }
      try await type(".undo --mine", in: terminal)
      try await type("#favorites, counter.count", "0   5\n", in: terminal)
      try await terminal.send(".history\n")
      try await terminal.expectScreen("the action that takes the other back") {
        $0.text.contains("-- takes back action 1")
      }
      try await terminal.send(".undo --mine\n")
      try await terminal.expect("you have done nothing here that could be undone")
      try await type(".undo", in: terminal)
      try await type("#favorites, counter.count", "1   5\n", in: terminal)
    }
  }

  @Test("stops an endless subscriber at Ctrl-C, even if nothing was typed")
  func interruption() async throws {
    try await PseudoTerminal.prompt([], home: home) { terminal in
      try await type(
        "s = store.subscribe('', function() print('now') while true do end end)", in: terminal)
      _ = try await read("counter.increment()")
      try await terminal.expectScreen("the subscriber's output") { $0.rows.contains("now") }
      try await terminal.send("\u{03}")
      try await type("1 + 1", "2\n", in: terminal)
    }
  }

  @Test("saves the actions of tasks while nothing is typed, even if the process is killed")
  func tasks() async throws {
    try await PseudoTerminal.prompt([], home: home) { terminal in
      try await type(
        "t = task.spawn(function() task.sleep(0.01) counter.increment() end)", in: terminal)
      try await terminal.wait(for: "the task's action in the file") {
        try await read("print(counter.count)") == "1\n"
      }
      try await terminal.signal(SIGKILL)
    }
    #expect(try await read("print(counter.count)") == "1\n")
  }
}
