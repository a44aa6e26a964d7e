import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("Tab at the prompt")
struct CompletionSessionTests {
  @Test(
    "completes a single match, and describes it",
    arguments: [
      ("coun", "> counter", "counter  A count"),
      ("counter.incr", "> counter.increment", "counter.increment([by: integer]): integer  Adds 1"),
      ("string.form", "> string.format", "string.format(formatstring, ...): string  Formats"),
      ("('x'):form", "> ('x'):format", "string.format(...): string  Formats"),
      ("persons[1].na", "> persons[1].name", "person.name: string"),
      (
        "for _, p in ipairs(persons) do p.na", "> for _, p in ipairs(persons) do p.name",
        "person.name"
      ),
      ("table_of[\"two", "> table_of[\"two words\"]", ""),
      ("table_of.na", "> table_of.name", ""),
      ("store.subscribe(\"counter.co", "> store.subscribe(\"counter.count", ""),
      ("store.export(\"note", "> store.export(\"notes.txt", ""),
      (".hist", "> .history", ".history  "),
      ("function f(parameter) return para", "> function f(parameter) return parameter", ""),
      ("local variable = 1 return vari", "> local variable = 1 return variable", "variable  local"),
      ("waiting.sta", "> waiting.status", "task.status"),
      ("subscription:can", "> subscription:cancel", "subscription:cancel()"),
      ("whi", "> while", ""),
    ])
  func singleMatch(_ typed: String, _ completed: String, _ detail: String) async throws {
    let home = try TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: home.path(of: "notes.txt")))
    try await PseudoTerminal.prompt(home: home, columns: 120) { terminal in
      try await terminal.send(
        "table_of = {['two words'] = 1, name = 2}; waiting = task.spawn(task.sleep, 100); "
          + "subscription = store.subscribe('', print); persons.add{name = 'Ada', age = 36};\n")
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

  @Test("lists several matches, goes through them, and back")
  func menu() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.send("counter.de")
      try await terminal.expectEnd("> counter.de")
      try await terminal.send("\t")
      try await terminal.expectEnd(
        "> counter.decrement",
        "counter.decrement([by: integer]): integer  Subtracts 1, or an amount, from the",
        "count and returns it.")
      try await terminal.send(KeyCode.control("u") + "prime.")
      try await terminal.expectEnd("> prime.")
      try await terminal.send("\t")
      try await terminal.expectEnd(
        "> prime.", "count function     is function        nth function",
        "factor function    next function      previous function")
      try await terminal.send("\t")
      try await terminal.expectScreen("the first candidate") { $0.rows[0] == "> prime.count" }
      try await terminal.send("\u{1B}[Z")
      try await terminal.expectScreen("the last candidate") { $0.rows[0] == "> prime.previous" }
      try await terminal.type("\u{1B}", "> prime.")
    }
  }

  @Test("asks before it lists more than a screenful", arguments: ["y", "n"])
  func manyMatches(_ answer: String) async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.type("for i = 1, 300 do _G['name' .. i] = i end\n", ">")
      try await terminal.send("name")
      try await terminal.expectEnd("> name")
      try await terminal.send("\t")
      try await terminal.expectEnd("> name", "Display all 300 possibilities? (y or n)")
      try await terminal.send(answer)
      if answer == "y" {
        try await terminal.expectRow("name10 ")
        try await terminal.expectRow("of 3")
      } else {
        try await terminal.expectEnd("> name")
      }
      try await terminal.type("7\n", "7", ">")
    }
  }

  @Test("runs no code of scripts")
  func metamethods() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.type(
        "trap = setmetatable({}, {__index = function() print('ran') end, __pairs = print, "
          + "__name = 'x', __len = print, __call = print})\n", ">")
      for text in ["trap.", "trap['", "trap:", "trap.a.b", "trap(", "#trap."] {
        try await terminal.send(text)
        try await terminal.expectRow("> " + text)
        try await terminal.send("\tq")
        try await terminal.expectRow("> " + text + "q")
        try await terminal.type(KeyCode.control("c"), ">")
      }
      #expect(!terminal.screen.transcript.contains("\nran"))
    }
  }
}
