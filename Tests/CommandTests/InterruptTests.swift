import Foundation
import Subprocess
import TerminalSupport
import Testing
import TestSupport

@Suite("Ctrl-C")
struct InterruptTests {
  /// Runs code that prints "ready", sends Ctrl-C, and expects the command to end as interrupted.
  private func expectInterrupted(_ code: String, isReading: Bool = false) async throws {
    try await PseudoTerminal.run(["-e", code]) { terminal in
      try await terminal.expect("ready\n")
      if isReading { try await terminal.expectSleep() }
      #expect(try await terminal.expectExit(after: "\u{03}") == .exited(130))
      #expect(terminal.transcript.contains("primerepl: interrupted\n"))
      #expect(terminal.transcript.components(separatedBy: "primerepl: ").count == 2)
    }
  }

  @Test(
    "stops a script that waits for input",
    arguments: ["io.read()", "for line in io.lines() do end", "while true do io.read('a') end"])
  func reading(code: String) async throws {
    try await expectInterrupted("print('ready') " + code, isReading: true)
  }

  @Test(
    "stops code that catches every error, wherever it loops or waits",
    arguments: [
      "while true do pcall(function() while true do end end) end",
      "while true do pcall(coroutine.wrap(function() while true do end end)) end",
      "local x <close> = setmetatable({}, {__close = function() while true do end end})",
      "while true do pcall(task.sleep, 3600) end",
      "task.spawn(function() while true do pcall(task.sleep, 0) end end)",
      "pcall(task.sleep, 100) while true do end",
      "coroutine.wrap(function() while true do pcall(task.sleep, 100) end end)()",
      "prime.count(10 ^ 18 // 1 | 0)", "task.spawn(task.sleep, 100)",
      "task.spawn(function() task.spawn(task.sleep, 100):await() end)",
    ])
  func stubborn(code: String) async throws {
    try await expectInterrupted("print('ready') " + code)
  }

  @Test(
    "stops finalizers at the end, subscribers and the code whose action called them",
    arguments: [
      """
      for i = 1, 3 do kept = setmetatable({kept}, {__gc = function()
        if i == 3 then print('ready') end
        while true do end
      end}) end
      """,
      """
      store.subscribe('counter.count', function() print('ready') while true do end end)
      while true do pcall(counter.increment) end
      """,
      """
      store.subscribe('counter.count', function(n)
        if n == 1000 then print('ready') end counter.increment()
      end)
      counter.increment()
      """,
    ])
  func called(code: String) async throws {
    try await expectInterrupted(code)
  }

  @Test("ends the command while it reads a script from standard input")
  func readingScript() async throws {
    try await PseudoTerminal.run(["-e", "print('ready')", "-"]) { terminal in
      try await terminal.expect("ready\n")
      try await terminal.expectSleep()
      #expect(try await terminal.expectExit(after: "\u{03}") == .exited(130))
    }
  }

  @Test("stops code at the prompt when pressed twice at once, and the prompt continues")
  func twiceAtOnce() async throws {
    try await PseudoTerminal.prompt([]) { terminal in
      for _ in 1...2 {
        try await terminal.send("print('ready') while true do end\n", showing: "\nready\n")
        try await terminal.send("\u{03}\u{03}\u{03}", showing: "\ninterrupted\n", "> ")
      }
      try await terminal.send("1+1\n", showing: "\n2\n> ")
    }
  }

  /// A call of a function that can't be stopped: it compares for years.
  private static let endless = "('a'):rep(40):find(('a*'):rep(40) .. 'b')"

  @Test(
    "ends code in a function that can't be stopped, after all its actions were saved",
    arguments: [
      "todo.add('kept') counter.increment() print('ready') ; \(endless)",
      """
      store.subscribe('todo.items', function() counter.increment() print('ready') ; \(endless) end)
      todo.add('kept')
      """,
    ])
  func unstoppable(code: String) async throws {
    let folder = try TemporaryFolder()
    let state = folder.path + "/session.sqlite"
    try await PseudoTerminal.run(["--state", state, "-e", code]) { terminal in
      try await terminal.expect("ready\n")
      try await terminal.expectComputation()
      #expect(try await terminal.expectExit(after: "\u{03}") == .exited(130))
      #expect(
        terminal.transcript.contains(
          "primerepl: interrupted in a function that can't be stopped, so primerepl ends; the session is saved\n"
        ))
    }
    let next = try await CommandRunner().run([
      "--state", state, "-e", "print(#todo.items, counter.count)",
    ])
    #expect(next.output == "1\t1\n")
  }

  @Test("says at the prompt that code can't be stopped; pressed again, it ends the prompt")
  func unstoppableAtPrompt() async throws {
    try await PseudoTerminal.prompt([]) { terminal in
      try await terminal.send("todo.add('kept') print('ready') ; \(Self.endless)\n")
      try await terminal.expect("\nready\n")
      try await terminal.expectComputation()
      try await terminal.send("\u{03}")
      try await terminal.expect(
        "the code is in a function that can't be stopped: Ctrl-C again ends primerepl\n")
      #expect(try await terminal.expectExit(after: "\u{03}") == .exited(130))
      #expect(terminal.transcript.contains("the session is saved\n"))
    }
  }
}
