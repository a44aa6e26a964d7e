import Foundation
import Testing
import TestSupport

@testable import Lua

/// Generated scripts, in number by the variable STRESS_SCRIPTS (`make stress` sets it).
@MainActor
@Suite("Under stress", .timeLimit(.minutes(60)))
struct StressTests {
  private static let scriptCount =
    ProcessInfo.processInfo.environment["STRESS_SCRIPTS"].flatMap(UInt64.init) ?? 50

  @Test("generated scripts neither crash, leak, nor unbalance the stack")
  func generated() async throws {
    for seed in 0..<Self.scriptCount {
      let stress = try StressFixture()
      // A collection that grows while it is traversed has no end.
      stress.fixture.state.limitInstructions(to: 100_000)
      var generator = ScriptGenerator(seed: seed)
      for _ in 0..<3 {
        let script = generator.script()
        try await stress.run(script)
        try expectSound(stress, after: script, seed: seed)
      }
      let alive = try await stress.aliveAfterClose()
      #expect(alive == 0, "seed \(seed)")
    }
  }

  @Test("with little memory, few instructions or at once interrupted, they don't either")
  func limited() async throws {
    for seed in 0..<Self.scriptCount {
      let stress = try StressFixture()
      let state = stress.fixture.state
      var generator = ScriptGenerator(seed: seed)
      var random = SeededGenerator(seed: seed)
      for _ in 0..<3 {
        let script = generator.script()
        try state.limitMemory(to: state.memoryUsed() + Int.random(in: 0...40_000, using: &random))
        state.limitInstructions(to: Int.random(in: 0...5_000, using: &random))
        try await stress.run(script)
        try state.limitMemory(to: nil)
        state.limitInstructions(to: nil)
        try expectSound(stress, after: script, seed: seed)
      }
      let alive = try await stress.aliveAfterClose()
      #expect(alive == 0, "seed \(seed)")
    }
  }

  nonisolated static let allocating = [
    "local t = {} for i = 1, 20 do t[i] = {i, 'x' .. i} end",
    "local f = load('return function(a) return {a} end') f()(1)",
    "local p = host.point(1, 2) local q = p.x + p:sum(3) p.y = q return tostring(p) .. p",
    "local w = host.words('a', 'b') w:add('c') for i, v in ipairs(w) do w:add(v) if i > 5 then break end end",
    "pcall(host.fail) local ok, e = pcall(host.integer, 'x') return e.message, e.code",
    "host.call(function(...) return host.call(function(x) host.fail() end, ...) end, 1, 2)",
    "local co = coroutine.wrap(function(...) local x = coroutine.yield({...}) error({x}) end) co(1) co(2)",
    "local r = {coroutine.resume(coroutine.create(function() error('deep') end))} return r[2]",
    "setmetatable({}, {__gc = function(o) local t = {o} end}) collectgarbage()",
    "do local x <close> = setmetatable({}, {__close = function() local t = {} end}) error('x') end",
    "xpcall(function() local t = {} error({t}) end, function(e) return debug.traceback('x') end)",
    "local t = task.spawn(function() local x = {} host.later(x) error({x}) end) t:cancel()",
    "host.keep(function() return {} end) return host.again(1), host.list({1, 2, 3})",
    "return host.variadic(table.unpack({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}))",
    "return pcall(string.rep, 'x', 1000), ('%s%s'):format({}, 1.5), ('a,b'):gsub(',', print)",
  ]

  @Test("memory may be refused at any allocation of a script", arguments: allocating)
  func refusals(script: String) async throws {
    var count = 0
    while true {
      let stress = try StressFixture()
      guard try await stress.run(script, refusingAllocation: count) else { break }
      try expectSound(stress, after: script, seed: UInt64(count))
      let alive = try await stress.aliveAfterClose()
      #expect(alive == 0, "allocation \(count)")
      count += 1
    }
    #expect(count > 0)
  }

  private func expectSound(_ stress: StressFixture, after script: String, seed: UInt64) throws {
    let fixture = stress.fixture
    let comment = Comment(rawValue: "seed \(seed): \(script)")
    #expect(try fixture.stackCount == 0, comment)
    #expect(try fixture.call("return 6 * 7") == [42], comment)
  }
}
