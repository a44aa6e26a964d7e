import Testing

@testable import Scenarios

@MainActor
@Suite("Expectations of errors")
struct ErrorExpectationTests {
  @Test(
    "error passes for the error that is expected",
    arguments: [
      "error('boo')", "error('boo'), 'boo'", "error('boo'), 'b.o$'", "error('a[b'), 'a[b'",
      "error({code = 'x', n = {1}}), {code = 'x', n = {1}}",
      "error('boo', 0), {message = 'boo'}", "favorites.add(8), {code = 'not_prime'}",
      "error('boo'), expect.like('boo')", "error(), nil",
    ])
  func expected(call: String) async throws {
    let (code, arguments) = Self.split(call)
    let body = "expect.error(function() \(code) end\(arguments))"
    #expect(try await FileRun.failures(body).isEmpty)
  }

  @Test(
    "A scenario passes",
    arguments: [
      PassingScenario(
        "error returns the error, and waits for a function that waits",
        """
        local problem = expect.error(function() task.sleep(3) favorites.add(8) end)
        expect.equal(problem.code, 'not_prime')
        expect.equal(clock.now(), 3)
        """),
      PassingScenario(
        "assert returns its arguments, and raises a message of its own as it is",
        """
        expect.equal({ assert(1, 2) }, { 1, 2 })
        expect.equal({ pcall(assert, nil, 'mine') }, { false, 'mine' })
        expect.equal(select(2, pcall(assert, false)), 'assertion failed!')
        expect.error(function() assert() end, 'value expected')
        """),
    ])
  func passes(_ scenario: PassingScenario) async throws { try await scenario.check() }

  @Test("error says that the function returned", arguments: [("", ""), ("return {1}", " { 1 }")])
  func returned(body: String, value: String) async throws {
    let failure = try await FileRun.failure("expect.error(function() \(body) end)")
    #expect(failure.message == "expected an error, but the function returned\(value)")
  }

  @Test(
    "error shows how the error differs",
    arguments: [
      ("error('boo', 0), 'bar'", "boo", [": \"bar\" -> \"boo\""]),
      (
        "favorites.add(8), {foo = 1, code = 'x'}", "8 is not prime (not_prime)",
        ["code: \"x\" -> \"not_prime\"", "foo: 1 -> nothing"]
      ),
      ("error({a = {1, 2}}), {a = {1, 3}}", "{ a = { 1, 2 } }", ["a[2]: 3 -> 2"]),
    ])
  func differing(call: String, message: String, differences: [String]) async throws {
    let (code, arguments) = Self.split(call)
    let failure = try await FileRun.failure("expect.error(function() \(code) end\(arguments))")
    #expect(failure.message == "the error differs from the expected one: \(message)")
    #expect(failure.differenceLines == differences)
  }

  @Test(
    "A failed expectation and a mistake in the vocabulary aren't the expected error",
    arguments: ["expect.equal(1, 2)", "expect.eqal(1, 2)", "scenario('x', function() end)"])
  func failures(call: String) async throws {
    #expect(try await FileRun.failures("expect.error(function() \(call) end)").count == 1)
    #expect(try await FileRun.failures("pcall(function() \(call) end)").count == 1)
  }

  @Test(
    "An uncaught error is reported whatever its value",
    arguments: [
      ("error('boo')", "boo"), ("error({a = 1})", "{ a = 1 }"), ("error()", "nil"),
      ("favorites.add(8)", "8 is not prime (not_prime)"),
      ("coroutine.wrap(function() error('boo') end)()", "boo"),
      ("error(setmetatable({}, {__tostring = function() return 'mine' end}))", "mine"),
      ("error(setmetatable({}, {__metatable = 5}))", "{}"),
      ("assert(false, 'asserted')", "asserted"), ("assert(nil)", "assertion failed!"),
    ])
  func uncaught(call: String, message: String) async throws {
    let failure = try await FileRun.failure(call)
    #expect(failure.kind == .error)
    #expect(failure.message == message)
    #expect(failure.location?.line == 1)
  }

  @Test(
    "A failed assert of a comparison says what its sides were",
    arguments: [
      ("assert(counter.count == 3)", "counter.count == 3, but counter.count is 0"),
      (
        "local n = 2 assert(n > counter.count + 5)",
        "n > counter.count + 5, but n is 2 and counter.count + 5 is 5"
      ),
      ("local text = 'a' assert(text == 'b == c')", "text == 'b == c', but text is \"a\""),
      ("local t = { 1 } assert(#t ~= 1)", "#t ~= 1, but #t is 1"),
      ("local n n = 1 n = function() return n end assert(nil == n)", nil),
    ])
  func comparison(code: String, explanation: String?) async throws {
    let failure = try await FileRun.failure(code)
    if let explanation {
      #expect(failure.message == "assertion failed: " + explanation)
    } else {
      #expect(failure.message.hasPrefix("assertion failed: nil == n, but n is function"))
    }
  }

  @Test(
    "A failed assert evaluates nothing again that could change the state",
    arguments: [
      "assert(counter.increment() == 3)", "assert(counter.count == 3 and true)", "assert(false)",
      "assert(not true)", "assert(counter.count == 3) assert(true)",
    ])
  func sideEffects(code: String) async throws {
    #expect(try await FileRun.failure(code).message == "assertion failed!")
  }

  @Test("An error whose message can't be made fails the scenario, too")
  func unspeakable() async throws {
    let failures = try await FileRun.failures(
      "error(setmetatable({}, {__tostring = function(self) error(self) end}))")
    #expect(!failures.isEmpty)
  }

  /// The code of a call, and the arguments after it: they are separated by the comma after the closing parenthesis.
  private static func split(_ call: String) -> (code: String, arguments: String) {
    guard let end = call.range(of: "), ") else { return (call, "") }
    return (call[..<end.lowerBound] + ")", ", " + call[end.upperBound...])
  }
}
