import Testing

@testable import Console
@testable import PrimereplTerminal

@Suite("The colors of a terminal")
struct TerminalColorsTests {
  @Test(
    "are used on any terminal that isn't known for having none",
    arguments: ["xterm-256color", "vte-direct", "linux", "ansi", "sun-color", "unheard-of"])
  func colorful(terminal: String) {
    #expect(TerminalColors.areUsed(in: ["TERM": terminal]))
    #expect(TerminalColors.areUsed(in: ["TERM": terminal, "NO_COLOR": ""]))
    #expect(!TerminalColors.areUsed(in: ["TERM": terminal, "NO_COLOR": "1"]))
  }

  @Test(
    "aren't used on the others, nor on one without a name",
    arguments: [
      nil, "", "dumb", "unknown", "vt100", "vt220-w", "ansi-m", "ansi-mr", "xterm-mono", "wy50",
      "tvi925", "adm3a", "sun",
    ])
  func colorless(terminal: String?) {
    var environment: [String: String] = [:]
    environment["TERM"] = terminal
    #expect(!TerminalColors.areUsed(in: environment))
  }
}
