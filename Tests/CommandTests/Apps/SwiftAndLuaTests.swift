import Foundation
import TerminalSupport
import Testing
import TestSupport

/// The same code drives a feature in Swift, the built-in todo list, and its twin in Lua, `Examples/todo/todo.lua`.
///
/// Each case is a row of the table "Everything that a feature has" in `Documentation/apps-in-lua.md`.
@Suite("A feature in Lua has everything that one in Swift has")
struct SwiftAndLuaTests {
  enum Language: CaseIterable { case swift, lua }

  /// What is done with a feature, and shown.
  struct Case: Sendable, CustomTestStringConvertible {
    /// The first column of the table's row.
    let title: String
    /// Code that several processes run at the same time, before the commands.
    let parallel: [String]
    /// The arguments of commands that run one after another.
    let commands: [[String]]
    /// A part of what the commands print.
    let output: String
    /// What they print for the feature in Lua, if that differs.
    let luaOutput: String?

    var testDescription: String { title }

    /// A case in which code runs as a script, or the program with the arguments of commands.
    init(
      _ title: String, _ code: String = "", parallel: [String] = [], commands: [[String]] = [],
      prints output: String, inLua luaOutput: String? = nil
    ) {
      (self.title, self.parallel) = (title, parallel)
      self.commands = commands.isEmpty ? [["-e", code]] : commands
      (self.output, self.luaOutput) = (output, luaOutput)
    }
  }

  private static let twin = Document.repository.appendingPathComponent("Examples/todo/todo.lua")

  private let folder: TemporaryFolder
  private let home: TemporaryFolder

  init() throws {
    (folder, home) = (try TemporaryFolder(), try TemporaryFolder())
    _ = try folder.write(#"["milk", { "text": "tea", "done": true }]"#, to: "items.json")
    _ = try folder.write(Self.scenarios, to: "todo.scenario.lua")
  }

  // MARK: - The rows of the table

  private static let cases: [Case] = [
    Case(
      "a module with fields",
      "print(todo.query, todo.last_query, #todo.items, app.todo == todo)",
      prints: "\tnil\t0\ttrue\n"),
    Case(
      "actions",
      """
      print(todo.add('milk').text) todo.rename(1, 'oat milk') print(todo.items[1])
      todo.remove(1) print(#todo.items)
      """, prints: "milk\ntodo.item 1: oat milk\n0\n"),
    Case(
      "errors with codes",
      """
      for _, text in ipairs { ' ', 5 } do
        local ok, err = pcall(todo.add, text)
        print(err.code, err, #todo.items)
      end
      """,
      prints: """
        empty_text\tThe text of an item is empty: write what to do.\t0
        bad_argument\tbad argument #1 to 'todo.add' (text: string expected, got number)\t0

        """),
    Case(
      "live records",
      """
      local milk = todo.add('milk') todo.add('tea') todo.rename(1, 'oat milk')
      print(milk.text, milk.id, milk == todo.items[2], milk == todo.items[1])
      todo.remove(1)
      local ok, err = pcall(function() return milk.text end) print(err.code)
      """, prints: "oat milk\t1\ttrue\tfalse\nnot_found\n"),
    Case(
      "lists as sequences",
      """
      todo.add('milk') todo.add('tea')
      for n, item in ipairs(todo.items) do print(#todo.items, n, item.text) end
      """, prints: "2\t1\ttea\n2\t2\tmilk\n"),
    Case(
      "fields that scripts assign",
      """
      todo.add('milk').done = true todo.query = 'x'
      print(todo.items[1].done, todo.query)
      print((pcall(function() todo.items[1].done = 'yes' end)))
      print((pcall(function() todo.last_query = 'x' end)))
      print(todo.items[1].done, todo.last_query)
      """, prints: "true\tx\nfalse\nfalse\ntrue\tmilk\n"),
    Case(
      "derived values",
      """
      print(todo.loading) local fetching = task.spawn(todo.fetch) print(todo.loading)
      fetching:cancel()
      """, prints: "false\ntrue\n"),
    Case(
      "requests",
      """
      local fetching = task.spawn(todo.fetch)
      print(todo.loading, #todo.items) fetching:await() print(todo.loading, todo.items[2], todo.error)
      store.undo() print(todo.loading, #todo.items) store.redo() print(todo.loading, #todo.items)
      print(pcall(todo.fetch, 'none.json'), todo.error ~= nil, #todo.items)
      """,
      prints: """
        true\t0
        false\ttodo.item 2: second item\tnil
        true\t0
        false\t2
        false\ttrue\t2

        """),
    Case(
      "functions that are no actions",
      """
      todo.add('Milk') todo.add('tea') todo.query = 'milk'
      print(#todo.filtered(), todo.filtered()[1].text)
      """, prints: "1\tMilk\n"),
    Case(
      "undo, redo, jump, reset",
      """
      todo.add('milk') todo.add('tea') todo.items[1].done = true
      store.undo(2) print(#todo.items) store.redo() print(#todo.items)
      store.jump(3) print(todo.items[1].done) store.jump(0) print(#todo.items)
      store.redo(3) store.reset() print(#todo.items) store.undo() print(#todo.items)
      """, prints: "1\n2\ntrue\n0\n0\n2\n"),
    Case(
      "a history of calls that can be repeated",
      """
      todo.add('milk') todo.items[1].done = true todo.query = 'x'
      local again = store.new()
      for _, entry in ipairs(store.history()) do
        print(entry.action)
        load(entry.action, 'action', 't', again)()
      end
      print(again.todo.items[1].done, again.todo.query)
      """,
      prints: "todo.add(\"milk\")\ntodo.complete(1)\ntodo.query = \"x\"\ntrue\tx\n",
      inLua: "todo.add(\"milk\")\ntodo.items:get(1).done = true\ntodo.query = \"x\"\ntrue\tx\n"),
    Case(
      "sessions in files",
      commands: [
        ["--state", "s.sqlite", "-e", "todo.add('milk') todo.add('tea')"],
        ["--state", "s.sqlite", "-e", "print(#todo.items) store.undo() print(todo.items[1])"],
      ], prints: "2\ntodo.item 1: milk\n"),
    Case(
      "several processes on one session",
      parallel: (1...4).map { "todo.add('item \($0)')" },
      commands: [["--state", "s.sqlite", "-e", "print(#todo.items, #store.history())"]],
      prints: "4\t4\n"),
    Case(
      "subscriptions to every path",
      """
      local log = {}
      local function note(...) log[#log + 1] = table.concat({ ... }, ' ') end
      store.subscribe('todo.query', function(new) note('query', new) end)
      store.subscribe('todo.items[1].text', function(new) note('text', new) end)
      store.subscribe('todo.items', function(edits) note(edits[1].edit, edits[1].position) end)
      todo.add('milk') todo.query = 'x' todo.rename(1, 'tea')
      table.sort(log) print(table.concat(log, ', '))
      """, prints: "changed 1, inserted 1, query x, text milk, text tea\n"),
    Case(
      "export and import",
      """
      todo.add('milk') store.export('all.json') todo.add('tea') store.import('all.json')
      print(#todo.items, todo.items[1].text, pcall(store.import, 'items.json'))
      """, prints: "1\tmilk\tfalse\t"),
    Case(
      "recorded scenarios",
      commands: [
        ["-e", "todo.add('milk') todo.fetch('items.json') store.export('recorded.scenario.lua')"],
        ["test", "recorded.scenario.lua"],
        ["-e", "print(io.open('recorded.scenario.lua'):read('a'):match('todo.add%b()'))"],
      ], prints: "\n1 passed in 0 s\ntodo.add(\"milk\")\n"),
    Case(
      "help and reference", commands: [["-e", "help(todo.rename)"], ["docs", "todo.rename"]],
      prints: """
        todo.rename(id: integer, text: string)
          Changes an item's text.
          Example: todo.rename(item.id, "oat milk")
        """),
    Case(
      "definitions for editors", commands: [["docs", "--format", "luals"]],
      prints: "\nfunction todo.rename(id, text) end\n"),
    Case(
      "scenarios that must mention every change",
      commands: [["test", "todo.scenario.lua", "--filter", "mentions"]], prints: "2 passed"),
    Case(
      "stubs of requests", commands: [["test", "todo.scenario.lua", "--filter", "stub"]],
      prints: "1 passed"),
    Case(
      "coverage", commands: [["test", "todo.scenario.lua", "--filter", "mentions", "--coverage"]],
      prints: "\n  todo errors: not_found, nothing_saved\n",
      inLua: "\n  todo errors: nothing_saved\n"),
    Case(
      "properties",
      commands: [["test", "todo.scenario.lua", "--filter", "no item is blank"]],
      prints: "1 passed"),
  ]

  /// The rows that other tests show.
  private static let others = [
    "time travel at the prompt": ["Tests/CommandTests/Apps/SwiftAndLuaTests.swift"],
    "completion and hints": ["Tests/CommandTests/Apps/SwiftAndLuaTests.swift"],
    "queries that follow a list": [
      "Tests/ScriptingTests/FeatureQueryTests.swift",
      "Tests/ScriptingTests/Declared/DeclaredQueryTests.swift",
    ],
    "secrets": ["Tests/BridgeTests/SignUpSecrecyTests.swift"],
    "changed declarations": [
      "Tests/StateFileTests/OtherVersionTests.swift",
      "Tests/CommandTests/Apps/ReloadSessionTests.swift",
    ],
    "changes while the app runs": ["Tests/CommandTests/Apps/ReloadSessionTests.swift"],
  ]

  private static let scenarios = """
    scenario("an action mentions its changes", function()
      expect.changes(function() todo.add("milk") end, {
        ["todo.items[1]"] = { id = 1, text = "milk", done = false },
        ["todo.last_query"] = "milk",
      })
    end)

    scenario("an assignment mentions its changes", function()
      todo.add("milk")
      expect.changes(function() todo.items[1].done = true end, { ["todo.items[1].done"] = true })
      expect.unchanged(function() expect.error(function() todo.add("") end, { code = "empty_text" }) end)
    end)

    scenario("a stub answers", function()
      local asked = stub(todo.fetch, function()
        task.sleep(3600)
        return { "milk" }
      end)
      todo.fetch("https://example.com/todos.json")
      expect.equal({ #todo.items, todo.items[1].text, clock.now() }, { 1, "milk", 3600.0 })
      expect.called(asked, 1)
    end)

    property("no item is blank", { actions = { "todo" }, runs = 10, length = 20 }, function(trace)
      invariant(function()
        for _, item in ipairs(todo.items) do expect.matches(item.text, "%S") end
      end)
      trace:run()
      trace:reopen()
    end)
    """

  // MARK: - Tests

  private func arguments(_ language: Language, _ arguments: [String]) -> [String] {
    language == .swift ? arguments : ["--bare", "--app", Self.twin.path] + arguments
  }

  @Test("by the same code", arguments: cases, Language.allCases)
  func same(_ trial: Case, _ language: Language) async throws {
    let runner = CommandRunner(
      environment: ["CI": nil], workingDirectory: folder.path, home: home)
    try await withThrowingTaskGroup { group in
      for code in trial.parallel {
        let arguments = arguments(language, ["--state", "s.sqlite", "-e", code])
        group.addTask {
          let status = try await runner.run(arguments).status
          #expect(status == .exited(0))
        }
      }
      try await group.waitForAll()
    }
    var output = ""
    for command in trial.commands {
      let result = try await runner.run(arguments(language, command))
      #expect(result.error == "")
      output += result.output
    }
    let expected = language == .lua ? trial.luaOutput ?? trial.output : trial.output
    #expect(output.replacing(/in \d+(\.\d+)? m?s\b/, with: "in 0 s").contains(expected))
  }

  @Test("in time travel at the prompt, completion and hints", arguments: Language.allCases)
  func prompt(_ language: Language) async throws {
    let options = arguments(language, ["--ephemeral", "-q"])
    try await PseudoTerminal.prompt(options, environment: PseudoTerminal.colors, home: home) {
      terminal in
      try await terminal.send("todo.add('milk'); todo.add('tea')\n")
      try await terminal.expectRow("+\"tea\" +\"milk\"")
      try await terminal.send(".travel\n", showingRow: "2 of 2")
      try await terminal.send(KeyCode.left, showingRow: "1 of 2")
      try await terminal.send("\r")
      try await terminal.send("todo.ren\t", showingRow: "-1> todo.rename")
      try await terminal.send("(", showingRow: "todo.rename(id: integer, text: string)")
    }
  }

  @Test("in each row of the guide's table")
  func table() throws {
    let guide = try Document("Documentation/apps-in-lua.md").prose
    let start = try #require(guide.firstIndex(of: "## Everything that a feature has"))
    let rows = guide[start...].filter { $0.hasPrefix("| ") }.dropFirst(2).compactMap { row in
      row.split(separator: "|").first.map { String($0.dropFirst().dropLast()) }
    }
    #expect(Set(rows) == Set(Self.cases.map(\.title) + Self.others.keys))
    for path in Self.others.values.joined() {
      #expect(
        FileManager.default.fileExists(
          atPath: Document.repository.appendingPathComponent(path).path), "\(path)")
    }
  }
}
