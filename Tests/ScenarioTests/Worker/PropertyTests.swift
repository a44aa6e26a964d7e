import Testing
import TestSupport

@testable import Scenarios

@MainActor
@Suite("Properties")
struct PropertyTests {
  private func failure(_ source: String) async throws -> ScenarioFailure? {
    try await FileRun(source).run("p").failures?.first
  }

  @Test(
    "in files",
    arguments: LuaCase.list(
      """
      -- A property that holds passes
      property("p", { actions = { "counter", "favorites" }, runs = 5, length = 20 }, function(trace)
        local first = store.state()
        trace:run()
        expect.truthy(#trace <= 20)
        store.undo(store.position)
        expect.equal(store.state(), first)
      end) --> passes
      -- A trace runs once
      property('p', {actions = {'counter'}, runs = 1}, function(t) t:run() t:run() end)
      --> …error: trace:run() is called once…
      -- The steps can be done in another app
      property("p", { actions = { "counter" }, runs = 3, length = 10 }, function(trace)
        trace:run()
        local other = store.new()
        trace:replay(other)
        expect.equal(other.store.state(), store.state())
      end) --> passes
      -- A generator gives the arguments of a function
      property("p", {
        actions = { "favorites" }, runs = 3, length = 10,
        arguments = { ["favorites.add"] = function() return 7919 end },
      }, function(trace)
        invariant(function()
          for _, n in ipairs(favorites) do expect.equal(n, 7919) end
        end)
      end) --> passes
      -- An error of a generator fails the property
      property("p", {
        actions = { "favorites" }, runs = 3,
        arguments = { ["favorites.add"] = function() error("no number", 0) end },
      }) --> …error: no number…run 1 of 3 (seed = …
      -- A step that can't be written as a text is the property's failure
      property("p", {
        actions = { "favorites" }, runs = 1,
        arguments = { ["favorites.add"] = function() return print end },
      }) --> …error: the step favorites.add(function…
      -- Fields of records that aren't in lists are assigned
      property("p", { actions = { "signup" }, runs = 1, length = 100 }, function(trace)
        trace:run()
        expect.contains(table.concat(trace.steps, " "), "signup.data.first_name = ")
      end) --> passes
      """))
  func files(example: LuaCase) async throws { try await FileRun.check(file: example) }

  @Test(
    "of an app with records",
    arguments: LuaCase.list(
      #"""
      -- Records are added, changed, removed and assigned, wherever the state has them
      property("p", { runs = 1, length = 400, seed = 1 }, function(trace)
        trace:run()
        local count = setmetatable({}, { __index = function() return 0 end })
        for _, step in ipairs(trace.steps) do
          local name = step:gsub("%[%d+%]", "[n]"):match("cart[%w_.%[%]]*")
          count[name] = count[name] + 1
        end
        local calls = { count["cart.add"], count["cart.change"], count["cart.remove"] }
        expect.truthy(math.max(table.unpack(calls)) <= 3 * math.min(table.unpack(calls)))
        expect.truthy(count["cart[n].quantity"] > 20)
      end) --> passes
      -- A call that raises once it has sent actions is a step, which is repeated
      property("p", { runs = 1, length = 50 }, function(trace)
        trace:run()
        expect.contains(trace.steps, "pcall(function() cart.order() end)")
        local other = store.new()
        trace:replay(other)
        expect.equal(other.cart.problem, "refused")
        expect.equal(other.store.state(), store.state())
      end) --> passes
      """#))
  func records(example: LuaCase) async throws {
    try await FileRun.check(file: example, of: .cart)
  }

  @Test("A failing sequence is shrunk to the shortest, and reported with its seed as a scenario")
  func shrinking() async throws {
    let failure = try await failure(
      """
      property("p", { actions = { "counter", "favorites" }, runs = 20, seed = 7 }, function()
        invariant(function() return #favorites < 2 end)
      end)
      """)
    #expect(failure?.kind == .invariant)
    let message = try #require(failure?.message)
    let match = try #require(
      message.firstMatch(
        of: /run (\d+) of 20 \(seed = (\d+)\), reduced from \d+ steps to (\d+):/))
    #expect(Int(match.2) == Int(match.1).map { 6 + $0 })
    #expect(match.3 == "2")
    #expect(message.contains("\nscenario(\"...\", function()\n  favorites."))
  }

  @Test(
    "Arguments are made as simple as they can be",
    arguments: [
      ("#cart.note <= 3", #"cart\.note = "[^"]{4}""#), ("#cart < 1", #"cart\.add\(""\)"#),
    ])
  func simpleTexts(invariant: String, step: String) async throws {
    let source = """
      property("p", { seed = 3 }, function()
        invariant(function() return \(invariant) end)
      end)
      """
    let failure = try await FileRun(source, of: .cart).run("p").failures?.first
    let steps = try Self.steps(in: #require(failure?.message))
    let only = try #require(steps.first)
    #expect(steps.count == 1)
    #expect(try only.wholeMatch(of: Regex(step)) != nil, "\(only)")
  }

  @Test(
    "Numbers are as close to the limit as they can be",
    arguments: ["97", "math.maxinteger", "math.random(51, 100)"])
  func simpleNumbers(number: String) async throws {
    let source = """
      property("p", {
        actions = { "counter" }, seed = 4,
        arguments = { ["counter.increment"] = function() return \(number) end, ["counter.count"] = function() return 0 end },
      }, function() invariant(function() return counter.count <= 50 end) end)
      """
    let message = try #require(try await failure(source)?.message)
    #expect(try Self.steps(in: message) == ["counter.increment(51)"], "\(message)")
  }

  @Test(
    "Numbers, tables and choices have simpler ones",
    arguments: LuaCase.pairs(
      """
      f.g(-3) --> f.g(); f.g(3); f.g(0); f.g(-2)
      f.g(2.5) --> f.g(); f.g(0); f.g(2)
      f.g("é", true) --> f.g("é"); f.g("", true); f.g("a", true); f.g("é", false)
      f.g({ 1, 2 }) --> f.g(); f.g({}); f.g({ 2 }); f.g({ 1 }); f.g({ 0, 2 }); f.g({ 1, 0 });
      --> f.g({ 1, 1 })
      f.list[3].part = true
      --> f.list[1].part = true; f.list[2].part = true; f.list[3].part = false
      pcall(function() f.g(1) end) --> f.g(); f.g(0)
      f.g(function: 0x1) -->
      """))
  func simplerSteps(step: String, simpler: String) async throws {
    let run = try FileRun(#"property("p", { actions = { "counter" }, runs = 1, length = 1 })"#)
    #expect(try await run.simplerSteps(than: step).joined(separator: "; ") == simpler)
  }

  @Test("The ids of a reduced sequence are those that its records get, so that it runs as written")
  func newIDs() async throws {
    let invariant = """
      invariant(function()
        for _, item in ipairs(cart) do if item.id > 1 and item.quantity > 50 then return false end end
      end)
      """
    let source = "property('p', { seed = 2, length = 60 }, function() \(invariant) end)"
    let failure = try await FileRun(source, of: .cart).run("p").failures?.first
    let steps = try Self.steps(in: #require(failure?.message))
    #expect(steps.count <= 4, "\(steps)")
    #expect(steps.count { $0 == #"cart.add("")"# } == 2)
    #expect(steps.last?.contains("51") == true)
    let again = "scenario('s', function() \(invariant) \(steps.joined(separator: "\n")) end)"
    #expect(try await FileRun(again, of: .cart).run("s").failures?.map(\.kind) == [.invariant])
  }

  /// The steps of the scenario in a failure's message.
  private static func steps(in message: String) throws -> [String] {
    let scenario = try #require(message.split(separator: "function()\n").last)
    return scenario.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0 != "end)" && !$0.hasPrefix("--") }
  }

  @Test("The seed of a failure repeats it in the first run")
  func seed() async throws {
    let source = """
      property("p", { actions = { "counter" }, runs = 30, seed = SEED }, function(trace)
        invariant(function() return counter.count ~= 17 end)
      end)
      """
    let first = try #require(
      await failure(source.replacing("SEED", with: "1"))?.message)
    let seed = try #require(first.firstMatch(of: /seed = (\d+)/)?.1)
    let again = try #require(await failure(source.replacing("SEED", with: seed))?.message)
    #expect(again.contains("run 1 of 30 (seed = \(seed))"))
    #expect(
      again.split(separator: "scenario(").last == first.split(separator: "scenario(").last)
  }

  @Test("A sequence that takes too long isn't shrunk to one that doesn't")
  func endless() async throws {
    let failure = try await failure(
      """
      property("p", { actions = { "counter" }, runs = 5, timeout = 0.1 }, function(trace)
        trace:run()
        while true do end
      end)
      """)
    #expect(failure?.kind == .timeout)
    let message = try #require(failure?.message)
    #expect(message.contains(/run 1 of 5 \(seed = \d+\), after \d+ steps:/))
  }

  @Test("A report of a step that didn't end names it")
  func unfinished() {
    let report = PropertyReport(origin: "run 1 of 5 (seed = 3)")
    #expect(
      report.text(of: ["cart.add(1)"], reducedFrom: 1, unfinished: "cart.loops()") == """
        run 1 of 5 (seed = 3), in cart.loops(), after 1 step:

        scenario("...", function()
          cart.add(1)
          cart.loops() -- doesn't end
        end)
        """)
  }

  @Test("A report of an invariant that didn't end names it, and not the step that it checks")
  func endlessInvariant() async throws {
    let failure = try await failure(
      """
      property("p", { actions = { "counter" }, runs = 5, timeout = 0.1 }, function()
        local checks = 0
        invariant(function()
          checks = checks + 1
          while checks == 3 do end
        end)
      end)
      """)
    #expect(failure?.kind == .timeout)
    #expect(failure?.location?.line == 3)
    let message = try #require(failure?.message)
    #expect(message.hasPrefix("timed out after 0.1 s in an invariant ("), "\(message)")
    #expect(message.contains(/run 1 of 5 \(seed = \d+\), in the invariant's check of counter\./))
    #expect(message.contains(/-- the invariant doesn't end\nend\)$/), "\(message)")
  }
}
