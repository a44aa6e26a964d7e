import Testing
import TestSupport

@testable import Scenarios

@MainActor
@Suite("Declarations of scenarios")
struct DeclarationTests {
  private func scenarios(_ source: String) async throws -> [ScenarioDescription] {
    let listed = try await FileRun(source).list()
    #expect(listed.problem == nil)
    return listed.scenarios
  }

  @Test("A scenario has a name, a line, and the tags and names of its groups")
  func groups() async throws {
    let scenarios = try await scenarios(
      """
      group("g", { tags = { "x", "y" } }, function()
        group("h", function()
          scenario("s", { tags = { "y", "z" } }, function() end)
        end)
      end)
      scenario("t", function() end)
      """)
    #expect(scenarios.map(\.fullName) == ["g > h > s", "t"])
    #expect(scenarios.map(\.line) == [3, 6])
    #expect(scenarios.map(\.tags) == [["x", "y", "z"], []])
  }

  @Test("Options of a group hold for its scenarios, unless they have their own")
  func inheritedOptions() async throws {
    let scenarios = try await scenarios(
      """
      group("g", { skip = "slow", timeout = 5, only = true }, function()
        scenario("a", function() end)
        scenario("b", { skip = false, timeout = 1, only = false }, function() end)
      end)
      """)
    #expect(scenarios.map(\.mode) == [.skip, .run])
    #expect(scenarios.map(\.reason) == ["slow", nil])
    #expect(scenarios.map(\.timeLimit) == [5, 1])
    #expect(scenarios.map(\.isOnly) == [true, false])
  }

  @Test("A scenario without a function is one only with todo")
  func todo() async throws {
    let scenarios = try await scenarios(
      "scenario('a', {todo = 'later'}, function() end) scenario('b', {todo = true}) scenario('c')")
    #expect(scenarios.map(\.mode) == [.todo, .todo, .invalid])
    #expect(scenarios.map(\.reason) == ["later", nil, "a scenario needs a function"])
  }

  @Test("A todo without a function doesn't pass")
  func emptyTodo() async throws {
    let ended = try await FileRun("scenario('a', {todo = true})").run("a")
    #expect(ended.failures?.map(\.message) == ["it has no function yet"])
  }

  @Test(
    "A wrong declaration makes a scenario invalid; the others are declared",
    arguments: LuaCase.list(
      #"""
      -- by options of a scenario
      scenario('x', {tagz = {}}, print) --> a scenario has no option 'tagz'; did you mean 'tags'?
      scenario('x', {timeout = 'x'}, print) --> the option timeout is a number, not a string
      scenario('x', {timeout = -1}, print)
      --> the option timeout is a number of seconds above 0 and below 1000000
      scenario('x', {timeout = 0/0}, print)
      --> the option timeout is a number of seconds above 0 and below 1000000
      scenario('x', {timeout = 1e18}, print)
      --> the option timeout is a number of seconds above 0 and below 1000000
      scenario('x', {tags = {1}}, print) --> tags are strings, not a number
      scenario('x', {tags = {'a,b'}}, print)
      --> the tag "a,b" can't be chosen: it is empty, begins with -, or has a comma
      scenario('x', {tags = 'x'}, print) --> the option tags is a table, not a string
      scenario('x', {only = 'x'}, print) --> the option only is a boolean, not a string
      scenario('x', {skip = 1}, print) --> the option skip is true, or a reason, not a number
      scenario('x', {exhaustive = 1}, print)
      --> the option exhaustive is a boolean, not a number
      -- by options of a property
      property('x', {runs = 0}) --> the option runs is a whole number above 0, not 0
      property('x', {runz = 1}) --> a property has no option 'runz'; did you mean 'runs'?
      property('x', {actions = {}})
      --> the option actions is a list of modules' names, such as { "counter" }
      property('x', {arguments = {['counter.add'] = print}, actions = {'counter'}})
      --> the option arguments: no function is called 'counter.add': it has counter.count,
      --> counter.increment, counter.ask_is_prime, counter.dismiss_modal, counter.ask_nth_prime
      property('x', {arguments = {['counter.increment'] = 3}})
      --> the option arguments: the generator of counter.increment is a function, not a number
      property('x', {actions = {'cuonter'}})
      --> no feature is called 'cuonter'; did you mean 'counter'?
      -- by the name of another one
      scenario('a', print)
      scenario('a', print) --> another scenario has this name, at line 2: give each its own
      -- by a name with an address, which differs each time
      scenario('case ' .. tostring({}), print) --> the name has an address in memory,
      --> which differs each time the file runs: choose another name
      each({print}, '%s', print) --> the name has an address in memory,
      --> which differs each time the file runs: choose another name
      """#))
  func mistakes(example: LuaCase) async throws {
    let scenarios = try await scenarios("scenario('ok', print)\n" + example.code)
    #expect(scenarios.first?.mode == .run)
    #expect(scenarios.last?.mode == .invalid)
    #expect(scenarios.last?.reason == example.result)
  }

  @Test(
    "Scenarios have names",
    arguments: LuaCase.list(
      #"""
      -- of any bytes, shown with escapes
      scenario('\xff\0\27[31m', print) --> \xff\x00\x1b[31m
      -- with the values, the fields, or the key of a case
      each({1, 'x'}, 'is %s', print) --> is 1, is x
      each({{1, 2}}, '%d and %d', print) --> 1 and 2
      each({{a = 1, b = 'q'}}, '{a} {b} {c}', print) --> 1 q {c}
      each({x = 1, y = 2}, 'n', print) --> n [x], n [y]
      each({'a', 'b'}, 'all', print) --> all [1], all [2]
      each({{{1}}}, 'list %s', print) --> list { 1 }
      each({{a = '50%s'}}, 'field {a}', print) --> field 50%s
      each({5}, '100%% of %d', print) --> 100% of 5
      each({5}, '100%%', print) --> 100% [1]
      each({{a = '%d', 7}}, '{a} %d', print) --> %d 7
      each({}, 'none', print) scenario('last', print) --> last
      -- in the order of the keys of cases: numbers, strings, booleans, others
      each({[{2}] = 1, [{1}] = 1, [true] = 1, [false] = 1, b = 1, a = 1, [2.5] = 1, [-1] = 1,
        [10] = 1}, 'n', print)
      --> n [-1], n [2.5], n [10], n [a], n [b], n [false], n [true], n [{ 1 }], n [{ 2 }]
      """#))
  func names(example: LuaCase) async throws {
    let names = try await scenarios(example.code).map(\.name)
    #expect(names.joined(separator: ", ") == example.result)
  }

  @Test(
    "Scenarios are found by their names, however the file comes to declare them",
    arguments: [
      "for name, n in pairs(numbers) do scenario(name, function() expect.equal(n, numbers[name]) end) end",
      """
      local cases = {}
      for name, n in pairs(numbers) do cases[#cases + 1] = {name, n} end
      each(cases, "%s", function(name, n) expect.equal(n, numbers[name]) end)
      """,
      """
      local cases = {}
      for name, n in pairs(numbers) do cases[{name = name}] = {name, n} end
      group("cases", function()
        each(cases, "%s", function(name, n) expect.equal(n, numbers[name]) end)
      end)
      """,
      "for _ = 1, 9 do scenario('random ' .. math.random(1e9), function() end) end",
      "each({'\\n', '\\xff', ('x'):rep(2000)}, 'bytes %s', function() end)",
    ])
  func foundByName(source: String) async throws {
    let run = try FileRun(
      "local numbers = {} for n = 1, 40 do numbers['number ' .. n] = n end\n" + source)
    for scenario in await run.list().scenarios {
      #expect(scenario.mode == .run)
      #expect(await run.run(scenario).failures == nil)
    }
  }

  @Test("To run a case, no other case is named: a long table would take long")
  func oneName() async throws {
    let run = try FileRun(
      """
      local cases, named = {}, 0
      for n = 1, 9 do
        cases[n] = setmetatable({}, {__index = function(_, field) named = named + 1 return n end})
      end
      each(cases, "case {n}", function(case) expect.equal(named, 1) end)
      """)
    #expect(try await run.run("case 7").failures == nil)
  }

  @Test(
    "A file that can't be loaded says why, and where",
    arguments: LuaCase.list(
      """
      -- code that isn't Lua, or fails
      local x = = 1 --> line 1: unexpected symbol near '='
      local x
      error('boo') --> line 2: boo
      local x
      local none = require('none') --> line 2: module 'none' not found:…
      -- no scenario
      local x --> the file declares no scenario: call scenario(name, function)
      -- wrong calls
      scenario(1, print) --> line 1: scenario needs a name, options if any, and a function
      scenario('x', 1) --> line 1: scenario needs a name, options if any, and a function
      group('x', {skp = 1}, print) --> line 1: a group has no option 'skp'; did you mean 'skip'?
      group('x') --> line 1: group needs a name, options if any, and a function
      before(1) --> line 1: before needs a function
      after() --> line 1: after needs a function
      each(1, 'x', print)
      --> line 1: each needs a table of cases, a name, options if any, and a function
      property('x', 1)
      --> line 1: property needs a name, options if any, and a function that gets the trace
      """))
  func unloadable(example: LuaCase) async throws {
    let problem = try #require(try await FileRun(example.code).list().problem)
    let place = problem.location.map { "line \($0.line): " } ?? ""
    #expect(example.allows(place + problem.message), "\(problem)")
  }

  @Test("An error in a module names the module's line")
  func moduleError() async throws {
    let run = try FileRun("require('broken')")
    let path = try run.folder.write("\n\nerror('in module')", to: "broken.lua")
    let problem = await run.list().problem
    #expect(problem?.location?.file == path)
    #expect(problem?.location?.line == 3)
    #expect(problem?.message == "in module")
  }

  @Test("Modules beside the file are found, and those that can't be loaded are known, too")
  func modules() async throws {
    let run = try FileRun(
      "require('good') pcall(require, 'bad') pcall(require, 'none') scenario('x', function() end)")
    let good = try run.folder.write("return 1", to: "good.lua")
    let bad = try run.folder.write("not Lua", to: "bad.lua")
    let modules = await Set(run.list().modules)
    #expect(modules.isSuperset(of: [good, bad]))
    // Where the missing one may be, for --watch.
    #expect(modules.contains(run.folder.path(of: "none.lua")))
  }

  @Test("An error in a group's function that the file catches doesn't leave the group open")
  func failedGroup() async throws {
    let scenarios = try await scenarios(
      "pcall(group, 'g', function() error('x') end) scenario('a', function() end)")
    #expect(scenarios.map(\.fullName) == ["a"])
  }
}
