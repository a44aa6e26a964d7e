import TerminalSupport
import Testing
import TestSupport

@Suite("Errors at the prompt")
struct ErrorSessionTests {
  private func prompt(
    environment: [String: String?] = [:], columns: UInt16 = 90,
    _ body: (PseudoTerminal) async throws -> Void
  ) async throws {
    try await PseudoTerminal.run(
      ["--ephemeral", "-q"], environment: environment, columns: columns
    ) { terminal in
      try await terminal.expect("> ")
      try await body(terminal)
    }
  }

  @Test("with an unknown name offer the corrected input, which the right arrow takes over")
  func corrections() async throws {
    let colors: [String: String?] = ["NO_COLOR": nil, "TERM": "xterm-256color"]
    try await prompt(environment: colors) { terminal in
      try await terminal.send("counter.cuont\n")
      try await terminal.expect(
        "counter has no field 'cuont'; did you mean 'count'?\n> counter.count")
      try await terminal.send("\u{1B}[C\n")
      try await terminal.expect("\n0\n> ")
    }
  }

  @Test("show calls only of one's own functions; .traceback shows all")
  func calls() async throws {
    try await prompt { terminal in
      try await terminal.enter(".traceback", "the last error has no calls")
      try await terminal.enter("error('plain')", "plain")
      try await terminal.enter("function f() error('deep') end")
      try await terminal.enter(
        "f()", "input 2:1: deep", "  function f() error('deep') end", "               ^^^^^",
        "  in function 'f' (input 2:1)")
      try await terminal.send(".traceback\n")
      try await terminal.expect("stack traceback:")
      try await terminal.expect("[C]: in function 'error'")
    }
  }

  @Test("are wrapped at words on narrow screens")
  func wrapping() async throws {
    try await prompt(columns: 30) { terminal in
      try await terminal.enter(
        ".watch cuonter", "The state has nothing at", "\"cuonter\"; did you mean", "\"counter\"?")
    }
  }
}
