import Testing

@testable import Scenarios

@MainActor
@Suite("The outline of a scenario file")
struct ScenarioOutlineTests {
  private func lines(_ source: String) -> [Int] {
    ScenarioOutline(Array(source.utf8)).statements.map(\.line)
  }

  @Test("Statements that only declare are found, at the top and in groups")
  func statements() {
    let source = """
      local x = 1
      scenario("a", function() if x then return end end)
      scenario("b", { tags = { "t" }, timeout = -1 }, function() local f = function() end end)
      group("g", { skip = true }, function()
        before(function() x = 2 end)
        scenario("c", function() repeat x = x + 1 until x > 3 end) x = 5;
        group("h", function()
          scenario('d', function() for _ = 1, 2 do while x do break end end end)
        end)
      end)
      """
    #expect(lines(source) == [2, 3, 6, 8])
  }

  @Test(
    "Declarations that may do more than declare are left in place",
    arguments: [
      "if x then scenario('a', function() end) end",
      "for i = 1, 3 do scenario('a' .. i, function() end) end",
      "local function f() scenario('a', function() end) end",
      "scenario(name(), function() end)", "scenario('a' .. 'b', function() end)",
      "scenario('a', f)", "scenario('a', { skip = f() }, function() end)",
      "scenario('a', { skip = f'x' }, function() end)", "scenario('a', t.options, function() end)",
      "scenario('a', function() end)('b')", "scenario('a', function() end) .x = 1",
      "scenario('a', function() end, 2)", "pcall(scenario, 'a', function() end)",
      "each({1}, 'a', function() scenario('a', function() end) end)",
      "-- scenario('a', function() end)", "--[==[\nscenario('a', function() end)\n]==]",
      "local s = [[\nscenario('a', function() end)\n]]", "s = 'scenario(\\'a\\', function() end)'",
      "scenario('a', function() end) scenario('b', function() end)",
    ])
  func others(source: String) { #expect(lines(source) == []) }

  @Test(
    "A file that uses the name scenario otherwise, or isn't complete, has no outline",
    arguments: [
      "local scenario = scenario", "scenario = wrapped", "_G.scenario = wrapped",
      "local function scenario() end", "function scenario() end", "x = { scenario }",
      "declare(scenario)", "x = scenario('b', function() end)", "s = 'open", "s = [[open", "end",
      "do", "--[[ open", "x = 1\rscenario('b', function() end)",
    ])
  func none(source: String) {
    #expect(lines("scenario('a', function() end)\n" + source + "\n") == [])
  }

  private func text(_ source: [UInt8]?) -> String? {
    source.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("What is left for a statement has it at its line, and none of the others")
  func source() {
    let outline = ScenarioOutline(
      Array(
        "x = 1\nscenario('a', function()\nend) y = 2\nscenario('b', function() end)\nz = 3".utf8))
    #expect(
      text(outline.source(keeping: 2))
        == "x = 1\nscenario('a', function()\nend) y = 2\n\nz = 3")
    #expect(
      text(outline.source(keeping: 4))
        == "x = 1\n\n y = 2\nscenario('b', function() end)\nz = 3")
  }

  @Test("In a long file, each scenario runs as it would in the whole file")
  func longFile() async throws {
    let plain = (1...20).map { "scenario('plain \($0)', function() error('\($0)') end)" }
    let run = try FileRun(
      (plain + [
        "local log = {}",
        "for i = 1, 2 do scenario('loop ' .. i, function() error('loop ' .. i) end) end",
        "group('g', function()", "  before(function() log[1] = 'before' end)",
        "  scenario('in g', { timeout = 5 }, function()", "    error(log[1])", "  end)",
        "  each({ 1 }, 'case %s', function(n) error('case ' .. n) end)", "end)",
        "scenario('last', function() error('last') end)", "scenario('last', function() end)",
      ]).joined(separator: "\n"))
    for (name, message, line) in [
      ("plain 1", "1", 1), ("plain 20", "20", 20), ("loop 2", "loop 2", 22),
      ("g > in g", "before", 26), ("g > case 1", "case 1", 28), ("last", "last", 30),
    ] {
      let failures = try await run.run(name).failures
      #expect(failures?.map(\.message) == [message])
      #expect(failures?.first?.location?.line == line)
    }
  }
}
