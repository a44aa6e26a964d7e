import Foundation
import TerminalSupport
import TestSupport
import Testing

@Suite("Apps whose files change")
struct ReloadSessionTests {
  private let app: AppFolder

  init() throws {
    app = try AppFolder()
    try write()
  }

  /// Writes the file of a cart.
  private func write(
    state: String = "items = list { name = '', price = 0 }", action: String = "add",
    least: Int = 0, factor: Int = 1, more: String = "", after: String = ""
  ) throws {
    _ = try app.folder.write(
      """
      feature "cart" {
        state = { \(state) },
        derived = { total = function(state)
          local sum = 0
          for _, item in ipairs(state.items) do sum = sum + item.price end
          return sum * \(factor)
        end },
        actions = {
          \(action) = action { "name: string", "price: integer", function(state, name, price)
            if price < \(least) then fail("bad_price", "A price is \(least) or more.") end
            return state.items:append { name = name, price = price }
          end },
        },
        \(more)
      }
      \(after)
      """, to: "shop.lua")
  }

  private func prompt(
    _ options: String..., body: (PseudoTerminal) async throws -> Void
  ) async throws {
    try await PseudoTerminal.run(
      ["-q", "--app", app.folder.path(of: "shop.lua")] + options, environment: [:], home: app.home,
      columns: 120
    ) { terminal in
      try await terminal.expect("> ")
      try await body(terminal)
    }
  }

  @Test("are reloaded with their history, and what is different is shown")
  func reload() async throws {
    try await prompt("--ephemeral") { terminal in
      try await terminal.enter(
        "cart.add('pen', 120)", "#1  cart.items +\"pen\" · cart.total 0 → 120")
      try await terminal.enter("x = 5")
      try write(factor: 2)
      try await terminal.enter(".reload", "reloaded; 1 action repeated", "cart.total 120 → 240")
      try await terminal.enter("x + cart.total", "245")
    }
  }

  @Test("stay as they were if a file has a mistake, and its place is shown")
  func mistake() async throws {
    try await prompt("--ephemeral") { terminal in
      try await terminal.enter(
        "cart.add('pen', 120)", "#1  cart.items +\"pen\" · cart.total 0 → 120")
      try write(more: "x = = 1")
      try await terminal.send(".reload\n")
      try await terminal.expect("shop.lua:14: unexpected symbol near '='")
      try write(more: "sate = {}")
      try await terminal.send(".reload\n")
      try await terminal.expect("there is no such part; did you mean 'state'?")
      try await terminal.enter("cart.total", "120")
    }
  }

  @Test("are stopped by Ctrl-C while they are reloaded, and the session goes on")
  func interrupt() async throws {
    try await prompt("--ephemeral") { terminal in
      try await terminal.enter(
        "cart.add('pen', 120)", "#1  cart.items +\"pen\" · cart.total 0 → 120")
      try write(after: "while true do end")
      try await terminal.send(".reload\n")
      try await terminal.expectComputation()
      try await terminal.send("\u{3}")
      try await terminal.expect("interrupted")
      try await terminal.enter("cart.total", "120")
    }
  }

  @Test("list the actions that the new code refuses, and drop them only if asked")
  func refusals() async throws {
    try await prompt("--ephemeral") { terminal in
      try await terminal.enter(
        "cart.add('pen', 120)", "#1  cart.items +\"pen\" · cart.total 0 → 120")
      try await terminal.enter(
        "cart.add('ink', 5)", "#2  cart.items +\"ink\" · cart.total 120 → 125")
      try write(least: 10)
      try await terminal.enter(
        ".reload", "#2 cart.add(\"ink\", 5): A price is 10 or more.",
        "the new code refuses 1 action, so nothing was reloaded; .reload! drops it")
      try await terminal.enter("cart.total", "125")
      try await terminal.enter(
        ".reload!", "reloaded; 1 action repeated, 1 action dropped",
        "cart.items −{ id = 2, name = \"ink\", price = 5 }", "cart.total 125 → 120")
      try await terminal.enter("store.position", "1")
    }
  }

  @Test("are reloaded by themselves with --watch")
  func watch() async throws {
    try await prompt("--ephemeral", "--watch") { terminal in
      try await terminal.enter(
        "cart.add('pen', 120)", "#1  cart.items +\"pen\" · cart.total 0 → 120")
      try write(factor: 3)
      try await terminal.expect("cart.total 120 → 360")
      try await terminal.enter("cart.total", "360")
    }
  }

  @Test("keep a session in its file, with its views, after they are reloaded")
  func file() async throws {
    let file = app.folder.path(of: "session.sqlite")
    try await prompt("--state", file) { terminal in
      try await terminal.enter(
        "cart.add('pen', 120)", "#1  cart.items +\"pen\" · cart.total 0 → 120")
      try write(factor: 2)
      try await terminal.enter(".reload", "cart.total 120 → 240")
      try await terminal.enter(
        "cart.add('ink', 5)", "#2  cart.items +\"ink\" · cart.total 240 → 250")
      try await terminal.send(".quit\n")
      #expect(try await terminal.expectExit() == .exited(0))
    }
    let result = try await app(
      "--app", "shop.lua", "--state", "session.sqlite", "-e",
      "store.undo() print(cart.total, #cart.items) store.redo() print(cart.total)")
    #expect(result.output == "240\t1\n250\n")
  }

  @Test("without --app there is nothing to reload")
  func nothing() async throws {
    try await PseudoTerminal.run(
      ["-q", "--ephemeral"], environment: [:], home: app.home, columns: 100
    ) { terminal in
      try await terminal.expect("> ")
      try await terminal.enter(
        ".reload", "there are no files to reload: open the prompt with --app FILE")
    }
  }

  // MARK: - Versions

  private func run(_ code: String) async throws -> CommandOutput {
    try await app("--app", "shop.lua", "--state", "session.sqlite", "-e", code)
  }

  @Test("open a saved session with new fields, which have their defaults")
  func newField() async throws {
    _ = try await run("cart.add('pen', 120)")
    try write(state: "note = 'x', items = list { name = '', price = 0, color = 'red' }")
    let result = try await run("print(cart.note, cart.items[1].color, cart.items[1].price)")
    #expect(result.output == "x\tred\t120\n")
  }

  @Test("refuse a saved session with a renamed action, and change nothing")
  func renamed() async throws {
    _ = try await run("cart.add('pen', 120)")
    let before = try Data(contentsOf: URL(fileURLWithPath: app.folder.path(of: "session.sqlite")))
    try write(action: "put")
    let result = try await run("print(1)")
    #expect(
      result.error.contains(
        "cart has no action \"add\" in this version; one that is renamed or dropped needs version = 2 and migrate = function(state, from) ... end"
      ))
    #expect(!result.error.contains("damaged"))
    #expect(result.status == .exited(1))
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: app.folder.path(of: "session.sqlite"))) == before)
  }

  @Test("migrate a saved session of an earlier version, and keep its file")
  func migrate() async throws {
    _ = try await run("cart.add('pen', 120) cart.add('ink', 5) counter.count = 7")
    try write(
      state: "items = list { name = '', cents = 0, price = 0 }", action: "put",
      more: """
        version = 2,
        migrate = function(state, from)
          for _, item in ipairs(state.items) do item.cents = item.price * 100 + from end
        end,
        """)
    let result = try await run(
      "print(cart.items[2].cents, cart.items[2].id, counter.count, cart.put('cap', 1).id > 2)")
    #expect(result.output == "501\t2\t7\ttrue\n")
    #expect(result.error.contains("the session was migrated to the app's new version."))
    let again = try await run(
      "print(#cart.items, cart.items[2].cents) store.undo() print(#cart.items)")
    #expect(again.output == "3\t501\n2\n")
    #expect(again.error == "")
    let kept = try FileManager.default.contentsOfDirectory(atPath: app.folder.path)
      .filter { $0.hasPrefix("session.sqlite.earlier-") }
    #expect(kept.count == 1)
  }

  @Test("keep the session if migrate fails")
  func failingMigration() async throws {
    _ = try await run("cart.add('pen', 120)")
    try write(
      action: "put",
      more: "version = 2, migrate = function(state, from) error('not yet') end,")
    let result = try await run("print(1)")
    #expect(result.error.contains("not yet"))
    #expect(result.status == .exited(1))
    try write()
    #expect(try await run("print(cart.total)").output == "120\n")
  }
}
