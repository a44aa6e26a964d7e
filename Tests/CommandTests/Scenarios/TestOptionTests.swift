import Foundation
import Testing
import TestSupport

@Suite("Options of test")
struct TestOptionTests {
  /// Ten scenarios in two files.
  private func tenScenarios(_ body: String = "") throws -> TestRun {
    func file(_ numbers: ClosedRange<Int>) -> String {
      """
      for number = \(numbers.lowerBound), \(numbers.upperBound) do
        scenario("case " .. number, { tags = { number > 3 and "high" or "low" } }, function()
          \(body)
        end)
      end
      """
    }
    return try TestRun(["a.scenario.lua": file(1...5), "b.scenario.lua": file(6...10)])
  }

  private let inOrder = (1...10).map { "case \($0): passed" }

  @Test("Results come in the order of the files for any number of processes")
  func jobs() async throws {
    let run = try tenScenarios("os.execute('sleep 0.0' .. (number * 7) % 10)")
    #expect(try await run.report("--jobs", "1").outcomes == inOrder)
    #expect(try await run.report("--jobs", "8").outcomes == inOrder)
  }

  @Test("--filter, --tags and FILE:LINE choose scenarios")
  func selection() async throws {
    let run = try tenScenarios()
    #expect(try await run.report("--filter", "case 7").outcomes == ["case 7: passed"])
    #expect(
      try await run.report("--tags", "low", "--filter", "2").outcomes == ["case 2: passed"])
    #expect(try await run.report("b.scenario.lua:2").outcomes == Array(inOrder.dropFirst(5)))
  }

  @Test("--list lists without running, and with the places")
  func list() async throws {
    let output = try await tenScenarios("error('x')")("--list", "--filter", "case 7")
    #expect(output.status == .exited(0))
    #expect(output.output == "b.scenario.lua:2: case 7  [high]\n")
  }

  @Test("--shuffle=<seed> repeats an order; --shuffle alone reports its seed")
  func shuffle() async throws {
    let run = try tenScenarios()
    let first = try await run.report("--shuffle=3").outcomes
    #expect(first != inOrder && first.sorted() == inOrder.sorted())
    #expect(try await run.report("--shuffle=3", "--jobs", "1").outcomes == first)
    #expect(try await run("--shuffle").output.contains("--shuffle="))
  }

  @Test("--fail-fast ends the run after the first failure")
  func failFast() async throws {
    let run = try tenScenarios("if number == 2 then error('x') end os.execute('sleep 0.05')")
    let report = try await run.report("--fail-fast", "--jobs", "1")
    #expect(report.output.status == .exited(1))
    #expect(report.outcomes.contains("case 2: failed"))
    #expect(report.results.count < 10)
  }

  @Test("--repeat runs each scenario several times; with --retries, one that passes later is flaky")
  func repeating() async throws {
    let run = try TestRun(
      """
      local function count()
        local file <close> = assert(io.open("count", "a+"))
        file:write("x") file:seek("set")
        return #file:read("a")
      end
      scenario("counts", function() if count() < 3 then error("early") end end)
      """)
    #expect(try await run.report().output.status == .exited(1))
    let flaky = try await run.report("--retries", "2")
    #expect(flaky.output.status == .exited(0))
    #expect(flaky.outcomes == ["counts: flaky"])
    #expect(flaky.results[0].attempts == 2)
    let repeated = try await run.report("--repeat", "4")
    #expect(repeated.results[0].attempts == 4)
    #expect(try run.folder.read("count").count == 7)
  }

  @Test("--last-failed runs failed scenarios until they pass")
  func lastFailed() async throws {
    let run = try tenScenarios("if number == 4 and not io.open('fixed') then error('x') end")
    #expect(try await run.report("--last-failed").results.count == 10)
    #expect(try await run.report("--last-failed").outcomes == ["case 4: failed"])
    _ = try await run.report("--filter", "case 1")
    _ = try run.folder.write("", to: "fixed")
    #expect(try await run.report("--last-failed").outcomes == ["case 4: passed"])
    let nothing = try await run("--last-failed")
    #expect(nothing.status == .exited(0))
    #expect(nothing.output.contains("no scenario failed the last time"))
  }

  @Test("only runs the marked scenarios; with --forbid-only it is an error, and nothing runs")
  func only() async throws {
    let run = try TestRun(
      """
      scenario("a", function() end)
      scenario("b", { only = true }, function() end)
      """)
    #expect(try await run.report().outcomes == ["b: passed"])
    let forbidden = try await run.report("--forbid-only")
    #expect(forbidden.output.status == .exited(1))
    #expect(forbidden.results.isEmpty)
    #expect(forbidden.problems.map(\.location?.line) == [2])
  }

  @Test("--timeout holds for scenarios that don't say so themselves")
  func timeout() async throws {
    let run = try TestRun("scenario('a', function() while true do end end)")
    let report = try await run.report("--timeout", "0.1")
    #expect(report.messages(of: "a")[0].hasPrefix("timed out after 0.1 s ("))
  }

  @Test("--coverage lists what no scenario touched, and --min-coverage demands a percentage")
  func coverage() async throws {
    let run = try TestRun("scenario('a', counter.increment)")
    let output = try await run("--coverage").output
    #expect(output.contains("\n  favorites actions: add, "))
    #expect(output.contains("\n  counter actions: count, decrement,"))
    let report = try await run.report("--min-coverage", "50")
    #expect(report.output.status == .exited(1))
    #expect(report.problems.map(\.file) == ["coverage"])
    #expect(try await run("--min-coverage", "0.1").status == .exited(0))
  }

  @Test("--min-coverage is demanded of files that can't be loaded, too")
  func coverageOfNothing() async throws {
    let run = try TestRun("error('x')")
    let report = try await run.report("--min-coverage", "50")
    #expect(report.problems.map(\.file) == ["a.scenario.lua", "coverage"])
  }
}
