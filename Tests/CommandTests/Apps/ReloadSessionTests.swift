import Foundation
import TerminalSupport
import Testing
import TestSupport

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

  /// Opens a prompt on the app, and adds a pen to the cart.
  private func prompt(
    _ options: String..., body: (PseudoTerminal) async throws -> Void
  ) async throws {
    try await PseudoTerminal.prompt(
      ["-q", "--app", app.folder.path(of: "shop.lua")] + options, home: app.home, columns: 120
    ) { terminal in
      try await terminal.enter(
        "cart.add('pen', 120)", "#1  cart.items +\"pen\" · cart.total 0 → 120")
      try await body(terminal)
    }
  }

  @Test("are reloaded, and derived values that are different are shown")
  func reload() async throws {
    try await prompt("--ephemeral") { terminal in
      try await terminal.enter("x = 5")
      try write(factor: 2)
      try await terminal.enter(".reload", "reloaded", "cart.total 120 → 240")
      try await terminal.enter("x + cart.total", "245")
    }
  }

  @Test("say what they don't have any more when they are reloaded, and have it again")
  func reloadedGoneField() async throws {
    let list = "items = list { name = '', price = 0 }"
    try write(state: "\(list), note = ''")
    try await prompt("--state", app.folder.path(of: "session.sqlite")) { terminal in
      try write(state: list)
      try await terminal.send(".reload\n", showing: "the app doesn't have cart.note any more")
      try await terminal.expect("reloaded")
      try write(state: "\(list), note = ''")
      try await terminal.send(".reload\n", showing: "reloaded")
      try await terminal.enter("cart.note == '' and cart.total", "120")
    }
  }

  @Test("stay as they were if a file has a mistake, and its place is shown")
  func mistake() async throws {
    try await prompt("--ephemeral") { terminal in
      try write(more: "x = = 1")
      try await terminal.send(".reload\n", showing: "shop.lua:14: unexpected symbol near '='")
      try write(more: "sate = {}")
      try await terminal.send(".reload\n", showing: "there is no such part; did you mean 'state'?")
      try await terminal.enter("cart.total", "120")
    }
  }

  @Test("are stopped by Ctrl-C while they are reloaded, and the session goes on")
  func interrupt() async throws {
    try await prompt("--ephemeral") { terminal in
      try write(after: "while true do end")
      try await terminal.send(".reload\n")
      try await terminal.expectComputation()
      try await terminal.send("\u{3}", showing: "interrupted")
      try await terminal.enter("cart.total", "120")
    }
  }

  @Test("show what their new code would make of the history, and take it only if asked")
  func replay() async throws {
    try await prompt("--ephemeral") { terminal in
      try await terminal.enter(
        "cart.add('ink', 5)", "#2  cart.items +\"ink\" · cart.total 120 → 125")
      try write(least: 10)
      try await terminal.enter(".reload", "no difference")
      try await terminal.enter(
        ".replay", "#2 cart.add(\"ink\", 5): A price is 10 or more.",
        "2 actions replayed, of which today's code refuses 1",
        "cart.items −{ id = 2, name = \"ink\", price = 5 }", "cart.total 125 → 120",
        "nothing was changed; .replay! takes this")
      try await terminal.enter("cart.total", "125")
      try await terminal.send(".replay!\n", showing: "cart.items −\"ink\" · cart.total 125 → 120")
      try await terminal.enter("store.position", "3")
      try await terminal.send(".undo\n", showing: "cart.total 120 → 125")
    }
  }

  @Test("take nothing of a history whose replay was interrupted")
  func interruptedReplay() async throws {
    try await prompt("--ephemeral") { terminal in
      try write(
        action:
          "add = action { 'name: string', 'price: integer', function() while true do end end }, other"
      )
      try await terminal.enter(".reload", "no difference")
      try await terminal.send(".replay!\n")
      try await terminal.expectComputation()
      try await terminal.send("\u{3}", showing: "interrupted")
      try await terminal.enter("store.position, cart.total", "1   120")
    }
  }

  @Test("go on after another process has migrated the session, and name what can't be done on top")
  func migratedElsewhere() async throws {
    let session = app.folder.path(of: "session.sqlite")
    let migration =
      "version = 2, migrate = function(s) for _, i in ipairs(s.items) do i.price = i.price * 100 end end,"
    let newer = try app.folder.write(
      """
      feature "cart" {
        state = { items = list { name = '', price = 0 } }, \(migration)
      }
      """, to: "newer.lua")
    try await prompt("--state", session) { terminal in
      let migrated = try await app.runner.run(
        ["--app", newer, "--state", session, "-e", "print(cart.items[1].price)"])
      #expect(migrated.output == "12000\n")
      try await terminal.send("cart.add('own', 5)\n", showing: "this is version 1")
      try write(more: migration)
      try await terminal.send(".reload\n", showing: "reloaded")
      try await terminal.send("cart.total\n", showing: "no longer possible: cart.add(\"own\", 5)")
      try await terminal.enter("#cart.items, cart.total", "1   12000")
    }
  }

  @Test("are reloaded by themselves with --watch")
  func watch() async throws {
    try await prompt("--ephemeral", "--watch") { terminal in
      try write(factor: 3)
      try await terminal.expect("cart.total 120 → 360")
      try await terminal.enter("cart.total", "360")
    }
  }

  @Test("keep a session in its file, with its views, after they are reloaded")
  func file() async throws {
    let file = app.folder.path(of: "session.sqlite")
    try await prompt("--state", file) { terminal in
      try write(factor: 2)
      try await terminal.enter(".reload", "cart.total 120 → 240")
      try await terminal.enter(
        "cart.add('ink', 5)", "#2  cart.items +\"ink\" · cart.total 240 → 250")
      #expect(try await terminal.expectExit(after: ".quit\n") == .exited(0))
    }
    let result = try await app(
      "--app", "shop.lua", "--state", "session.sqlite", "-e",
      "store.undo() print(cart.total, #cart.items) store.redo() print(cart.total)")
    #expect(result.output == "240\t1\n250\n")
  }

  @Test("without --app there is nothing to reload")
  func nothing() async throws {
    try await PseudoTerminal.prompt(["-q", "--ephemeral"], home: app.home, columns: 100) {
      terminal in
      try await terminal.enter(
        ".reload", "there are no files to reload: open the prompt with --app FILE")
    }
  }

  // MARK: - Versions

  private func run(_ code: String) async throws -> CommandOutput {
    try await app("--app", "shop.lua", "--state", "session.sqlite", "-e", code)
  }

  @Test("keep the values of fields that are gone, and have them back")
  func goneField() async throws {
    let state =
      "note = editable('x'), items = list { name = '', price = 0, color = editable('red') }"
    try write(state: state)
    _ = try await run("cart.note = 'y' cart.add('pen', 120).color = 'blue'")
    try write()
    let gone = try await run("cart.items[1].price = cart.items[1].price")
    #expect(gone.error.contains("the app doesn't have cart.items[].color, cart.note any more"))
    #expect(try await run("cart.add('ink', 5)").error == "", "it is said once")
    try write(state: state)
    let back = try await run("print(cart.note, cart.items[1].color, cart.items[2].color)")
    #expect(back.output == "y\tblue\tred\n")
  }

  @Test("migrate a saved session of an earlier version once")
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
    let again = try await run(
      "print(#cart.items, cart.items[2].cents) store.undo() print(#cart.items, pcall(store.undo))")
    #expect(again.output.hasPrefix("3\t501\n2\tfalse\tThere is nothing to undo. Action 4 migrated"))
    #expect(again.error == "")
    try write()
    #expect(try await run("print(1)").error.contains("cart was saved by version 2 of the app"))
  }

  @Test(
    "leave a saved session as it is if migrate fails, or a value has another type",
    arguments: [
      ("price = 0", "version = 2, migrate = function() error('not yet', 0) end,", "not yet"),
      ("price = ''", "", "cart.items[].price was an integer and is a text now"),
    ])
  func refusedSession(price: String, more: String, reason: String) async throws {
    _ = try await run("cart.add('pen', 120)")
    let file = URL(filePath: app.folder.path(of: "session.sqlite"))
    let before = try Data(contentsOf: file)
    try write(state: "items = list { name = '', \(price) }", more: more)
    let result = try await run("print(1)")
    for part in ["The saved session doesn't fit the app: ", reason, "Nothing was changed."] {
      #expect(result.error.contains(part))
    }
    #expect(result.output == "" && result.status == .exited(1))
    #expect(try Data(contentsOf: file) == before)
    try write()
    #expect(try await run("print(cart.total)").output == "120\n")
  }
}
