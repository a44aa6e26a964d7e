import Foundation
import Testing
import TestSupport

@Suite("test --properties")
struct TestPropertyTests {
  @Test("passes for the app, and for one made with the kit", arguments: ["primerepl", "notes"])
  func properties(program: String) async throws {
    let runner = CommandRunner(program: program)
    let result = try await runner.run(["test", "--properties", "--timeout", "300"])
    #expect(result.status == .exited(0), "\(result.output)\(result.error)")
  }

  /// An app whose function writes a file, and can end the process.
  private func app() throws -> AppFolder {
    let app = try AppFolder()
    let code = """
      feature "cart" {
        state = { count = 0 },
        actions = { add = function(state) state.count = state.count + 1 end },
        functions = {
          print = function(cart)
            io.open("printed", "w"):close()
            if os.getenv("CRASH") then os.execute("kill -SEGV $PPID; sleep 10") end
          end,
        },
      }
      """
    _ = try app.folder.write(code, to: "cart.lua")
    _ = try app.folder.write(
      """
      local few = { runs = 2, length = 10 }
      property("few calls", few)
      property("prints", { runs = 2, length = 10, arguments = { ["cart.print"] = function() end } })
      """, to: "cart.scenario.lua")
    return app
  }

  @Test("A variable of the file that an action changes is found")
  func impure() async throws {
    let app = try AppFolder()
    _ = try app.folder.write(
      """
      local count = 0
      feature "x" {
        state = { n = 0 },
        actions = { add = function(state) count = count + 1 state.n = count end },
      }
      """, to: "x.lua")
    let result = try await app(
      "test", "--app", "x.lua", "--bare", "--properties", "--timeout", "300")
    #expect(result.status == .exited(1))
    #expect(result.output.contains("✗ the same calls give the same state"), "\(result.output)")
  }

  @Test("Functions that can reach outside the app are called only with --live, or by a generator")
  func functions() async throws {
    let app = try app()
    let (options, few) = (
      ["test", "--app", "cart.lua", "--bare"], ["--filter", "few calls"]
    )
    func hasPrinted() -> Bool { app.folder.files("").contains("printed") }
    let plain = try await app.runner.run(options + few)
    #expect(!hasPrinted())
    #expect(
      plain.output.contains(
        "not called without --live, as they can reach outside the app: cart.print"))
    let live = try await app.runner.run(options + few + ["--live"])
    #expect(hasPrinted())
    #expect(!live.output.contains("not called"))
    try FileManager.default.removeItem(atPath: app.folder.path(of: "printed"))
    _ = try await app.runner.run(options + ["--filter", "prints"])
    #expect(hasPrinted())
  }

  @Test("Decimals and references to records have values, as arguments and in records")
  func declaredTypes() async throws {
    let app = try AppFolder()
    _ = try app.folder.write(
      """
      feature "acc" {
        state = {
          people = list { name = "" },
          debts = list { who = editable(reference "people"), sum = editable(decimal(2)) },
        },
        actions = {
          add = action { "name: string", function(s, name) s.people:append { name = name } end },
          owe = action {
            "who: reference(people)", function(s, who) s.debts:append { who = who } end,
          },
          pay = action { "sum: decimal(2)", function(s, sum) s.debts:append { sum = sum } end },
        },
      }
      """, to: "acc.lua")
    _ = try app.folder.write(
      """
      property("p", { runs = 1, length = 200, seed = 1 }, function(trace)
        trace:run()
        local steps = table.concat(trace.steps, " ")
        expect.matches(steps, "acc%.owe%(%d+%)")
        expect.matches(steps, "acc%.pay%(%-?%d+%.%d%d?%)")
        expect.matches(steps, "%.who = %d+")
        expect.matches(steps, "%.sum = %-?%d+%.%d%d?")
      end)
      """, to: "acc.scenario.lua")
    let result = try await app("test", "--app", "acc.lua", "--bare")
    #expect(result.status == .exited(0), "\(result.output)")
    #expect(!result.output.contains("not called"))
  }

  @Test("Functions whose parameters have no values are listed, also if there are no others")
  func noValues() async throws {
    let app = try AppFolder()
    _ = try app.folder.write(
      """
      feature "box" {
        state = { count = 0 },
        actions = {
          keep = action { "value: any", function(state) state.count = state.count + 1 end },
        },
      }
      """, to: "box.lua")
    func run(_ arguments: String...) async throws -> CommandOutput {
      try await app.runner.run(["test", "--app", "box.lua", "--bare"] + arguments)
    }
    let note = "not called without a generator, as their parameters have no random values: box.keep"
    let all = try await run("--properties", "--timeout", "300")
    #expect(all.status == .exited(0))
    #expect(all.output.contains(note), "\(all.output)")
    _ = try app.folder.write(
      """
      local generators = { ["box.keep"] = function() return 1 end }
      property("given", { runs = 1, arguments = generators }, function(trace)
        trace:run()
        expect.truthy(box.count > 0)
      end)
      property("none", { actions = { "box" }, runs = 1 })
      """, to: "box.scenario.lua")
    let given = try await run("--filter", "given")
    #expect(given.status == .exited(0) && !given.output.contains("not called"), "\(given.output)")
    let none = try await run("--filter", "none")
    #expect(none.output.contains("no functions that can be called with random values"))
  }

  @Test("The last calls before a crash are shown, and no registers")
  func crash() async throws {
    var app = try app()
    app.runner.environment["CRASH"] = "1"
    let result = try await app(
      "test", "--app", "cart.lua", "--bare", "--properties", "--live", "--timeout", "20")
    #expect(result.status == .exited(1))
    let output = result.output
    let crashes = output.ranges(of: "its process ended (signal 11, Segmentation fault)").count
    #expect(crashes >= 5)
    #expect(output.contains("  cart.print()\n"))
    #expect(output.ranges(of: "scenario(\"...\"").count == crashes)
    for text in ["Registers", "rax", "Backtrac"] { #expect(!output.contains(text)) }
  }
}
