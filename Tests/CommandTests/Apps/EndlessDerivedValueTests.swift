import TerminalSupport
import Testing
import TestSupport

@Suite("A derived value that doesn't end")
struct EndlessDerivedValueTests {
  private let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    _ = try home.write(
      """
      feature "note" {
        state = { count = 0 },
        derived = {
          double = function(state) return state.count * 2 end,
          endless = function(state) while state.count > 0 do end return 0 end,
        },
        actions = { add = function(state) state.count = state.count + 1 end },
      }
      """, to: "note.lua")
  }

  private func prompt(_ body: (PseudoTerminal) async throws -> Void) async throws {
    let arguments = ["-q", "--bare", "--app", "note.lua", "--state", "s.sqlite"]
    try await PseudoTerminal.prompt(arguments, home: home, columns: 120) { terminal in
      try await body(terminal)
      #expect(try await terminal.expectExit(after: "\u{4}") == .exited(0))
    }
  }

  @Test(
    "is ended by one Ctrl-C, or after a while, and then only computed for those who read it",
    arguments: [true, false])
  func notComputed(isInterrupted: Bool) async throws {
    try await prompt { terminal in
      try await terminal.send("note.add()\n")
      if isInterrupted {
        try await terminal.expectComputation()
        try await terminal.send("\u{3}")
      }
      try await terminal.expect(
        "\n#1  note.count 0 → 1 · note.double 0 → 2 · note.endless not computed\n> ")
      try await terminal.enter(
        "note.add()", "#2  note.count 1 → 2 · note.double 2 → 4 · note.endless not computed")
      try await terminal.enter(
        ".undo",
        "#1 of 2  undone: note.add() · note.count 2 → 1 · note.double 4 → 2 · note.endless not computed",
        prompt: "-1> ")
      try await terminal.send("note.endless\n")
      try await terminal.expectComputation()
      try await terminal.send("\u{3}", showing: "\n-1> ")
      try await terminal.enter("note.double", "2", prompt: "-1> ")
    }
    _ = try home.write(
      home.read("note.lua").replacing("while state.count > 0 do end return 0", with: "return 7"),
      to: "note.lua")
    try await prompt { terminal in
      try await terminal.enter("note.endless", "7", prompt: "-1> ")
    }
  }

  @Test("keeps those that read it from being computed for a line of changes")
  func readers() async throws {
    _ = try home.write(
      home.read("note.lua").replacing(
        "double =", with: "reader = function(state) return state.endless + 1 end, double ="),
      to: "note.lua")
    try await prompt { terminal in
      try await terminal.send("note.add()\n")
      try await terminal.expectComputation()
      try await terminal.send("\u{3}", showing: " not computed\n> ")
      try await terminal.enter(
        "note.add()",
        "#2  note.count 1 → 2 · note.double 2 → 4 · note.reader not computed · note.endless not computed"
      )
    }
  }

  @Test("isn't a query that took long once: from then on, it only looks at the records that differ")
  func queries() async throws {
    _ = try home.write(
      """
      feature "note" {
        state = { items = list { n = 0 } },
        derived = { slow = sum("items", function(item) for _ = 1, 3e6 do end return item.n end) },
        actions = {
          fill = function(state, count) for n = 1, count do state.items:append { n = 1 } end end,
        },
      }
      """, to: "note.lua")
    try await prompt { terminal in
      try await terminal.send("note.fill(20)\n", showing: "note.slow 0 → 20\n> ")
      try await terminal.enter("note.fill(1)", "#2  note.items +#21 · note.slow 20 → 21")
    }
  }

  @Test("is computed again once its file is reloaded")
  func reloaded() async throws {
    try await prompt { terminal in
      try await terminal.send("note.add()\n", showing: "note.endless not computed\n> ")
      _ = try home.write(
        home.read("note.lua").replacing("while state.count > 0 do end return 0", with: "return 7"),
        to: "note.lua")
      try await terminal.send(".reload\n", showing: "note.endless nil → 7\n> ")
    }
  }

  @Test("is still computed for an action that reads it, which does the same when it is repeated")
  func readByActions() async throws {
    _ = try home.write(
      """
      feature "note" {
        state = { count = 0, seen = 0 },
        derived = { endless = function(state) while state.count == 1 do end return 7 end },
        actions = {
          add = function(state) state.count = state.count + 1 end,
          see = function(state) state.count = 2 state.seen = state.endless end,
        },
      }
      """, to: "note.lua")
    try await prompt { terminal in
      try await terminal.send("note.add()\n")
      try await terminal.expect("\n#1  note.count 0 → 1 · note.endless not computed\n> ")
      try await terminal.enter(
        "note.see()", "#2  note.count 1 → 2 · note.seen 0 → 7 · note.endless not computed")
      try await terminal.enter(
        "store.undo(2);", "#0 of 2  undone: 2 actions #1…#2 · note.count 2 → 0 · note.seen 7 → 0",
        prompt: "-2> ")
      try await terminal.enter(
        "store.redo(2);", "#2 of 2  redone: 2 actions #1…#2 · note.count 0 → 2 · note.seen 0 → 7")
    }
  }
}
