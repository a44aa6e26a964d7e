import Lua
import SampleApp
import StateStore
import Testing
import TestSupport

@testable import Scenarios

@MainActor
@Suite("A pinned expectation")
struct PinnedExpectationTests {
  private let app: AppInLua

  init() throws {
    app = try AppInLua()
  }

  /// Pins what an expression has now.
  private func pinned(_ expression: String) async throws -> PinnedExpectation {
    let value = try await app.run("return \(expression)\n").first ?? .nil
    return try app.session.expectation(of: expression, being: value)
  }

  private func recording(
    _ actions: Range<Int>? = nil, _ expectations: PinnedExpectation...
  ) async throws -> ScenarioRecording {
    try await app.session.scenario(
      named: "x", actions: actions, expectations: expectations)
  }

  /// The messages of the failures of a recorded scenario.
  private func failures(_ recording: ScenarioRecording) async throws -> [String] {
    try await FileRun(recording.text).failures().map(\.message)
  }

  @Test("stands in the scenario after the action at which it was pinned")
  func position() async throws {
    let before = try await pinned("counter.count")
    try await app.run("counter.increment()")
    let first = try await pinned("counter.count")
    try await app.run("counter.increment()")
    let second = try await pinned("counter.count + 0.5")
    let recording = try await recording(nil, second, first, before)
    #expect(
      recording.text == """
        \(ScenarioRecording.firstLine)
        -- Passwords and other secrets are replaced by placeholders.
        scenario("x", function()
          expect.equal(counter.count, 0)
          expect.changes(function() counter.increment() end, { ["counter.count"] = 1 })
          expect.equal(counter.count, 1)
          expect.changes(function() counter.increment() end, { ["counter.count"] = 2 })
          expect.equal(counter.count + 0.5, 2.5)
        end)

        """)
    #expect(recording.actionCount == 2)
    #expect(recording.expectationCount == 3)
    #expect(try await failures(recording) == [])
  }

  @Test(
    "has any value that Lua text can make, exactly",
    arguments: [
      ("nil", "nil"), ("true", "true"), ("math.mininteger", "math.mininteger"),
      ("0.1 + 0.2", "0.30000000000000004"), ("1e15", "1000000000000000.0"), ("-0.0", "-0.0"),
      ("1e300 * 1e10", "math.huge"), ("0/0", "0/0"),
      (#""a\"\\\n\0001\xff\u{9b}\u{202e}é""#, #""a\"\\\n\x001\xff\u{9b}\u{202e}é""#),
      ("{}", "{}"), ("{ 1, nil, 3 }", "{ 1, [3] = 3 }"),
      (
        "{ b = { 1, 2 }, a = 'x', [true] = 1, ['end'] = 2, [-1] = 0, [1.5] = 3 }",
        #"{ [-1] = 0, [1.5] = 3, a = "x", b = { 1, 2 }, ["end"] = 2, [true] = 1 }"#
      ),
      ("json.null", "json.null"), ("{ json.null }", "{ json.null }"),
      ("setmetatable({ 1 }, { __index = { 2 } })", "{ 1 }"),
    ])
  func values(_ expression: String, _ literal: String) async throws {
    let expectation = try await pinned(expression)
    #expect(expectation.value.luaLiteral == literal)
    #expect(try await failures(recording(nil, expectation)) == [])
  }

  @Test("has the fields of live records, lists and modules")
  func liveValues() async throws {
    try await app.run("\(Persons.three) favorites.add(7)")
    let expectations = [
      try await pinned("persons[1]"), try await pinned("persons"), try await pinned("favorites"),
    ]
    #expect(expectations[0].value.luaLiteral == #"{ id = 1, name = "Majid", age = 27 }"#)
    #expect(expectations[2].value.luaLiteral == "{ 7 }")
    let recording = try await recording(nil, expectations[0], expectations[1], expectations[2])
    #expect(
      recording.text.contains(
        #"""
          expect.equal(persons, {
            { id = 1, name = "Majid", age = 27 },
        """#), "\(recording.text)")
    #expect(try await failures(recording) == [])
  }

  @Test(
    "can't have a value that no Lua text makes",
    arguments: LuaCase.pairs(
      """
      print --> it is a function
      counter --> is a function
      { a = { print } } --> its part .a[1] is a function
      coroutine.create(print) --> it is a coroutine
      io.stdout --> it is userdata
      { [{}] = 1 } --> a key that is no plain value
      (function() local t = {} t.me = t return t end)()
      --> its part .me is a table that contains itself
      (function() local t = {} for _ = 1, 200 do t = { t } end return t end)() --> levels deep
      (function() local t = {} for i = 1, 20000 do t[i] = i end return t end)()
      --> more than 10000 values
      ('x'):rep(2000000) --> bytes of text
      setmetatable({}, {
        __pairs = function() return function(_, k) return (k or 0) + 1, 1 end end,
      }) --> more than 10000 values
      """))
  func unpinnable(_ expression: String, _ reason: String) async throws {
    let error = await #expect(throws: RecordingError.self) { try await pinned(expression) }
    #expect(error?.code == "not_pinnable")
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }

  @Test("can't have a value whose own pairs fails")
  func failingPairs() async throws {
    let error = await #expect(throws: LuaError.self) {
      try await pinned("setmetatable({}, { __pairs = function() end })")
    }
    #expect(error?.message.contains("no iterator") == true)
  }

  @Test(
    "needs one expression",
    arguments: [
      "", "1, 2", "1) + (2", "x = 1", "1 --[[", "return 1", "f(", "\u{1B}", "1\r2", "'\u{202E}'",
      "'\u{10FEFF}'",
    ])
  func expressions(_ expression: String) throws {
    let error = #expect(throws: RecordingError.self) {
      try app.session.expectation(of: expression, being: .integer(1))
    }
    #expect(error?.code == "not_pinnable")
  }

  @Test("can have an expression of several lines with comments")
  func longExpression() async throws {
    let expectation = try await pinned("counter.count -- the count\n  + 1 -- one")
    #expect(try await failures(recording(nil, expectation)) == [])
  }

  @Test("never has a password, nor its length")
  func secrets() async throws {
    try await app.run("signup.data.password = 'hunter2'")
    #expect(throws: RecordingError.self) {
      try app.session.expectation(of: "'hunter2' == 'x'", being: .boolean(false))
    }
    let expectation = try await pinned("signup.data.password")
    #expect(!expectation.value.luaLiteral.contains("•"))
    #expect(try await failures(recording(nil, expectation)) == [])
  }

  @Test("holds between a request and its answer")
  func pending() async throws {
    try await app.run("fetching = task.spawn(todo.fetch)")
    let expectation = try await pinned("todo.loading")
    #expect(expectation.value.luaLiteral == "true")
    try await app.clock.waitForSleepers(1)
    app.clock.advance(by: .seconds(2))
    _ = await app.state.finishTasks()
    let later = try await pinned("#todo.items")
    let recording = try await recording(nil, expectation, later)
    #expect(recording.expectationCount == 2)
    #expect(recording.text.contains("expect.equal(todo.loading, true)"))
    #expect(try await failures(recording) == [])
  }

  @Test("that doesn't hold in a fresh app fails the scenario")
  func notReproducible() async throws {
    try await app.run("mine = 5")
    let expectation = try await pinned("mine")
    #expect(try await failures(recording(nil, expectation)) == ["the values differ"])
  }

  @Test("is left out if its action was replaced, or isn't recorded")
  func replaced() async throws {
    try await app.run("counter.increment()")
    let replaced = try await pinned("counter.count")
    try await app.run("store.undo() counter.increment(5)")
    let kept = try await pinned("counter.count")
    try await app.run("counter.increment()")
    let outside = try await pinned("counter.count")
    let recording = try await recording(1..<2, replaced, kept, outside)
    #expect(recording.expectationCount == 1)
    #expect(recording.omittedCount == 2)
    #expect(recording.text.contains("expect.equal(counter.count, 5)"))
  }

  @Test(
    "isn't recorded with actions that the history doesn't have",
    arguments: [0..<1, 1..<5, -3..<2, 9..<9, 5..<6])
  func outOfHistory(_ actions: Range<Int>) async throws {
    try await app.run("for _ = 1, 3 do counter.increment() end")
    await #expect(throws: StoreError.self) { try await recording(actions) }
  }

  @Test("can be recorded without any action")
  func noActions() async throws {
    try await app.run("counter.increment(3)")
    let recording = try await recording(2..<2, try pinned("counter.count"))
    #expect(recording.actionCount == 0)
    #expect(try await failures(recording) == [])
  }
}
