import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("Starting the prompt")
struct StartupTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func write(_ text: String, to path: String) throws {
    let url = URL(fileURLWithPath: home.path(of: path))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  @Test("runs the startup file first, whose error is reported")
  func startupFile() async throws {
    try write(
      "function twice(x) return 2 * x end\nerror('broken')", to: "config/primerepl/init.lua")
    let environment = ["XDG_CONFIG_HOME": home.path(of: "config")]
    try await PseudoTerminal.prompt(["--ephemeral"], environment: environment, home: home) {
      terminal in
      #expect(terminal.transcript.contains("init.lua:2: broken"))
      try await terminal.enter("twice(21)", "42")
    }
  }

  @Test("shows the changes of the startup file as its own")
  func startupChanges() async throws {
    try write("counter.count = 5", to: "config/primerepl/init.lua")
    let environment = ["XDG_CONFIG_HOME": home.path(of: "config")]
    try await PseudoTerminal.prompt(["--ephemeral"], environment: environment, home: home) {
      terminal in
      #expect(terminal.screen.rows.contains { $0.hasPrefix("init.lua  #1 counter.count 0 → 5") })
      #expect(!terminal.screen.text.contains("task"))
      try await terminal.enter("1 + 1", "2")
    }
  }

  @Test("reports a syntax error of the startup file")
  func startupSyntax() async throws {
    try write("x ==", to: "config/primerepl/init.lua")
    let environment = ["XDG_CONFIG_HOME": home.path(of: "config")]
    try await PseudoTerminal.prompt(
      ["--ephemeral"], environment: environment, home: home, columns: 200
    ) { terminal in
      #expect(terminal.transcript.contains("init.lua:1: syntax error near '=='"))
      try await terminal.enter("1 + 1", "2")
    }
  }

  @Test("says its name and how to begin in two lines, unless -q is given")
  func banner() async throws {
    try await PseudoTerminal.prompt(["--ephemeral"], home: home) { terminal in
      let rows = terminal.screen.rows.prefix { !$0.hasPrefix(">") }
      #expect(rows.count == 2)
      #expect(rows.first?.hasPrefix("primerepl ") == true)
    }
    try await PseudoTerminal.prompt(["--ephemeral", "-q"], home: home) { terminal in
      #expect(terminal.screen.rows.first?.hasPrefix(">") == true)
    }
  }

  @Test("-v prints the version in place of the banner")
  func version() async throws {
    try await PseudoTerminal.prompt(["--ephemeral", "-v", "-i"], home: home) { terminal in
      let rows = terminal.screen.rows.prefix { !$0.hasPrefix(">") }
      #expect(rows.count == 1)
      #expect(rows.first?.wholeMatch(of: /primerepl [\d.]+ \(Lua 5\.4\.\d+\) */) != nil)
    }
  }

  @Test("shows the time of a continued session and its last action, wrapped at words")
  func continuing() async throws {
    let file = home.path(of: "session.sqlite")
    try await PseudoTerminal.prompt(["--state", file], home: home) { terminal in
      #expect(!terminal.transcript.contains("Continuing"))
      try await terminal.send("counter.increment(5)\n", showing: "0 → 5\n> ")
      _ = try await terminal.expectExit(after: "\u{04}")
    }
    try await PseudoTerminal.prompt(["--state", file], home: home) { terminal in
      #expect(terminal.transcript.contains("Continuing the session of "))
      #expect(terminal.transcript.contains("1 action; last: counter.increment(5)."))
    }
    try await PseudoTerminal.prompt(["--state", file], home: home, columns: 30) { terminal in
      #expect(terminal.screen.rows.contains("Continuing the session of"))
    }
  }

  @Test("opens after code and scripts with -i, even if they failed")
  func afterCode() async throws {
    try await PseudoTerminal.prompt(["-i", "-e", "x = 5 error('oops')"], home: home) { terminal in
      #expect(terminal.transcript.contains("oops"))
      try await terminal.enter("x", "5")
    }
    try await PseudoTerminal.prompt(["-i", "nosuch.lua"], home: home) { terminal in
      #expect(terminal.transcript.contains("cannot read nosuch.lua"))
      try await terminal.enter("1", "1")
    }
  }
}
