package import Scripting

extension SignatureTable {
  /// The vocabulary of scenarios: what scenario files see besides the app's modules.
  ///
  /// A test compares it with the words that the files in Lua define.
  package static func ofScenarios(stubbable: [String]) -> SignatureTable {
    let stubs = StubbableFunctions(stubbable).modules.map { "module \($0)\n\(stub)" }
    return SignatureTable(([words] + stubs).joined(separator: "\n"))
  }

  private static let stub = """
      stub(answer: table|async fun(...: any): any): fun(...: any): any | Answers in place of all services that functions \
    of the module ask: a function, or a table from questions to answers. Returns a spy on the answers.
    """

  private static let words = """
    class scenario.options | The options of a scenario, a group or `each`.
      tags?: string[] | Labels for `--tags`; those of groups add up.
      skip?: boolean|string | Don't run it; true, or a reason.
      todo?: boolean|string | Its feature isn't built yet, so a failure doesn't count; true, or a reason.
      only?: boolean | Run no scenarios but those marked so.
      timeout?: number | The time limit in seconds of real time, in place of `--timeout`.
      exhaustive?: boolean | Every change must happen within `expect.changes`, `unchanged` or `actions`.
    scenario(name: string, [options: scenario.options], [fn: async fun()]) | Declares a scenario: a test that runs in a \
    fresh app, on a virtual clock.
      or (name: string, fn: async fun())
      scenario("an item is added", { tags = { "todo" } }, function()
        expect.actions(function() todo.add("milk") end, { 'todo.add("milk")' })
      end)
    group(name: string, options: scenario.options, fn: fun()) | Declares a group, which gives the scenarios in its function \
    a common name, options, `before` and `after`.
      or (name: string, fn: fun())
    before(fn: async fun()) | Runs a function before each scenario of the group, or of the file.
    after(fn: async fun()) | Runs a function after each scenario of the group, or of the file, even if it failed or timed \
    out.
    each(cases: table, name: string, options: scenario.options, fn: async fun(...: any)) | Declares a scenario for each \
    case of a table. A case that is a list gives its elements as arguments. In the name, `%s` stands for the next element, \
    and `{field}` for a field of the case.
      or (cases: table, name: string, fn: async fun(...: any))
      each({ { 7, true }, { 8, false } }, "%d is prime: %s", function(number, is_prime)
        expect.equal(prime.is(number), is_prime)
      end)

    class property.options: scenario.options | The options of a property.
      actions?: string[] | The features whose functions are called; by default, all.
      runs?: integer | The number of runs; 100 by default.
      length?: integer | The number of actions in each run; 50 by default.
      seed?: integer | The seed of the first run; by default, it follows from the name.
      arguments?: table<string, fun(): ...> | Generators of arguments, by the names of functions and fields.
    class property.run_options | The options of a property's run.
      checks_failures?: boolean | Whether an action that fails must change nothing.
    class property.trace | The random actions of a property's run; `#trace` is their number.
      async run([options: property.run_options]) | Does the actions; without a call, they are done when the property's \
    function has returned.
      async replay(other: app) | Repeats the actions in another app.
        trace:replay(store.new())
      async reopen() | Expects that a saved session with these actions is reopened in the same state.
    property(name: string, [options: property.options], [fn: async fun(trace: property.trace)]) | Declares a property: a \
    scenario that runs many times, each with other random actions.
      or (name: string, fn: async fun(trace: property.trace))
      property("undo restores the state", { runs = 20 }, function(trace)
        local first = store.state()
        trace:run()
        store.undo(store.position)
        expect.equal(store.state(), first)
      end)

    class expect.matcher | Stands for several values wherever a value is expected, also within tables.
    class expect.changes.options | The options of `expect.changes`.
      partial?: boolean | Whether other paths may change, too.
    global expect | Expectations of values, errors, actions and the state.
      none: expect.matcher | Matches nil, such as the expected value of a field that becomes nil.
      equal(actual: any, expected: any) | Expects the same value; tables and records are compared by their contents.
      near(actual: any, expected: number, [tolerance: number]) | Expects a number that differs by no more than the tolerance.
      truthy(value: any) | Expects a value other than nil and false.
      falsy(value: any) | Expects nil or false.
      contains(container: any, element: any) | Expects that a text contains a text, or that a table or list contains a value.
      matches(text: any, pattern: string) | Expects that a text matches a Lua pattern.
      async error(fn: async fun(...: any): ..., [expected: string|table]): error | Expects that a function raises an error: \
    any, one whose message contains or matches a text, or one with fields such as `code`. Returns the error.
        expect.error(function() favorites.add(8) end, { code = "not_prime" })
      async changes(fn: async fun(): ..., expected: table<string, any>, [options: expect.changes.options]): any... | Expects \
    that a function changes these paths to these values, and nothing else. Returns the function's results.
        expect.changes(function() counter.count = 7 end, { ["counter.count"] = 7 })
      async unchanged(fn: async fun(): ...): any... | Expects that a function changes nothing. Returns the function's results.
      async actions(fn: async fun(): ..., expected: (string|expect.matcher)[]): any... | Expects that a function sends these \
    actions, in this order, written as the history shows them. Returns the function's results.
      async output(fn: async fun(): ..., expected: string): any... | Expects that a function prints a text: as a part of its \
    output, or by a Lua pattern; with "", nothing. Returns the function's results.
        expect.output(function() show(todo.items) end, "milk")
      async eventually(fn: async fun(): any, [seconds: number]): any | Expects that a function returns a true value within a \
    second, or the given time, of the scenario's clock. Returns the value.
      invariant(fn: fun(): boolean?) | Checks a function after every action, undo and redo from now on: it fails if it \
    raises an error or returns false.
      called(called: function, [expected: integer|any[]]) | Expects that a spy or a stub was called: at all, a number of \
    times, or with a list of arguments.
      snapshot(name: string, value: any) | Expects the value that a file beside the scenario file has; the first run writes \
    it.
      any([kind: "boolean"|"number"|"integer"|"float"|"string"|"table"|"userdata"|"function"|"thread"|"nil"]): \
    expect.matcher | Matches any value but nil, or any of a type.
      like(pattern: string): expect.matcher | Matches a text that matches a Lua pattern.
      having(fields: table): expect.matcher | Matches a table or record that has these fields, and perhaps others.
      where(test: fun(value: any): any, [text: string]): expect.matcher | Matches a value for which a function returns true; \
    failures show the text.
    invariant(fn: fun(): boolean?) | Checks a function after every action, as `expect.invariant` does.

    stub(fn: function, answer: any): fun(...: any): any | Answers in place of the service that a module's function asks: \
    with a value, or by a function. Returns a spy on the answers.
      stub(prime.nth, function(n) return 2 * n end)
      stub(http.get, { status = 200, json = { text = "milk" } })
    spy([fn: async fun(...: any): ...]): fun(...: any): any | Makes a function that records its calls, and then calls \
    another one, if any.
    calls(called: function): any[][] | The arguments of each call of a spy or a stub, in the order of the calls.
    tmp(): string | Makes a folder for the scenario's files, which is removed when it ends.
    module clock
      async advance(seconds: number) | Lets time pass on the scenario's clock: whatever falls due until then happens first.
    """
}
