import Foundation
import Testing
import TestSupport

@Suite("Sessions and scenarios of features that files declare")
struct DeclaredSessionTests {
  private let app: AppFolder

  private static let cart = """
    feature "cart" {
      help = "A shopping cart.",
      state = {
        items = list { name = "", price = 0, quantity = editable(1), note = optional "string" },
        seen = set "integer",
        pin = editable(secret),
        size = editable(enum { "small", "large" }),
        address = record { city = "Bonn", zip = 0 },
        receipts = list { text = "" },
      },
      derived = {
        total = function(state)
          local sum = 0
          for _, item in ipairs(state.items) do sum = sum + item.price * item.quantity end
          return sum
        end,
        names = function(state)
          local names = {}
          for i, item in ipairs(state.items) do names[i] = item.name end
          return names
        end,
      },
      actions = {
        add = action {
          "name: string", "price: integer", "[quantity: integer]",
          help = "Adds an item and returns it.", example = 'cart.add("pen", 120)',
          function(state, name, price, quantity)
            if price < 0 then fail("bad_price", "A price is 0 or more, not " .. price .. ".") end
            return state.items:append { name = name, price = price, quantity = quantity }
          end,
        },
        see = function(state, n) if math.type(n) == "integer" then state.seen:add(n) end end,
        remove = action { "id: integer", function(state, id)
          if not state.items:get(id) then fail("no_item", "No item has the id " .. id .. ".") end
          state.items:remove(id)
        end },
        move_to = action { "city: string", function(state, city) state.address.city = city end },
      },
      requests = {
        checkout = request {
          "card: secret", help = "Pays, and empties the cart.",
          ask = function(cart, card) task.sleep(0.001) return "paid " .. cart.total .. " by " .. #card end,
          done = function(state, receipt) state.receipts:append { text = receipt } state.items:clear() end,
        },
      },
    }
    """

  init() throws {
    app = try AppFolder()
    _ = try app.folder.write(Self.cart, to: "cart.lua")
  }

  private func run(_ code: String, _ options: String...) async throws -> String {
    let result = try await app.runner.run(["--app", "cart.lua"] + options + ["-e", code])
    #expect(result.error == "")
    return result.output
  }

  private func query(_ sql: String) async throws -> String {
    var runner = app.runner
    runner.program = "/usr/bin/sqlite3"
    return try await runner.run(["s.sqlite", sql]).output
  }

  @Test("are continued by other processes, whose records have other ids")
  func processes() async throws {
    try await withThrowingTaskGroup(of: String.self) { group in
      for name in ["a", "b"] {
        group.addTask {
          // Reports of the other's actions go to standard error.
          try await app(
            "--app", "cart.lua", "--state", "s.sqlite", "-e",
            """
            local mine = {}
            for i = 1, 20 do mine[i] = cart.add("\(name)" .. i, i) task.sleep(0.001) end
            for i, item in ipairs(mine) do assert(item.name == "\(name)" .. i and item.price == i) item.quantity = 2 end
            print(#mine)
            """
          ).output
        }
      }
      for try await output in group { #expect(output == "20\n") }
    }
    #expect(
      try await run(
        """
        local ids, count = {}, 0
        for _, item in ipairs(cart.items) do
          assert(not ids[item.id] and item.quantity == 2)
          ids[item.id], count = true, count + 1
        end
        print(count, cart.total, #store.history())
        """, "--state", "s.sqlite") == "40\t840\t80\n")
  }

  @Test("have the same state in each process, if an action goes through a table by pairs")
  func pairs() async throws {
    _ = try app.folder.write(
      """
      feature "cart" {
        state = { names = "", first = "" },
        actions = {
          note = function(state, prices)
            state.first = next(prices)
            for name in pairs(prices) do state.names = state.names .. name .. " " end
          end,
        },
      }
      """, to: "cart.lua")
    let note = "cart.note { pen = 2, ink = 3, pad = 4, cup = 5, tea = 1, box = 9 }"
    for code in [note, "", ""] {
      #expect(
        try await run("\(code) print(cart.first, cart.names)", "--state", "s.sqlite")
          == "box\tbox cup ink pad pen tea \n")
    }
  }

  @Test(
    "have views in the state file",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")))
  func views() async throws {
    _ = try await run(
      "cart.add('pen', 120, 2) cart.add('ink', 5) cart.see(7) cart.see(3) cart.move_to('Rome')",
      "--state", "s.sqlite")
    #expect(try await query("SELECT * FROM cart_items") == "1|1|pen|120|2|\n2|2|ink|5|1|\n")
    #expect(
      try await query("SELECT size, address FROM cart") == "small|{\"city\":\"Rome\",\"zip\":0}\n")
    #expect(try await query("SELECT * FROM cart_seen") == "1|3\n2|7\n")
  }

  @Test("end a request at the next start, if the process died that asked")
  func abandoned() async throws {
    let code = """
      stub = nil
      task.spawn(cart.checkout, "4111 1111")
      store.save()
      print(cart.checkout_pending)
      io.stdout:flush()
      os.exit(9)
      """
    let result = try await app("--app", "cart.lua", "--state", "s.sqlite", "-e", code)
    #expect(result.output == "true\n")
    #expect(
      try await run(
        "print(cart.checkout_pending, cart.checkout_error ~= nil)", "--state", "s.sqlite")
        == "false\ttrue\n")
  }

  @Test("keep no text of secrets in files, exports and the history")
  func secrets() async throws {
    let output = try await run(
      """
      cart.add("pen", 1) cart.pin = "hidden text" print(cart.checkout("4111 hidden"), cart.receipts[1].text)
      for _, entry in ipairs(store.history()) do print(entry.action) end
      store.export("a.json") store.export("a.lua") store.export("a.scenario.lua")
      """, "--state", "s.sqlite")
    #expect(output.hasPrefix("paid 1 by 11\tpaid 1 by 11\n"))
    #expect(output.contains("cart.checkout(\"•••••••••••\")"))
    #expect(!output.contains("hidden"))
    for name in app.folder.files("") {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: app.folder.path(of: name)))
      #expect(bytes.range(of: Data("hidden".utf8)) == nil, "\(name)")
    }
    // Redo repeats the answer, without asking again.
    #expect(
      try await run(
        "store.undo() print(cart.checkout_pending, store.redo(), #cart.receipts)", "--state",
        "s.sqlite")
        == "true\t4\t1\n")
  }

  @Test("are recorded as scenarios that pass")
  func recorded() async throws {
    _ = try await run(
      """
      local pen = cart.add("pen", 120, 2) pen.quantity = 3 cart.add("ink", 1) cart.see(5) cart.remove(1)
      cart.size = "large" cart.move_to("Rome") cart.pin = "12345" cart.checkout("4111 1111")
      store.export("a.scenario.lua")
      """)
    let text = try app.folder.read("a.scenario.lua")
    #expect(text.contains("cart.items:get(1).quantity = 3"))
    #expect(text.contains("stub(cart.checkout, function()"))
    #expect(!text.contains("4111"))
    let result = try await app("test", "--app", "cart.lua")
    #expect(result.status == .exited(0), "\(result.output)")
  }

  @Test("are tested with exhaustive changes, stubs and coverage")
  func scenarios() async throws {
    _ = try app.folder.write(
      """
      scenario("adds", { exhaustive = true }, function()
        expect.changes(function() cart.add("pen", 120) end, {
          ["cart.items[1]"] = { id = 1, name = "pen", price = 120, quantity = 1 },
          ["cart.total"] = 120, ["cart.names"] = { "pen" },
        })
        expect.changes(function() cart.items[1].quantity = 2 end, {
          ["cart.items[1].quantity"] = 2, ["cart.total"] = 240,
        })
        expect.error(function() cart.add("pen", -1) end, { code = "bad_price" })
        expect.error(function() cart.remove(9) end, { code = "no_item" })
        stub(cart.checkout, function(question) return "paid" end)
        expect.changes(function() cart.checkout("4111") end, {
          ["cart.items.removed"] = { { id = 1, name = "pen", price = 120, quantity = 2 } },
          ["cart.receipts[1]"] = { id = 1, text = "paid" }, ["cart.total"] = 0, ["cart.names"] = {},
        })
        expect.equal(cart.address, { city = "Bonn", zip = 0 })
      end)
      scenario("fails", function()
        stub(cart.checkout, function() error("no money") end)
        expect.error(function() cart.checkout("4111") end)
        expect.truthy(cart.checkout_error)
        expect.error(function() cart.checkout("4111") end)
      end)
      """, to: "a.scenario.lua")
    let result = try await app("test", "--app", "cart.lua", "--bare", "--coverage")
    #expect(result.status == .exited(0), "\(result.output)")
    #expect(result.output.contains("cart actions: pin, size, see, move_to"), "\(result.output)")
    _ = try app.folder.write(
      "scenario('x', { exhaustive = true }, function() cart.add('pen', 1) end)",
      to: "b.scenario.lua")
    let missing = try await app("test", "--app", "cart.lua", "b.scenario.lua")
    #expect(missing.status == .exited(1))
    #expect(missing.output.contains("cart.total"))
    _ = try app.folder.write(
      "scenario('x', function() cart.add('pen', 1) cart.checkout('1') end)", to: "c.scenario.lua")
    let asked = try await app("test", "--app", "cart.lua", "c.scenario.lua")
    #expect(asked.status == .exited(0), "what a request asks runs as well: \(asked.output)")
  }

  @Test("are tested by properties, which find code that counts in its file")
  func properties() async throws {
    let good = try await app(
      "test", "--app", "cart.lua", "--bare", "--properties", "--timeout", "300")
    #expect(good.status == .exited(0), "\(good.output)")
    _ = try app.folder.write(
      """
      local count = 0
      feature "x" {
        state = { n = 0 },
        actions = { add = function(state) count = count + 1 state.n = count end },
      }
      """, to: "impure.lua")
    let bad = try await app(
      "test", "--app", "impure.lua", "--bare", "--properties", "--timeout", "300")
    #expect(bad.status == .exited(1))
    #expect(bad.output.contains("✗ the same calls give the same state"), "\(bad.output)")
  }

  @Test("are documented for editors, and in help")
  func documentation() async throws {
    #expect(try await app("init", "--app", "cart.lua", "--bare").status == .exited(0))
    let definitions = try app.folder.read(".luals/primerepl.lua")
    #expect(LuaAnnotations(definitions).problems == [])
    #expect(definitions.contains("---@class cart.item\n"))
    #expect(
      definitions.contains("---@return cart.item\nfunction cart.add(name, price, quantity) end"))
    let help = try await run(
      "help(cart) help(cart.items) help(cart.items[1] or cart.add)", "--bare")
    #expect(help.contains("Error codes: bad_price, no_item."))
    #expect(help.contains("add(name: string, price: integer, [quantity: integer]): cart.item"))
  }

  // MARK: - Limits

  @Test(
    "stop actions that don't end, whatever they catch",
    arguments: [
      "while true do end", "while true do pcall(function() while true do end end) end",
      "coroutine.wrap(function() while true do end end)()",
      "for _, item in ipairs(setmetatable({}, { __index = function() return 1 end })) do end",
    ])
  func endless(code: String) async throws {
    _ = try app.folder.write(
      """
      feature "x" { state = { n = 0 }, actions = { run = function(state) state.n = 1 \(code) end } }
      """, to: "x.lua")
    let result = try await app(
      "--app", "x.lua", "--max-time", "0.2", "-e", "print(pcall(x.run)) print('after')")
    #expect(result.output == "")
    #expect(result.error.hasPrefix("primerepl: stopped: it exceeded its limit of 0.2 seconds\n"))
    #expect(result.status == .exited(1))
  }

  @Test("limit the memory of actions, which then have changed nothing")
  func memory() async throws {
    _ = try app.folder.write(
      """
      feature "x" {
        state = { text = "", lines = list { text = "" } },
        actions = {
          big = function(state) state.text = "a" state.text = ("x"):rep(10000000) end,
          many = function(state) for i = 1, 1e9 do state.lines:append { text = ("x"):rep(100) .. i } end end,
        },
      }
      """, to: "x.lua")
    let code = "print(pcall(x.big)) print(pcall(x.many)) print(#x.text, #x.lines, #store.history())"
    let result = try await app("--app", "x.lua", "--max-memory", "8M", "-e", code)
    #expect(result.output == "false\tnot enough memory\nfalse\tnot enough memory\n0\t0\t0\n")
    let free = try await app("--app", "x.lua", "-e", "x.big() print(#x.text)")
    #expect(free.output == "10000000\n")
  }
}
