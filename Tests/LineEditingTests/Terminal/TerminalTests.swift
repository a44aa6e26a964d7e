import Foundation
import LineEditing
import Platform
import Synchronization
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

  @Test(
    "don't wait in a read while a line is edited, since Ctrl-C takes back keys already reported")
  func readWithoutKeys() async throws {
    let idle = try TestTerminal()
    let terminal = try Terminal(input: idle.descriptor, output: idle.descriptor)
    terminal.enter(.editing, reportingTo: try WakePipe())
    let count = Mutex<Int?>(nil)
    DispatchQueue(label: "read").async {
      var byte: UInt8 = 0
      let result = read(idle.descriptor, &byte, 1)
      count.withLock { $0 = result }
    }
    let deadline = ContinuousClock.now + .seconds(60)
    while count.withLock({ $0 }) == nil, ContinuousClock.now < deadline { await Task.yield() }
    #expect(count.withLock { $0 } == 0)
    // Ends the read in any case.
    idle.type("x")
    terminal.leave()
  }
}
