import Foundation
import Lua
import Testing
import TestSupport

/// An error of the host.
private struct Trouble: Error, Equatable {
  let number: Int
}

@MainActor
@Suite("Errors")
struct ErrorTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    fixture.addFail(with: Trouble(number: 42))
    fixture.addLater()
    fixture.addCall()
    fixture.addFailLater(with: Trouble(number: 43))
    fixture.state.describeErrors { error in
      guard let trouble = error as? Trouble else { return nil }
      return LuaErrorDescription(
        code: "trouble", message: "trouble number \(trouble.number)",
        fields: ["number": trouble.number])
    }
    try fixture.install()
  }

  @Test(
    "an uncaught Swift error arrives as the same error, with code, location and traceback")
  func swiftError() throws {
    let error = try fixture.failure("local function inner()\n  host.fail()\nend\ninner()")
    #expect(error.underlying as? Trouble == Trouble(number: 42))
    #expect(error.code == "trouble")
    #expect(error.message == "trouble number 42")
    #expect(error.location == "test:2")
    #expect(error.description == "test:2: trouble number 42")
    let traceback = try #require(error.traceback)
    #expect(
      traceback.contains("test:2: in upvalue 'inner'")
        || traceback.contains("test:2: in local 'inner'"))
    #expect(
      traceback.contains("test:4: in main chunk") || traceback.contains("test:4: in function"))
  }

  @Test("an uncaught Swift error in a task arrives in the same way")
  func swiftErrorInTask() async throws {
    for source in ["\nhost.fail()", "\nhost.failLater()"] {
      let error = try await fixture.failureOfTask(source)
      #expect(error.underlying is Trouble)
      #expect(error.code == "trouble")
      #expect(error.location == "test:2")
      #expect(error.traceback?.contains("test:2: in") == true)
    }
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- pcall gets an object with code, message and fields, that has a text and can be joined
      local ok, err = pcall(function() host.fail() end)
      return ok, type(err), err.code, err.message, err.number, err.location, tostring(err),
        'no: ' .. err, err .. '!', err.other
      --> false userdata trouble trouble number 42 42 test:1 trouble number 42 no: trouble number 42
      --> trouble number 42! nil
      -- an error object with __tostring gives its text
      error(setmetatable({}, {__tostring = function() return 'my text' end})) --> …: my text
      error(setmetatable({}, {__tostring = function() error('worse') end}))
      --> …: (error object whose __tostring failed)
      error(nil) --> …: (error object is a nil value)
      """))
  func scripts(example: LuaCase) throws { try fixture.check(example) }

  @Test("an error raised again by the script is still the same")
  func raisedAgain() throws {
    let error = try fixture.failure("local ok, err = pcall(host.fail) error(err)")
    #expect(error.underlying as? Trouble == Trouble(number: 42))
  }

  @Test("an error without a description has the code \"error\" and its own text")
  func undescribed() throws {
    struct Odd: Error {}
    fixture.addFail(with: Odd())
    try fixture.install()
    let error = try fixture.failure("host.fail()")
    #expect(error.code == "error")
    #expect(error.message == "Odd()")
    #expect(error.underlying is Odd)
  }

  @Test("an error of Foundation's kind has its own words")
  func described() throws {
    struct Described: LocalizedError {
      var errorDescription: String? { "the shop is closed" }
    }
    fixture.addFail(with: Described())
    try fixture.install()
    #expect(try fixture.failure("host.fail()").message == "the shop is closed")
  }

  @Test("a string raised by Lua code begins with its place")
  func luaError() throws {
    let error = try fixture.failure("\nerror('boom')")
    #expect(error.is(.runtime))
    #expect(error.message == "test:2: boom")
    #expect(error.location == "test:2")
    #expect(error.underlying == nil)
    #expect(error.traceback?.hasPrefix("stack traceback:\n") == true)
    #expect(fixture.state.value(of: error) == "test:2: boom")
    #expect(error.localizedDescription == error.description)
  }

  @Test(
    "an error value of any type survives",
    arguments: ["nil", "true", "false", "42", "2.5", "'text'", "print"])
  func errorValues(expression: String) async throws {
    try fixture.call("value = \(expression)")
    let expected: LuaValue = try fixture.state.global("value")
    let synchronous = try fixture.failure("error(value, 0)")
    #expect(fixture.state.value(of: synchronous) == expected)
    let asynchronous = try await fixture.failureOfTask("error(value, 0)")
    #expect(fixture.state.value(of: asynchronous) == expected)
    let passedOn = try fixture.failure("host.call(function() error(value, 0) end)")
    #expect(fixture.state.value(of: passedOn) == expected)
    #expect(
      try fixture.call(
        "local ok, e = pcall(host.call, function() error(value, 0) end) return ok, rawequal(e, value)"
      )
        == [false, true])
  }

  @Test("an error that is a table comes out, and back in, as the same table")
  func tableError() throws {
    let error = try fixture.failure("problem = {code = 7} error(problem)")
    #expect(error.message == "(error object is a table value)")
    let value = try #require(fixture.state.value(of: error))
    try fixture.state.setGlobal("back", to: value)
    #expect(try fixture.call("return rawequal(back, problem)") == [true])
  }

  @Test("a syntax error names chunk and line", arguments: [("x = = 1", 1), ("\n\nfor", 3)])
  func syntax(source: String, line: Int) throws {
    let error = try fixture.failure(source)
    #expect(error.is(.syntax))
    #expect(error.message.hasPrefix("test:\(line): "))
    #expect(try fixture.stackCount == 0)
  }

  @Test(
    "Lua in Swift in Lua: an error at each depth arrives, and the stack is balanced",
    arguments: ["error('deep', 0)", "host.fail()", "host.call(5)", "nothing()"])
  func depths(failing: String) throws {
    let levels = [
      failing, "host.call(function() \(failing) end)",
      "host.call(function() host.call(function() \(failing) end) end)",
    ]
    let expected = try fixture.failure(levels[0])
    for source in levels {
      let error = try fixture.failure(source)
      #expect(error.code == expected.code)
      #expect(error.message == expected.message)
      #expect((error.underlying as? Trouble) == (expected.underlying as? Trouble))
      #expect(try fixture.stackCount == 0)
      #expect(try fixture.call("return select('#', pcall(function() \(source) end))") == [2])
    }
  }

  @Test("the traceback shows the calls on both sides of Swift")
  func joinedTraceback() throws {
    let error = try fixture.failure(
      "local function outer()\n  host.call(function()\n    error('x')\n  end)\nend\nouter()")
    let traceback = try #require(error.traceback)
    #expect(traceback.contains("test:3: in"))
    #expect(traceback.contains("test:6: in"))
  }

  @Test(
    "the traceback of endless recursion has the innermost calls, and the number of the others",
    arguments: [
      "local function f() return 1 + f() end f()",
      "coroutine.wrap(function() local function f() return 1 + f() end f() end)()",
      "host.call(function() local function f() return 1 + f() end f() end)",
    ])
  func endlessRecursion(source: String) async throws {
    let error = try fixture.failure(source)
    #expect(error.message.hasSuffix("stack overflow"))
    let lines = try #require(error.traceback).split(separator: "\n")
    #expect(lines.first == "stack traceback:")
    #expect(lines.dropFirst().prefix(10).allSatisfy { $0 == "\ttest:1: in upvalue 'f'" })
    #expect(lines.dropFirst(11).first?.contains(/^\t\.\.\.\t\(skipping \d+ levels\)$/) == true)
    let errorOfTask = try await fixture.failureOfTask(source)
    #expect(errorOfTask.message.contains("stack overflow"))
    #expect(errorOfTask.traceback?.contains("stack traceback:") == true)
    #expect(try fixture.call("return 1") == [1])
  }

  @Test("tracebacks of equal errors that were caught don't pile up")
  func equalErrors() async throws {
    let error = try await fixture.failureOfTask(
      """
      for i = 1, 3 do
        local t = task.spawn(function() error("same", 0) end)
        pcall(t.await, t)
      end
      local t = task.spawn(function() error("same", 0) end)
      t:await()
      """)
    #expect(error.traceback?.components(separatedBy: "stack traceback:").count == 3)
  }

  @Test("a traceback of an error that was caught isn't shown with another one")
  func staleTraceback() throws {
    let error = try fixture.failure(
      """
      pcall(host.call, function()
        error('first', 0)
      end)
      error('second', 0)
      """)
    #expect(error.traceback?.contains("test:2: in") == false)
  }

  @Test("an error outlives its state, but its value doesn't")
  func afterClose() throws {
    let error = try fixture.failure("error({})")
    fixture.state.close()
    #expect(error.message == "(error object is a table value)")
    #expect(fixture.state.value(of: error) == nil)
  }

  @Test("an error of another state is passed through as a host's error")
  func errorOfAnotherState() throws {
    let other = try LuaState()
    let failing = try other.load("error({})")
    fixture.host.function("foreign") { LuaVariadic(try failing.call()) }
    try fixture.install()
    let error = try fixture.failure("host.foreign()")
    #expect(error.code == "runtime_error")
    #expect(error.message == "(error object is a table value)")
    #expect(other.value(of: error) == nil)
  }

  @Test("an error can be dropped on another thread while the state is used")
  func droppedElsewhere() async throws {
    for _ in 0..<100 {
      let error = try fixture.failure("error({})")
      let task = Task.detached { _ = error }
      try fixture.call("local t = {{}}")
      await task.value
    }
    #expect(try fixture.stackCount == 0)
  }

  @Test("several parts of a host can describe their errors, and the last is called first")
  func descriptions() throws {
    struct Own: Error { let number: Int }
    fixture.host.function("throw", "n") {
      (number: Int) throws -> Void in throw Own(number: number)
    }
    try fixture.install()
    for (code, numbers) in [("first", 1...2), ("second", 2...3)] {
      fixture.state.describeErrors { error in
        guard let error = error as? Own, numbers.contains(error.number) else { return nil }
        return LuaErrorDescription(code: LuaError.Code(rawValue: code), message: "own")
      }
    }
    let codes = try (1...4).map { number in
      try fixture.failure("host.throw(\(number))").code
    }
    #expect(codes == ["first", "second", "second", "error"])
  }
}
