import Foundation
import PrimereplLineEditing
import Testing

@Suite("Terminals")
struct TerminalTests {
  @Test(
    "are recognized as reflowing by their environment variables",
    arguments: [
      (["TERM": "xterm-256color", "VTE_VERSION": "7000"], true), (["TMUX": "/tmp/tmux"], true),
      (["TERM": "xterm", "XTERM_VERSION": "XTerm(390)"], false), (["VTE_VERSION": ""], false),
      ([:], false),
    ])
  func reflows(environment: [String: String], reflows: Bool) {
    #expect(Terminal.reflows(in: environment) == reflows)
  }

  @Test("have a default size if they report none")
  func fallbackSize() throws {
    let unsized = try TestTerminal(columns: 0, rows: 0)
    let terminal = try Terminal(input: unsized.descriptor, output: unsized.descriptor)
    #expect(terminal.screen == ScreenSize(columns: 80, rows: 24))
  }
}
