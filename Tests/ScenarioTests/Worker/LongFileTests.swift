import Testing
import TestSupport

@testable import Scenarios

@MainActor
@Suite("A scenario file with many scenarios")
struct LongFileTests {
  private static let plain = (1...20).map {
    "scenario('plain \($0)', function()\n  error('\($0)')\nend)"
  }

  @Test("runs each scenario as a short file does")
  func scenarios() async throws {
    let run = try FileRun(
      (Self.plain + [
        "local log = {}",
        "for i = 1, 2 do scenario('loop ' .. i, function() error('loop ' .. i) end) end",
        "group('g', function()", "  before(function() log[1] = 'before' end)",
        "  scenario('in g', { timeout = 5 }, function()", "    error(log[1])", "  end)",
        "  each({ 1 }, 'case %s', function(n) error('case ' .. n) end)", "end)",
        "scenario('last', function() error('last') end)", "scenario('last', function() end)",
      ]).joined(separator: "\n"))
    for (name, message, line) in [
      ("plain 1", "1", 2), ("plain 20", "20", 59), ("loop 2", "loop 2", 62),
      ("g > in g", "before", 66), ("g > case 1", "case 1", 68), ("last", "last", 70),
    ] {
      let failures = try await run.run(name).failures
      #expect(failures?.map(\.message) == [message])
      #expect(failures?.first?.location?.line == line)
    }
  }

  @Test("leaves out the others of them only if they are plain statements")
  func parts() async throws {
    let folder = try TemporaryFolder()
    let others = [
      "for i = 1, 2 do\n  scenario('loop ' .. i, function()\n  end)\nend",
      "scenario(tostring('called'), function()\nend)",
      "scenario('two', function() end, (function() end)())",
      "scenario('argument', function()\nend, nil)", "local f = function()\nend scenario('f', f)",
      "local text = [[\nscenario('text', function()\nend)\n]]",
    ]
    let path = try folder.write(
      ([Self.plain[0]] + others + ["scenario('one line', function() end)"] + Self.plain.dropFirst())
        .joined(separator: "\n"),
      to: "file.scenario.lua")
    let file = try ScenarioFile(path: path)
    #expect(file.hasManyStatements)
    _ = await ScenarioRun.list(file, of: .sample, WorkerSettings())
    let part = file.source(declaring: 1)
    let blank = Array(repeating: "", count: 3)
    #expect(
      String(decoding: part, as: UTF8.self)
        == ([Self.plain[0]] + others + [""] + Self.plain.dropFirst().flatMap { _ in blank })
        .joined(separator: "\n"))
  }
}
