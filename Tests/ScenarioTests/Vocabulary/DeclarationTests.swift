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

  /// The message of the only scenario, which is declared wrongly.
  private func mistake(_ source: String) async throws -> String? {
    let scenario = try await scenarios(source).last
    return scenario?.mode == .invalid ? scenario?.reason : nil
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
    "Wrong options make a scenario invalid; the others are declared",
    arguments: [
      ("{tagz = {}}", "a scenario has no option 'tagz'; did you mean 'tags'?"),
      ("{timeout = 'x'}", "the option timeout is a number, not a string"),
      ("{timeout = -1}", "the option timeout is a number of seconds above 0 and below 1000000"),
      ("{timeout = 0/0}", "the option timeout is a number of seconds above 0 and below 1000000"),
      ("{timeout = 1e18}", "the option timeout is a number of seconds above 0 and below 1000000"),
      ("{tags = {1}}", "tags are strings, not a number"),
      (
        "{tags = {'a,b'}}",
        "the tag \"a,b\" can't be chosen: it is empty, begins with -, or has a comma"
      ),
      ("{tags = 'x'}", "the option tags is a table, not a string"),
      ("{only = 'x'}", "the option only is a boolean, not a string"),
      ("{skip = 1}", "the option skip is true, or a reason, not a number"),
      ("{exhaustive = 1}", "the option exhaustive is a boolean, not a number"),
    ])
  func wrongOptions(options: String, message: String) async throws {
    let source = "scenario('ok', function() end) scenario('bad', \(options), function() end)"
    #expect(try await mistake(source) == message)
  }

  @Test("The second of two scenarios of one name is invalid")
  func duplicates() async throws {
    let source = "scenario('a', function() end)\nscenario('a', function() end)"
    #expect(
      try await mistake(source)
        == "another scenario has this name, at line 1: give each its own")
  }

  @Test("Names of any bytes are shown with escapes")
  func binaryName() async throws {
    let scenarios = try await scenarios("scenario('\\xff\\0\\27[31m', function() end)")
    #expect(scenarios.map(\.name) == ["\\xff\\x00\\x1b[31m"])
  }

  @Test(
    "The name of a case has its values, its fields, or its key",
    arguments: [
      ("{1, 'x'}, 'is %s'", ["is 1", "is x"]), ("{{1, 2}}, '%d and %d'", ["1 and 2"]),
      ("{{a = 1, b = 'q'}}, '{a} {b} {c}'", ["1 q {c}"]),
      ("{x = 1, y = 2}, 'n'", ["n [x]", "n [y]"]),
      ("{'a', 'b'}, 'all'", ["all [1]", "all [2]"]), ("{{{1}}}, 'list %s'", ["list { 1 }"]),
      ("{{a = '50%s'}}, 'field {a}'", ["field 50%s"]), ("{5}, '100%% of %d'", ["100% of 5"]),
      ("{5}, '100%%'", ["100% [1]"]), ("{{a = '%d', 7}}, '{a} %d'", ["%d 7"]),
      ("{}, 'none'", []),
    ])
  func caseNames(arguments: String, names: [String]) async throws {
    let source = "each(\(arguments), function() end) scenario('last', function() end)"
    #expect(try await scenarios(source).map(\.name) == names + ["last"])
  }

  @Test("The function of each gets the values of a case, or the case itself")
  func cases() async throws {
    let run = try FileRun(
      """
      each({{1, 2}}, "list", function(a, b) expect.equal({a, b}, {1, 2}) end)
      each({{x = 3}}, "fields", function(case) expect.equal(case, {x = 3}) end)
      each({4}, "value", function(value) expect.equal(value, 4) end)
      """)
    for name in ["list [1]", "fields [1]", "value [1]"] {
      #expect(try await run.run(name).failures == nil)
    }
  }

  @Test(
    "Wrong options make a property invalid; the scenarios are declared",
    arguments: [
      ("property('x', {runs = 0})", "the option runs is a whole number above 0, not 0"),
      ("property('x', {runz = 1})", "a property has no option 'runz'; did you mean 'runs'?"),
      (
        "property('x', {actions = {}})",
        "the option actions is a list of modules' names, such as { \"counter\" }"
      ),
      (
        "property('x', {arguments = {['counter.add'] = print}, actions = {'counter'}})",
        "the option arguments: no function is called 'counter.add': it has counter.count, counter.increment, "
          + "counter.ask_is_prime, counter.dismiss_modal, counter.ask_nth_prime"
      ),
      (
        "property('x', {arguments = {['counter.increment'] = 3}})",
        "the option arguments: the generator of counter.increment is a function, not a number"
      ),
      (
        "property('x', {actions = {'cuonter'}})",
        "no feature is called 'cuonter'; did you mean 'counter'?"
      ),
    ])
  func wrongPropertyOptions(source: String, message: String) async throws {
    #expect(try await mistake("scenario('ok', function() end) " + source) == message)
  }

  @Test("The cases of a table come in the order of its keys: numbers, strings, booleans, others")
  func caseOrder() async throws {
    let source = """
      each({[{2}] = 1, [{1}] = 1, [true] = 1, [false] = 1, b = 1, a = 1, [2.5] = 1, [-1] = 1, [10] = 1}, "n",
        function() end)
      """
    #expect(
      try await scenarios(source).map(\.name) == [
        "n [-1]", "n [2.5]", "n [10]", "n [a]", "n [b]", "n [false]", "n [true]", "n [{ 1 }]",
        "n [{ 2 }]",
      ])
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
    "A name with an address, which differs each time, makes a scenario invalid",
    arguments: [
      "scenario('case ' .. tostring({}), function() end)", "each({print}, '%s', function() end)",
    ])
  func addresses(source: String) async throws {
    #expect(
      try await mistake(source)
        == "the name has an address in memory, which differs each time the file runs: choose another name"
    )
  }

  @Test(
    "A file that can't be loaded says why, and where",
    arguments: [
      ("\nlocal x = = 1", "unexpected symbol near '='", 2),
      ("\n\nerror('boo')", "boo", 3),
      ("-- nothing", "the file declares no scenario: call scenario(name, function)", nil),
      ("scenario(1, function() end)", "scenario needs a name, options if any, and a function", 1),
      ("scenario('x', 1)", "scenario needs a name, options if any, and a function", 1),
      (
        "group('x', {skp = 1}, function() end)",
        "a group has no option 'skp'; did you mean 'skip'?", 1
      ),
      ("group('x')", "group needs a name, options if any, and a function", 1),
      ("before(1)", "before needs a function", 1), ("after()", "after needs a function", 1),
      (
        "each(1, 'x', print)",
        "each needs a table of cases, a name, options if any, and a function", 1
      ),
      (
        "property('x', 1)",
        "property needs a name, options if any, and a function that gets the trace", 1
      ),
    ] as [(String, String, Int?)])
  func unloadable(source: String, message: String, line: Int?) async throws {
    let problem = try await FileRun(source).list().problem
    #expect(problem?.message == message)
    #expect(problem?.location?.line == line)
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

  @Test("A missing module is reported at the line that requires it")
  func missingModule() async throws {
    let problem = try await FileRun("\nlocal none = require('none')").list().problem
    #expect(problem?.location?.line == 2)
    #expect(problem?.message.hasPrefix("module 'none' not found:") == true)
  }

  @Test("An error in a group's function that the file catches doesn't leave the group open")
  func failedGroup() async throws {
    let scenarios = try await scenarios(
      "pcall(group, 'g', function() error('x') end) scenario('a', function() end)")
    #expect(scenarios.map(\.fullName) == ["a"])
  }
}
