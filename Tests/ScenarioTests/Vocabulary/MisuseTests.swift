import Testing
import TestSupport

@testable import Scenarios

@MainActor
@Suite("Mistakes in the vocabulary")
struct MisuseTests {
  @Test(
    "A wrong call says what the function needs, at its line",
    arguments: LuaCase.list(
      #"""
      -- An unknown name has a suggestion
      expect.eqal(1, 2) --> expect has no function 'eqal'; did you mean 'equal'?
      expect.ouput(print, '') --> expect has no function 'ouput'; did you mean 'output'?
      exepct.equal(1, 2)
      --> attempt to index a nil value (global 'exepct'); did you mean 'expect'?
      conter.increment()
      --> attempt to index a nil value (global 'conter'); did you mean 'counter'?
      -- A word of declarations is known
      feature('cart')
      --> attempt to call a nil value (global 'feature'); features are declared in a file for --app
      -- expect is called by one of its functions
      expect(1)
      --> expect isn't a function: call one of its own, such as expect.equal(actual, expected)
      -- Values have the right types
      expect.equal(1) --> expect.equal needs an actual and an expected value
      expect.equal(expect.any(), 1)
      --> expect.equal needs the actual value first: a matcher stands for the expected one
      expect.near(1, '1') --> expect.near needs the expected number
      expect.near(1, 2, 'x') --> expect.near needs a tolerance of 0 or more, not "x"
      expect.contains(3, 2) --> expect.contains needs a string, a table or a list, not a number
      expect.contains('3', 2) --> expect.contains needs a string to look for in a string
      expect.matches('a', 1) --> expect.matches needs a Lua pattern, not a number
      expect.matches('a', 'a[')
      --> expect.matches needs a Lua pattern: malformed pattern (missing ']')
      expect.error(42) --> expect.error needs a function, not a number
      expect.error(function() end, 3)
      --> expect.error needs a text, a pattern, or a table of fields, not a number
      expect.snapshot('x') --> expect.snapshot needs a name and a value
      expect.snapshot('', 1) --> expect.snapshot needs a name and a value
      -- Changes have paths of the state
      expect.changes(nil, {}) --> expect.changes needs a function, not nil
      expect.changes(function() end) --> expect.changes needs a table from paths to values
      expect.changes(function() end, {1}) --> expect.changes needs paths as keys, not a number
      expect.changes(function() end, {['counter.cuont'] = 1})
      --> the state has nothing at "counter.cuont"; did you mean "counter.count"?
      expect.changes(function() end, {['\xff'] = 1}) --> the state has nothing at "\xff"…
      -- A position has one form
      expect.changes(function() favorites.add(2) end, {['favorites[01]'] = 2})
      --> the state has nothing at "favorites[01]"…
      -- The whole state is no path: everything would be mentioned
      expect.changes(function() end, {[''] = 1}) --> the state has nothing at ""…
      -- Options are known
      expect.changes(function() end, {}, {partail = true})
      --> expect.changes has no option 'partail'; did you mean 'partial'?
      expect.changes(function() end, {}, 'partial')
      --> the options of expect.changes are a table, not a string
      -- Actions and times have a form
      expect.actions(function() end, 'x') --> expect.actions needs a list of actions as texts
      expect.eventually(function() end, 0/0)
      --> expect.eventually needs 0 to 86400 seconds, not 0/0
      -- Spies come from spy or stub
      expect.called(print) --> expect.called needs what spy or stub returned
      expect.called(spy(), 'once')
      --> expect.called needs a number of calls, or a table of arguments, not a string
      calls(print) --> calls needs what spy or stub returned
      spy(3) --> spy needs a function, or nothing, not a number
      -- Matchers describe the expected value
      expect.any('strng')
      --> expect.any needs the name of a type, such as "string" or "integer", not "strng"
      expect.like(3) --> expect.like needs a Lua pattern, not a number
      expect.like('abc', 'a.c') --> expect.like stands for an expected value
      --> and takes no actual one: expect.matches(actual, pattern) compares
      expect.having(3) --> expect.having needs a table of fields, not a number
      expect.having({a = 1}, {a = 2}) --> expect.having stands for an expected value
      --> and takes no actual one: expect.equal(actual, expect.having(...)) compares
      expect.where('x') --> expect.where needs a function, not a string
      -- Stubs are of functions that ask services
      stub(nil, print)
      --> stub needs a function of a module, and an answer or the function that answers instead
      stub(todo.add, function() end) --> this function asks no service: these do: …
      oracle.stub(3) --> oracle.stub needs a function, or a table from questions to answers
      -- Declarations stand beside scenarios
      scenario('x', function() end)
      --> a scenario inside a scenario: declare it beside the others
      group('x', function() end) --> a group inside a scenario: declare it beside the others
      before(function() end) --> before inside a scenario: declare it beside the others
      after(function() end) --> after inside a scenario: declare it beside the others
      each({1}, 'x', function() end) --> each inside a scenario: declare it beside the others
      property('x', {}) --> a property inside a scenario: declare it beside the others
      """#))
  func wrongCall(example: LuaCase) async throws {
    let failure = try await FileRun.failure("\n\(example.code)")
    #expect(failure.kind == .error)
    #expect(example.allows(failure.message), "\(failure.message)")
    #expect(failure.location?.line == 2)
  }

  @Test(
    "Outside a scenario, expectations and their like are errors of the file, with its line",
    arguments: LuaCase.pairs(
      """
      expect.equal(1, 1) --> expect.equal outside a scenario: call it in a scenario's function
      expect.truthy(1) --> expect.truthy outside a scenario: call it in a scenario's function
      tmp() --> tmp outside a scenario: call it in a scenario's function, or in before
      stub(todo.fetch, print)
      --> stub outside a scenario: call it in a scenario's function, or in before
      oracle.stub({})
      --> oracle.stub outside a scenario: call it in a scenario's function, or in before
      """))
  func outside(call: String, message: String) async throws {
    let problem = try await FileRun("\n\n\(call)").list().problem
    #expect(problem?.message == message)
    #expect(problem?.location?.line == 3)
    #expect(problem?.location?.text == call)
  }
}
