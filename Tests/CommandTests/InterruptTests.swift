import Foundation
import Subprocess
import Testing

@Suite("Ctrl-C")
struct InterruptTests {
  /// Runs code, sends Ctrl-C, and expects the command to end as interrupted.
  private func expectInterrupted(_ code: String) async throws {
    try await PseudoTerminal.run(["-e", "print('ready') " + code]) { terminal in
      try await terminal.expect("ready\n")
      try await Task.sleep(for: .milliseconds(50))
      try await terminal.send("\u{03}")
      #expect(try await terminal.expectExit() == .exited(130))
      #expect(terminal.transcript.contains("primerepl: interrupted\n"))
    }
  }

  @Test(
    "stops a script that waits for input",
    arguments: ["io.read()", "for line in io.lines() do end", "while true do io.read('a') end"])
  func reading(code: String) async throws {
    try await expectInterrupted(code)
  }

  @Test(
    "stops code that catches everything, wherever it loops",
    arguments: [
      "while true do pcall(function() while true do end end) end",
      "while true do pcall(coroutine.wrap(function() while true do end end)) end",
      "setmetatable({}, {__index = function() while true do end end}).field()",
      "setmetatable({}, {__gc = function() while true do end end}) collectgarbage()",
      "local x <close> = setmetatable({}, {__close = function() while true do end end})",
      "while true do pcall(error, xpcall(error, function() while true do end end)) end",
      "while true do pcall(task.sleep, 3600) end",
      "task.spawn(function() while true do pcall(task.sleep, 0) end end)",
      "while true do debug.sethook() end",
    ])
  func stubborn(code: String) async throws {
    try await expectInterrupted(code)
  }

  @Test("stops finalizers that run when the command ends")
  func finalizersAtTheEnd() async throws {
    let code = """
      for i = 1, 3 do kept = setmetatable({kept}, {__gc = function()
        if i == 3 then print('ready') end
        while true do end
      end}) end
      """
    try await PseudoTerminal.run(["-e", code]) { terminal in
      try await terminal.expect("ready\n")
      try await Task.sleep(for: .milliseconds(50))
      try await terminal.send("\u{03}")
      #expect(try await terminal.expectExit() == .exited(0))
    }
  }

  @Test("stops code that waits for input at the prompt, which goes on")
  func readingAtPrompt() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("print('ready') io.read()\n")
      try await terminal.expect("\nready\n")
      try await terminal.send("\u{03}")
      try await terminal.expect("primerepl: interrupted\n")
      try await terminal.expect("> ")
      try await terminal.send("1+1\n")
      try await terminal.expect("\n2\n> ")
    }
  }

  @Test("ends the command while it reads a script from standard input")
  func readingScript() async throws {
    try await PseudoTerminal.run(["-e", "print('ready')", "-"]) { terminal in
      try await terminal.expect("ready\n")
      try await Task.sleep(for: .milliseconds(50))
      try await terminal.send("\u{03}")
      #expect(try await terminal.expectExit() == .exited(130))
    }
  }

  @Test("ends the command when it comes again and the code is in a function that can't be stopped")
  func again() async throws {
    let endless = "('a'):rep(40):find(('a*'):rep(40) .. 'b')"
    try await PseudoTerminal.run(["-e", "print('ready') ; " + endless]) { terminal in
      try await terminal.expect("ready\n")
      // The function is the next thing the code calls. A signal that comes before the last one was
      // handled is lost, so an impatient user goes on.
      for _ in 1...4 {
        try await Task.sleep(for: .milliseconds(200))
        try await terminal.send("\u{03}")
      }
      #expect(try await terminal.expectExit() == .signaled(SIGINT))
    }
  }

  @Test("stops a subscriber and the code whose action it heard of, and is reported once")
  func subscriber() async throws {
    let code = """
      store.subscribe('counter.count', function() print('ready') while true do end end) \
      while true do pcall(counter.increment) end
      """
    try await PseudoTerminal.run(["-e", code]) { terminal in
      try await terminal.expect("ready\n")
      try await terminal.send("\u{03}")
      #expect(try await terminal.expectExit() == .exited(130))
      #expect(terminal.transcript.components(separatedBy: "primerepl: ").count == 2)
    }
  }

  @Test("stops a subscriber that changes what it observes for ever")
  func endlessSubscriber() async throws {
    let code = """
      store.subscribe('counter.count', function(n) \
        if n == 1000 then print('ready') end counter.increment() end) \
      counter.increment()
      """
    try await PseudoTerminal.run(["-e", code]) { terminal in
      try await terminal.expect("ready\n")
      try await terminal.send("\u{03}")
      #expect(try await terminal.expectExit() == .exited(130))
    }
  }

  @Test("drops the line at the prompt, but no task that waits")
  func task() async throws {
    try await PseudoTerminal.run { terminal in
      try await terminal.expect("> ")
      try await terminal.send("t = task.spawn(task.sleep, 100)\n")
      try await terminal.expect("\n> ")
      try await terminal.send("\u{03}")
      try await terminal.expect("^C\n> ")
      try await terminal.send("t.status\n")
      try await terminal.expect("\nwaiting\n> ")
      try await terminal.send("\u{04}")
      #expect(try await terminal.expectExit() == .exited(0))
    }
  }
}
