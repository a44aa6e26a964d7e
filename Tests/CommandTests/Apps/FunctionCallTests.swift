import Foundation
import Testing
import TestSupport

@Suite("Functions of an app, called from the shell")
struct FunctionCallTests {
  private var app: AppFolder

  init() throws {
    app = try AppFolder()
    app.runner.environment["PRIMEREPL_APP"] = "shop.lua"
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
    try await app.runner.run(["--bare", "run"] + words)
  }

  @Test(
    "in a shell",
    arguments: ShellCase.list(
      """
      # keep their changes in the session of the prompt, unless another one is named
      $ primerepl --bare run add pen 120 --day 2026-11-26
      …name = "pen"…
      $ primerepl --bare run shop.add ink --is-new --unit-price=5 --day=2026-11-27 > added
      $ primerepl --bare run list
      ┌───┬────┬──────┬───────┬────────────┐
      │ # │ id │ name │ price │ day        │
      ├───┼────┼──────┼───────┼────────────┤
      │ 1 │  1 │ pen  │   120 │ 2026-11-26 │
      │ 2 │  2 │ ink! │     5 │ 2026-11-27 │
      └───┴────┴──────┴───────┴────────────┘
      2 rows
      $ primerepl --bare run report
      125\tnil\tnil
      $ primerepl --bare --ephemeral run report
      0\tnil\tnil
      $ primerepl --bare --state s.sqlite run report
      0\tnil\tnil
      # get values of their parameters' types
      $ primerepl --bare run report '{"a": 5, "list": [1, 2]}'
      0\t5\t2
      $ primerepl --bare run any 5 x y z
      integer\tnil\tx\t2
      $ primerepl --bare run any -- -5 --b
      integer\tnil\t--b\t0
      $ primerepl --bare run any -1.5 1e3
      float\tnil\t1e3\t0
      $ primerepl --bare run any 0123 0x10
      nil\tnil\t0x10\t0
      $ primerepl --bare run add a --is-new false --unit-price 1
      …"a"…
      $ primerepl --bare run ask 1.5
      3
      $ primerepl --bare run worth 1 --rate 0.50
      "a"
      0.5
      $ primerepl --bare run both
      "a"
      2
      { x = 1 }
      # end with 1 after an error, whose message alone is shown if the app refuses something
      $ primerepl --bare run add ""
      primerepl: A name isn't empty.  [no_name]
      [1]
      $ primerepl --bare run call "[]"
      …: here
      …
      [1]
      $ primerepl --bare --max-time 0.1 run loop
      …
      [1]
      # end with 64 after a wrong argument, which is named
      $ primerepl --bare run add a 1 true 2026-02-30
      primerepl: bad argument #4 to 'shop.add' (day: a date such as "2026-11-26" expected, got …)
      [64]
      # are listed and described
      $ primerepl --bare run
      USAGE: primerepl run <function> [<arguments> ...]

      shop:
      …  add <name> [<unit-price>] [<is-new>] [<day>]
      …  list                    The items.
      …
      $ primerepl --bare run add --help
      OVERVIEW: Adds an item.

      USAGE: primerepl run add <name> [<unit-price>] [<is-new>] [<day>]

      PARAMETERS:
        --name                  string
        --unit-price            integer, may be left out
        --is-new                boolean, false by default
        --day                   date, today by default

      In Lua: shop.add("pen", 120)
      # that end the process keep what they have done
      $ primerepl --bare run leave && primerepl --bare run report
      3\tnil\tnil
      # of several features are told apart by the features' names
      $ cat > two.lua <<'END'
      > for _, name in ipairs { "one", "two" } do
      >   feature(name) {
      >     functions = { go = func { "x: string", function(_, x) print(name, x) end } },
      >   }
      > end
      > END
      $ primerepl --app two.lua --bare run go a
      primerepl: several features have a function go: write one.go or two.go
      [64]
      $ primerepl --app two.lua --bare run two.go a
      two\ta
      $ primerepl --app two.lua --bare run two.go --help
      …run two.go <x>…
      # are those of the program's own features, too
      $ env -u PRIMEREPL_APP primerepl --ephemeral run counter.increment 5
      5
      $ env -u PRIMEREPL_APP primerepl --ephemeral run increment 5
      5
      """))
  func shell(example: ShellCase) async throws { try await app.runner.check(example) }

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
}
