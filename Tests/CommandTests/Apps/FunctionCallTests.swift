import Foundation
import Testing
import TestSupport

@Suite("Functions of an app, called from the shell")
struct FunctionCallTests {
  private let app: AppFolder

  init() throws {
    app = try AppFolder()
    _ = try app.folder.write(
      """
      feature "shop" {
        state = { items = list { name = "", price = 0, day = date } },
        derived = { total = sum("items", function(item) return item.price end) },
        actions = {
          add = action {
            "name: string", "[unit_price: integer]", "is_new: boolean = false", "day: date = today",
            help = "Adds an item.", example = 'shop.add("pen", 120)',
            function(state, name, price, is_new, day)
              if name == "" then fail("no_name", "A name isn't empty.") end
              return state.items:append { name = name .. (is_new and "!" or ""), price = price, day = day }
            end,
          },
        },
        requests = {
          ask = request { "n: number", ask = function(shop, n) task.sleep(0.01) return n * 2 end, done = function() end },
        },
        functions = {
          worth = func {
            "item: reference(items)", "rate: decimal(2)", function(shop, item, rate) return item.name, item.price * rate end,
          },
          list = func { help = "The items.", function(shop) return shop.items end },
          report = func { "[rows: table]", function(shop, rows) print(shop.total, rows and rows.a, rows and #rows.list) end },
          any = function(shop, a, b, ...) print(math.type(a), math.type(b), b, select("#", ...)) end,
          both = func { function() return "a", 2, nil, { x = 1 } end },
          call = func { "fn: table", "[code: string]", function(shop, fn, code) error("here") end },
          loop = func { function() while true do end end },
          leave = func { function(shop) shop.add("a", 1) shop.add("b", 2) os.exit(0) end },
        },
      }
      """, to: "shop.lua")
  }

  private func run(_ words: String...) async throws -> CommandOutput {
    try await app.runner.run(["--app", "shop.lua", "--bare", "--state", "s.sqlite", "run"] + words)
  }

  @Test("keep their changes in the session")
  func session() async throws {
    #expect(
      try await run("add", "pen", "120", "--day", "2026-11-26").output.contains("name = \"pen\""))
    #expect(
      try await run("shop.add", "ink", "--is-new", "--unit-price=5", "--day=2026-11-27").status
        == .exited(0))
    #expect(
      try await run("list").output == """
        ┌───┬────┬──────┬───────┬────────────┐
        │ # │ id │ name │ price │ day        │
        ├───┼────┼──────┼───────┼────────────┤
        │ 1 │  1 │ pen  │   120 │ 2026-11-26 │
        │ 2 │  2 │ ink! │     5 │ 2026-11-27 │
        └───┴────┴──────┴───────┴────────────┘
        2 rows

        """)
    #expect(try await run("report").output == "125\tnil\tnil\n")
  }

  @Test("continue the session of the prompt, unless another one is named")
  func promptSession() async throws {
    let words = ["--app", "shop.lua", "--bare", "run", "add", "pen", "1"]
    for _ in 1...2 { #expect(try await app.runner.run(words).status == .exited(0)) }
    #expect(try await app("--app", "shop.lua", "--bare", "run", "report").output.hasPrefix("2\t"))
    #expect(
      try await app("--app", "shop.lua", "--bare", "--ephemeral", "run", "report").output
        .hasPrefix("0\t"))
  }

  @Test("wait for each other when they run at once")
  func parallel() async throws {
    try await withThrowingTaskGroup(of: CommandOutput.self) { group in
      for number in 1...6 { group.addTask { try await run("add", "i\(number)", "1") } }
      for try await result in group {
        #expect(result.status == .exited(0))
        #expect(result.error == "")
      }
    }
    #expect(try await run("report").output.hasPrefix("6\t"))
  }

  @Test("get values of their parameters' types")
  func values() async throws {
    #expect(try await run("report", #"{"a": 5, "list": [1, 2]}"#).output == "0\t5\t2\n")
    #expect(try await run("any", "5", "x", "y", "z").output == "integer\tnil\tx\t2\n")
    #expect(try await run("any", "--", "-5", "--b").output == "integer\tnil\t--b\t0\n")
    #expect(try await run("any", "-1.5", "1e3").output == "float\tnil\t1e3\t0\n")
    #expect(try await run("any", "0123", "0x10").output == "nil\tnil\t0x10\t0\n")
    #expect(
      try await run("add", "a", "--is-new", "false", "--unit-price", "1").output.contains("\"a\""))
    #expect(try await run("ask", "1.5").output == "3\n")
    #expect(try await run("worth", "1", "--rate", "0.50").output == "\"a\"\n0.5\n")
    #expect(try await run("both").output == "\"a\"\n2\n{ x = 1 }\n")
  }

  @Test(
    "refuse wrong words with the status of wrong usage",
    arguments: [
      (["ad"], "the app has no function 'ad'; did you mean 'add'?"),
      (["x.add"], "the app has no function 'x.add'"),
      (["add"], "add: <name> is missing: string"),
      (["add", "a", "b"], "add: unit-price: \"b\" is no integer"),
      (["add", "a", "1", "maybe"], "add: is-new: \"maybe\" is no boolean: write true or false"),
      (["add", "a", "1", "true", "2026-11-26", "z"], "add: \"z\" is one argument too many"),
      (
        ["add", "a", "--unit-prise", "1"],
        "there is no option --unit-prise, but --unit-price; see run add --help"
      ),
      (["add", "a", "--name", "b", "c"], "add: unit-price: \"a\" is no integer"),
      (["add", "--name=a", "--name=b"], "--name is given twice"),
      (["add", "--name"], "--name needs a value"),
      (["worth", "x", "1"], "worth: item: \"x\" is no id of a record"),
      (["worth", "1", "x"], "worth: rate: \"x\" is no number"),
      (["report", "{x"], "report: rows: \"{x\" is no table: write it as JSON"),
    ])
  func mistakes(_ words: [String], _ problem: String) async throws {
    let result = try await app.runner.run(
      ["--app", "shop.lua", "--bare", "--ephemeral", "run"] + words)
    #expect(result.error.contains(problem))
    #expect(result.error.hasPrefix("primerepl: "))
    #expect(result.output == "")
    #expect(result.status == .exited(64))
  }

  @Test("end with 1 after an error, whose message alone is shown if the app refuses something")
  func failures() async throws {
    let refused = try await run("add", "")
    #expect(refused.error == "primerepl: A name isn't empty.  [no_name]\n")
    #expect(refused.status == .exited(1))
    let wrong = try await run("add", "a", "1", "true", "2026-02-30")
    #expect(
      wrong.error
        == "primerepl: bad argument #4 to 'shop.add' (day: a date such as \"2026-11-26\" expected, got \"2026-02-30\")\n"
    )
    #expect(wrong.status == .exited(64))
    #expect(try await run("call", "[]").error.contains(": here"))
    let stopped = try await app(
      "--app", "shop.lua", "--bare", "--ephemeral", "--max-time", "0.1", "run", "loop")
    #expect(stopped.status == .exited(1))
  }

  @Test("are listed and described")
  func help() async throws {
    let list = try await app("--app", "shop.lua", "--bare", "run")
    #expect(list.output.hasPrefix("USAGE: primerepl run <function> [<arguments> ...]\n\nshop:\n"))
    #expect(list.output.contains("  add <name> [<unit-price>] [<is-new>] [<day>]\n"))
    #expect(list.output.contains("  list                    The items.\n"))
    #expect(list.status == .exited(0))
    #expect(
      try await app("--app", "shop.lua", "--bare", "run", "add", "--help").output == """
        OVERVIEW: Adds an item.

        USAGE: primerepl run add <name> [<unit-price>] [<is-new>] [<day>]

        PARAMETERS:
          --name                  string
          --unit-price            integer, may be left out
          --is-new                boolean, false by default
          --day                   date, today by default

        In Lua: shop.add("pen", 120)

        """)
  }

  @Test("that end the process keep what they have done")
  func exiting() async throws {
    #expect(try await run("add", "pen", "1").status == .exited(0))
    #expect(try await run("leave").status == .exited(0))
    #expect(try await run("report").output == "4\tnil\tnil\n")
  }

  @Test("of several features are told apart by the features' names")
  func severalFeatures() async throws {
    _ = try app.folder.write(
      """
      for _, name in ipairs { "one", "two" } do
        feature(name) { functions = { go = func { "x: string", function(module, x) print(name, x) end } } }
      end
      """, to: "two.lua")
    let options = ["--app", "two.lua", "--bare", "--ephemeral", "run"]
    let unclear = try await app.runner.run(options + ["go", "a"])
    #expect(
      unclear.error == "primerepl: several features have a function go: write one.go or two.go\n")
    #expect(unclear.status == .exited(64))
    #expect(try await app.runner.run(options + ["two.go", "a"]).output == "two\ta\n")
    #expect(
      try await app.runner.run(options + ["two.go", "--help"]).output.contains("run two.go <x>"))
  }

  @Test("are described without a session, and before any other code runs")
  func withoutSession() async throws {
    for words in [[], ["add", "--help"], ["add"], ["--help"]] {
      _ = try await app.runner.run(
        ["--app", "shop.lua", "--bare", "--state", "new.sqlite", "-e", "print('ran')", "run"]
          + words)
      #expect(!app.folder.files(".").contains("new.sqlite"))
    }
    _ = try app.folder.write("print('ran')", to: "script.lua")
    for words in [
      ["script.lua", "run"], ["-e", "print('ran')", "run"],
      ["--state", "new.sqlite", "run", "add"],
      ["nonsense"],
    ] {
      let names = try await app.runner.run(["--run-names", "--app", "shop.lua", "--bare"] + words)
      #expect(!names.output.contains("ran"))
      #expect(!app.folder.files(".").contains("new.sqlite"))
    }
    #expect(
      try await app("--run-names", "--app", "shop.lua", "--bare", "run", "add").output
        == "--name\n--unit-price\n--is-new\n--day\n")
  }

  @Test("are those of the program's own features, too")
  func builtIn() async throws {
    #expect(try await app("--ephemeral", "run", "counter.increment", "5").output == "5\n")
    #expect(try await app("--ephemeral", "run", "increment", "5").output == "5\n")
  }
}
