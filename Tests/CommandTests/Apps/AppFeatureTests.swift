import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("Features that files declare")
struct AppFeatureTests {
  private let app: AppFolder

  init() throws { app = try AppFolder() }

  @Test("have state, actions, undo, history and errors")
  func actions() async throws {
    let result = try await app(
      "--app", "shop.lua", "-e",
      """
      cart.add(2) cart.add(3) counter.increment() store.undo(2)
      print(cart.count, app.cart == cart)
      for _, entry in ipairs(store.history()) do print(entry.undone, entry.action) end
      local ok, err = pcall(cart.add, 0)
      print(ok, err.code, err)
      """)
    #expect(
      result.output == """
        2\ttrue
        false\tcart.add(2)
        true\tcart.add(3)
        true\tcounter.increment()
        false\tbad_number\tA number is 1 or more, not 0.

        """)
    #expect(result.error == "")
    #expect(result.status == .exited(0))
  }

  @Test(
    "have properties, whose steps look for records in maps, too", arguments: ["string", "integer"])
  func mapsInProperties(key: String) async throws {
    let code = """
      feature "ages" {
        state = { ages = map("\(key)", "integer") },
        actions = {
          set = action {
            "key: \(key)", "age: integer", function(state, key, age) state.ages[key] = age end,
          },
        },
      }
      """
    _ = try app.folder.write(code, to: "ages.lua")
    _ = try app.folder.write(
      "property('p', { actions = { 'ages' }, runs = 2 }, function() end)", to: "p.scenario.lua")
    let result = try await app("test", "--app", "ages.lua", "--bare", "p.scenario.lua")
    #expect(result.output.contains("1 passed"))
  }

  @Test(
    "have their calls as they were typed in the report of a failed scenario",
    arguments: ["pretty", "tap", "junit", "json", "html"])
  func failure(format: String) async throws {
    let code = """
      feature "basket" {
        state = { items = list { name = "", price = 0 } },
        actions = {
          add = function(state, name, price) state.items:append { name = name, price = price } end,
        },
      }
      """
    _ = try app.folder.write(code, to: "basket.lua")
    _ = try app.folder.write(
      "scenario('s', function() basket.add('pen', 120) expect.equal(#basket.items, 2) end)",
      to: "a.scenario.lua")
    let result = try await app(
      "test", "--app", "basket.lua", "--bare", "--report", "\(format)=report", "a.scenario.lua")
    #expect(result.status == .exited(1))
    let report = try app.folder.read("report").replacing("\\\"", with: "\"")
      .replacing("&quot;", with: "\"")
    #expect(report.contains(#"basket.add("pen", 120)"#) || format == "tap")
    #expect(!report.contains("#ids"))
  }

  @Test("of one app stay in a state file that another app opens")
  func stateFile() async throws {
    try app.add("stock", in: "stock.lua")
    let code = "cart.add(2) counter.increment(5)"
    _ = try await app("--app", "shop.lua", "--state", "s.sqlite", "-e", code)
    let other = try await app(
      "--app", "stock.lua", "--bare", "--state", "s.sqlite", "-e", "stock.add(7)")
    #expect(other.error == "")
    let plain = try await app("--state", "s.sqlite", "-e", "counter.increment()")
    #expect(plain.error == "")
    let all = try await app(
      "--app", "shop.lua", "--app", "stock.lua", "--state", "s.sqlite", "-e",
      "print(cart.count, stock.count, counter.count)")
    #expect(all.output == "2\t7\t6\n")
    #expect(all.error == "")
  }

  @Test("are continued by the prompt of the app")
  func session() async throws {
    let arguments = ["--app", app.folder.path(of: "shop.lua"), "--bare", "-q"]
    try await PseudoTerminal.prompt(arguments, home: app.home) { terminal in
      try await terminal.send("cart.add(2)\n")
      try await terminal.expect("cart.count 0 → 2\n> ")
      try await terminal.send("\u{04}")
      _ = try await terminal.expectExit()
    }
    try await PseudoTerminal.prompt(arguments, home: app.home) { terminal in
      try await terminal.enter("cart.count", "2")
      try await terminal.enter(
        ".scenario \(app.folder.path(of: "a.scenario.lua"))", "1 action: passed")
    }
    #expect(try await app("test", "--app", "shop.lua", "--bare").status == .exited(0))
  }

  @Test("are in the help, the reference, the definitions and the first scenario")
  func documentation() async throws {
    let docs = try await app("docs", "cart.add", "--app", "shop.lua")
    #expect(docs.output.hasPrefix("cart.add(by: integer)"))
    #expect(docs.output.contains("Adds to the count.\n"))
    _ = try await app("init", "--app", "shop.lua")
    #expect(
      try app.folder.read(".luals/primerepl.lua").contains(
        "---@param by integer\n"))
    #expect(
      try app.folder.read("first.scenario.lua").hasSuffix(
        """
        scenario("cart.add changes the state", function()
          expect.changes(function() cart.add(1) end, { ["cart.count"] = 1 })
        end)

        """))
    #expect(try await app("test", "--app", "shop.lua").output.contains("1 passed"))
  }

  @Test("can use the whole vocabulary that editors know")
  func vocabulary() async throws {
    let names =
      "feature, action, request, list, record, editable, optional, enum, set, secret, fail"
    let count = names.split(separator: ",").count
    _ = try app.folder.write(
      """
      assert(select("#", \(names)) == \(count))
      for index = 1, \(count) do assert((select(index, \(names))) ~= nil, index) end
      feature "other" { state = { count = 0 } }
      """, to: "other.lua")
    let result = try await app("--app", "other.lua", "-e", "print(other.count)")
    #expect(result.output == "0\n")
    #expect(result.error == "")
  }

  @Test("are refused on one line if there is a mistake in them")
  func mistakes() async throws {
    try app.add("cart", in: "again.lua")
    let duplicate = try await app("--app", "shop.lua", "--app", "again.lua", "-e", "print(1)")
    #expect(duplicate.error.contains("cart"))
    try app.add("store", in: "store.lua")
    let taken = try await app("--app", "store.lua", "-e", "print(1)")
    #expect(taken.error.contains("store"))
    _ = try app.folder.write("feature \"x\" {\n  sate = {},\n}\n", to: "bad.lua")
    let misspelled = try await app("--app", "bad.lua", "-e", "print(1)")
    #expect(misspelled.error.hasPrefix("primerepl: bad.lua:"))
    #expect(misspelled.error.contains("did you mean 'state'?"))
    for result in [duplicate, taken, misspelled] {
      #expect(result.output == "")
      #expect(result.error.split(separator: "\n").count == 1)
      #expect(result.status == .exited(1))
    }
  }

  @Test("of a new app are covered by its scenarios", arguments: ["primerepl", "notes"])
  func newApp(program: String) async throws {
    var runner = app.runner
    runner.program = program
    #expect(try await runner.run(["new", "kiosk"]).status == .exited(0))
    runner.workingDirectory = app.folder.path(of: "kiosk")
    let test = try await runner.run(["test", "--app", "kiosk.lua"])
    #expect(test.output.contains("5 passed"))
    #expect(test.status == .exited(0))
    let coverage = try await runner.run(
      ["test", "--app", "kiosk.lua", "--bare", "--min-coverage", "100"])
    #expect(coverage.status == .exited(0), "\(coverage.output)")
    let code = try await runner.run(
      ["--app", "kiosk.lua", "-e", "cart.add('pen', 120) print(cart.total, cart.items[1].name)"])
    #expect(code.output == "120\tpen\n")
    let properties = try await runner.run(
      ["test", "--app", "kiosk.lua", "--bare", "--properties", "--timeout", "300"])
    #expect(properties.status == .exited(0), "\(properties.output)")
  }

  @Test("of a new app are in the definitions for editors")
  func newDefinitions() async throws {
    _ = try await app("new", "kiosk")
    let definitions = try app.folder.read("kiosk/.luals/primerepl.lua")
    #expect(definitions.contains("\nfunction cart.add(name, price, quantity) end\n"))
    #expect(definitions.contains("---@field total "))
    #expect(LuaAnnotations(definitions).problems == [])
  }
}
