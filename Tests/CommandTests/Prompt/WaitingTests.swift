import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("Waiting at the prompt")
struct WaitingTests {
  private static let ctrlC = "\u{03}", ctrlT = "\u{14}"

  @Test(
    "shows the awaited function with its progress; text typed meanwhile goes to the next prompt")
  func display() async throws {
    let gate = try Gate()
    try await PseudoTerminal.prompt(columns: 90) { terminal in
      try await terminal.send("function wait() \(gate.wait) end\n", showing: "\n> ")
      try await terminal.send("task.all { task.spawn(task.sleep, 0), task.spawn(wait) }\n")
      try await terminal.expectRow("s  task.all, 1 of 2 done  (Ctrl-C cancels, Ctrl-T")
      try await terminal.send("20 + 3\n")
      try gate.open()
      try await terminal.expect("> 20 + 3\n23\n> ")
      #expect(!terminal.screen.text.contains("Ctrl-C cancels"))
    }
  }

  @Test(
    "ends with Ctrl-C, even if the code catches errors",
    arguments: [
      "task.sleep(100)", "pcall(task.sleep, 100)", "while true do pcall(task.sleep, 100) end",
      "task.spawn(task.sleep, 100):await()",
    ])
  func cancelling(code: String) async throws {
    try await PseudoTerminal.prompt(columns: 90) { terminal in
      try await terminal.send(code + "\n", showingRow: "Ctrl-C cancels")
      try await terminal.send(Self.ctrlC, showing: "interrupted\n> ")
      try await terminal.enter("1 + 1", "2")
    }
  }

  @Test("continues in the background at Ctrl-T; .tasks lists it, and .cancel ends it")
  func detaching() async throws {
    try await PseudoTerminal.prompt(columns: 90) { terminal in
      // Tasks have numbers of their own.
      try await terminal.enter("1 + 1", "2")
      try await terminal.send("task.sleep(100)\n", showingRow: "Ctrl-T continues")
      try await terminal.send(Self.ctrlT)
      try await terminal.expect("continues in the background as task 1: .tasks lists them\n> ")
      try await terminal.send(".tasks\n")
      try await terminal.expect("waits for task.sleep\n.cancel n cancels one\n> ")
      try await terminal.enter(".cancel 7", "no task 7 runs; .tasks lists them")
      try await terminal.enter(".cancel 1")
      try await terminal.enter(".tasks", "no task runs")
    }
  }
}
