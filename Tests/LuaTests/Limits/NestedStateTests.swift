import Foundation
import Lua
import Testing

/// Code of one state that calls code of another, on the same thread.
@MainActor
@Suite("Stops of states that call each other", .timeLimit(.minutes(5)))
struct NestedStateTests {
  private let outer: LuaState
  private let inner: LuaState

  init() throws {
    outer = try LuaState()
    inner = try LuaState()
    let interrupter = try outer.interrupter()
    let stop = LuaModule("stop", help: "Stops.")
    stop.function("outer") { _ = interrupter.interrupt() }
    try inner.setGlobal("stop", to: stop)
    let host = LuaModule("host", help: "Calls.")
    host.function("run", "code") { [inner] (code: String) in try inner.load(code).call() }
    host.function("persist", "code") { [inner] (code: String) -> Int in
      var failures = 0
      for _ in 1...1000 {
        do {
          try inner.load(code).call()
        } catch {
          failures += 1
        }
      }
      return failures
    }
    try outer.setGlobal("host", to: host)
  }

  private func expectStop(_ code: LuaError.Code, _ source: String) throws {
    for _ in 1...2 {
      let error = #expect(throws: LuaError.self) { try outer.load(source).call() }
      #expect(error?.code == code)
      // Both can be used at once.
      #expect(try outer.load("return 1").call() == [1])
      #expect(try inner.load("return 2").call() == [2])
    }
  }

  /// Interrupts a state from another thread, once it runs.
  private func interruptSoon(_ interrupter: LuaInterrupter) {
    Thread.detachNewThread {
      usleep(20_000)
      while interrupter.interrupt() == .idle { usleep(1000) }
    }
  }

  /// Code of the outer state whose inner code never ends.
  nonisolated static let endless = [
    "host.run('while true do string.rep(\"x\", 10) end')",
    "while true do pcall(host.run, 'while true do pcall(function() while true do end end) end') end",
    "host.run('while true do pcall(coroutine.wrap(function() while true do end end)) end')",
    "pcall(coroutine.wrap(function() host.run('while true do end') end)) while true do end",
    "host.run('setmetatable({}, { __gc = function() while true do end end }) collectgarbage() while true do end')",
    "host.persist('while true do end') while true do end",
  ]

  @Test("an interrupt from another thread stops the inner code, too", arguments: endless)
  func otherThread(source: String) throws {
    for _ in 1...2 {
      interruptSoon(try outer.interrupter())
      let error = #expect(throws: LuaError.self) { try outer.load(source).call() }
      #expect(error?.is(.interrupted) == true)
      #expect(try inner.load("return 2").call() == [2])
    }
  }

  @Test("the time limit of the outer code stops the inner code, too", arguments: endless)
  func time(source: String) throws {
    outer.limitTime(to: .milliseconds(20))
    try expectStop(.timeLimit, source)
  }

  @Test(
    "an interrupt from the inner code stops both",
    arguments: [
      "host.run('stop.outer() while true do end')",
      "pcall(host.run, 'pcall(stop.outer) while true do pcall(function() while true do end end) end')",
      "host.run('stop.outer()')",
    ])
  func innerCode(source: String) throws { try expectStop(.interrupted, source) }

  @Test("inner code that begins after the stop ends at once")
  func later() throws {
    // Otherwise each of the thousand would run for ever.
    try expectStop(.interrupted, "host.persist('stop.outer() while true do end')")
  }

  @Test(
    "a stop of the inner state alone doesn't stop the outer code",
    arguments: [LuaError.Code.timeLimit, .interrupted])
  func innerStop(code: LuaError.Code) throws {
    if code == .timeLimit {
      inner.limitTime(to: .milliseconds(10))
    } else {
      interruptSoon(try inner.interrupter())
    }
    let result = try outer.load(
      "local _, e = pcall(host.run, 'while true do end') for i = 1, 1000 do end return e.code"
    ).call(as: String.self)
    #expect(result == code.rawValue)
  }

  @Test("three states, the outer one of which is stopped")
  func three() throws {
    let innermost = try LuaState()
    let host = LuaModule("deep", help: "Calls.")
    host.function("run", "code") { (code: String) in try innermost.load(code).call() }
    try inner.setGlobal("deep", to: host)
    outer.limitTime(to: .milliseconds(20))
    try expectStop(
      .timeLimit, "host.run('while true do pcall(deep.run, \"while true do end\") end')")
    #expect(try innermost.load("return 3").call() == [3])
  }

  @Test("inner code that calls the outer state again is stopped with it")
  func circle() throws {
    let back = LuaModule("back", help: "Calls.")
    back.function("run", "code") { [outer] (code: String) in try outer.load(code).call() }
    try inner.setGlobal("back", to: back)
    outer.limitTime(to: .milliseconds(20))
    try expectStop(
      .timeLimit, "host.run('while true do pcall(back.run, \"while true do end\") end')")
  }
}
