import TerminalSupport
import Testing
import TestSupport

@Suite("Starting the prompt")
struct StartupTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// Opens a prompt whose startup file has some code.
  private func prompt(
    startingWith code: String, columns: UInt16 = 80, _ body: (PseudoTerminal) async throws -> Void
  ) async throws {
    try home.makeFolder("config/primerepl")
    _ = try home.write(code, to: "config/primerepl/init.lua")
    try await PseudoTerminal.prompt(
      ["--ephemeral"], environment: ["XDG_CONFIG_HOME": home.path(of: "config")], home: home,
      columns: columns, body)
  }

  @Test("runs the startup file first, whose error is reported")
  func startupFile() async throws {
    let code = "function twice(x) return 2 * x end\nerror('broken')"
    try await prompt(startingWith: code) { terminal in
      #expect(terminal.transcript.contains("init.lua:2: broken"))
      try await terminal.enter("twice(21)", "42")
    }
  }

  @Test("shows the changes of the startup file as its own")
  func startupChanges() async throws {
    try await prompt(startingWith: "counter.count = 5") { terminal in
      #expect(terminal.screen.rows.contains { $0.hasPrefix("init.lua  #1 counter.count 0 → 5") })
      #expect(!terminal.screen.text.contains("task"))
      try await terminal.enter("1 + 1", "2")
    }
  }

  @Test("reports a syntax error of the startup file")
  func startupSyntax() async throws {
    try await prompt(startingWith: "x ==", columns: 200) { terminal in
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
