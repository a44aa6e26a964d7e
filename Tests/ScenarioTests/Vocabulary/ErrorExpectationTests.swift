import Testing
import TestSupport

@testable import Scenarios

@MainActor
@Suite("Expectations of errors")
struct ErrorExpectationTests {
  @Test(
    "in scenarios",
    arguments: LuaCase.list(
      #"""
      -- error passes for the error that is expected
      expect.error(function() error('boo') end) --> passes
      expect.error(function() error('boo') end, 'boo') --> passes
      expect.error(function() error('boo') end, 'b.o$') --> passes
      expect.error(function() error('a[b') end, 'a[b') --> passes
      expect.error(function() error('boo') end, expect.like('boo')) --> passes
      expect.error(function() error({code = 'x', n = {1}}) end, {code = 'x', n = {1}}) --> passes
      expect.error(function() error('boo', 0) end, {message = 'boo'}) --> passes
      expect.error(function() favorites.add(8) end, {code = 'not_prime'}) --> passes
      expect.error(function() error() end, nil) --> passes
      -- error returns the error, and waits for a function that waits
      local problem = expect.error(function() task.sleep(3) favorites.add(8) end)
      expect.equal(problem.code, 'not_prime')
      expect.equal(clock.now(), 3) --> passes
      -- error says that the function returned
      expect.error(function() end) --> expected an error, but the function returned
      expect.error(function() return {1} end)
      --> expected an error, but the function returned { 1 }
      -- error shows how the error differs
      expect.error(function() error('boo', 0) end, 'bar')
      --> the error differs from the expected one: boo; "bar" -> "boo"
      expect.error(function() favorites.add(8) end, {foo = 1, code = 'x'})
      --> the error differs from the expected one: 8 is not prime (not_prime);
      --> code: "x" -> "not_prime"; foo: 1 -> nothing
      expect.error(function() error({a = {1, 2}}) end, {a = {1, 3}})
      --> the error differs from the expected one: { a = { 1, 2 } }; a[2]: 3 -> 2
      -- assert returns its arguments, and raises a message of its own as it is
      expect.equal({ assert(1, 2) }, { 1, 2 })
      expect.equal({ pcall(assert, nil, 'mine') }, { false, 'mine' })
      expect.equal(select(2, pcall(assert, false)), 'assertion failed!')
      expect.error(function() assert() end, 'value expected') --> passes
      -- An uncaught error is reported whatever its value
      error('boo') --> error: boo
      error({a = 1}) --> error: { a = 1 }
      error() --> error: nil
      favorites.add(8) --> error: 8 is not prime (not_prime)
      coroutine.wrap(function() error('boo') end)() --> error: boo
      error(setmetatable({}, {__tostring = function() return 'mine' end})) --> error: mine
      error(setmetatable({}, {__metatable = 5})) --> error: {}
      assert(false, 'asserted') --> error: asserted
      assert(nil) --> error: assertion failed!
      -- A failed assert of a comparison says what its sides were
      assert(counter.count == 3)
      --> error: assertion failed: counter.count == 3, but counter.count is 0
      local n = 2 assert(n > counter.count + 5) --> error: assertion failed:
      --> n > counter.count + 5, but n is 2 and counter.count + 5 is 5
      local text = 'a' assert(text == 'b == c')
      --> error: assertion failed: text == 'b == c', but text is "a"
      local t = { 1 } assert(#t ~= 1) --> error: assertion failed: #t ~= 1, but #t is 1
      local n n = 1 n = function() return n end assert(nil == n)
      --> error: assertion failed: nil == n, but n is function…
      -- A failed assert evaluates nothing again that could change the state
      assert(counter.increment() == 3) --> error: assertion failed!
      assert(counter.count == 3 and true) --> error: assertion failed!
      assert(false) --> error: assertion failed!
      assert(not true) --> error: assertion failed!
      assert(counter.count == 3) assert(true) --> error: assertion failed!
      """#))
  func scenarios(example: LuaCase) async throws { try await FileRun.check(example) }

  @Test(
    "A failed expectation and a mistake in the vocabulary aren't the expected error",
    arguments: ["expect.equal(1, 2)", "expect.eqal(1, 2)", "scenario('x', function() end)"])
  func failures(call: String) async throws {
    #expect(try await FileRun.failures("expect.error(function() \(call) end)").count == 1)
    #expect(try await FileRun.failures("pcall(function() \(call) end)").count == 1)
  }

  @Test("An error whose message can't be made fails the scenario, too")
  func unspeakable() async throws {
    let failures = try await FileRun.failures(
      "error(setmetatable({}, {__tostring = function(self) error(self) end}))")
    #expect(!failures.isEmpty)
  }
}
