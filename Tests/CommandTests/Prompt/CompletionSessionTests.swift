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
    _ = try home.write("", to: "notes.txt")
    try await PseudoTerminal.prompt(home: home, columns: 120) { terminal in
      try await terminal.send("persons.add{name = 'Ada', age = 36};\n")
      try await terminal.expectRow("persons +\"Ada\"")
      try await terminal.send(typed, showingRow: "> " + typed)
      let row = terminal.screen.cursorRow
      try await terminal.send("\t")
      try await terminal.expectScreen("«\(completed)» and «\(detail)»") {
        $0.rows[row] == completed && $0.rows[row + 1].hasPrefix(detail)
      }
    }
  }

  @Test("completes the values of options, and the ids of records with their texts")
  func argumentCompletion() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.send("counter.ask_nth_prime{source=\"\t")
      try await terminal.expectRow("local value    wolfram value")
      try await terminal.send("w\t}", showingRow: "> counter.ask_nth_prime{source=\"wolfram\"}")
      try await terminal.type(
        KeyCode.control("c"), "> counter.ask_nth_prime{source=\"wolfram\"}^C", ">")
      try await terminal.type("todo.add('milk'); todo.add('bread')\n", ">")
      try await terminal.send("todo.complete(\t", showingRow: "2 bread  1 milk")
      try await terminal.send("\t", showingRow: "> todo.complete(2")
    }
  }
}
