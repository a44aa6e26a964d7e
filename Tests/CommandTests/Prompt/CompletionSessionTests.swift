import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("Tab at the prompt")
struct CompletionSessionTests {
  @Test(
    "completes a single match, and describes it",
    arguments: [
      ("counter.incr", "> counter.increment", "counter.increment([by: integer]): integer  Adds 1"),
      ("persons[1].na", "> persons[1].name", "person.name: string"),
      ("store.export(\"note", "> store.export(\"notes.txt", ""),
    ])
  func singleMatch(_ typed: String, _ completed: String, _ detail: String) async throws {
    let home = try TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: home.path(of: "notes.txt")))
    try await PseudoTerminal.prompt(home: home, columns: 120) { terminal in
      try await terminal.send("persons.add{name = 'Ada', age = 36};\n")
      try await terminal.expectRow("persons +\"Ada\"")
      try await terminal.send(typed)
      try await terminal.expectRow("> " + typed)
      let row = terminal.screen.cursorRow
      try await terminal.send("\t")
      try await terminal.expectScreen("«\(completed)» and «\(detail)»") {
        $0.rows[row] == completed && $0.rows[row + 1].hasPrefix(detail)
      }
    }
  }
}
