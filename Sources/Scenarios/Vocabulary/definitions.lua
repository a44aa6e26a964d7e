---@meta
-- The vocabulary of scenarios for the Lua language server: the names that scenario files see besides those of the app.
-- It is never run. The files beside it define the names, and a test compares both.

-- MARK: Declarations

---The options of a scenario, a group or `each`.
---@class scenario.options
---@field tags? string[] Labels for `--tags`; those of groups add up.
---@field skip? boolean|string Don't run it; true, or a reason.
---@field todo? boolean|string Its feature isn't built yet, so a failure doesn't count; true, or a reason.
---@field only? boolean Run no scenarios but those marked so.
---@field timeout? number The time limit in seconds of real time, in place of `--timeout`.
---@field exhaustive? boolean Every change must happen within `expect.changes`, `unchanged` or `actions`.

---Declares a scenario: a test that runs in a fresh app, on a virtual clock.
---
---```lua
---scenario("an item is added", { tags = { "todo" } }, function()
---  expect.actions(function() todo.add("milk") end, { 'todo.add("milk")' })
---end)
---```
---@param name string
---@param options? scenario.options
---@param fn? async fun()
---@overload fun(name: string, fn: async fun())
function scenario(name, options, fn) end

---Declares a group, which gives the scenarios in its function a common name, options, `before` and `after`.
---@param name string
---@param options scenario.options
---@param fn fun()
---@overload fun(name: string, fn: fun())
function group(name, options, fn) end

---Runs a function before each scenario of the group, or of the file.
---@param fn async fun()
function before(fn) end

---Runs a function after each scenario of the group, or of the file, even if it failed or timed out.
---@param fn async fun()
function after(fn) end

---Declares a scenario for each case of a table. A case that is a list gives its elements as arguments. In the name, `%s`
---stands for the next element, and `{field}` for a field of the case.
---
---```lua
---each({ { 7, true }, { 8, false } }, "%d is prime: %s", function(number, is_prime)
---  expect.equal(prime.is(number), is_prime)
---end)
---```
---@param cases table
---@param name string
---@param options scenario.options
---@param fn async fun(...: any)
---@overload fun(cases: table, name: string, fn: async fun(...: any))
function each(cases, name, options, fn) end

---The options of a property.
---@class property.options: scenario.options
---@field actions? string[] The features whose functions are called; by default, all.
---@field runs? integer The number of runs; 100 by default.
---@field length? integer The number of actions in each run; 50 by default.
---@field seed? integer The seed of the first run; by default, it follows from the name.
---@field arguments? table<string, fun(): ...> Generators of arguments, by the names of functions and fields.

---The options of a property's run.
---@class property.run_options
---@field checks_failures? boolean Whether an action that fails must change nothing.

---The random actions of a property's run; `#trace` is their number.
---@class property.trace
---@operator len: integer
local trace = {}

---Does the actions; without a call, they are done when the property's function has returned.
---@async
---@param options? property.run_options
function trace:run(options) end

---Repeats the actions in another app.
---
---```lua
---trace:replay(store.new())
---```
---@async
---@param other app
function trace:replay(other) end

---Expects that a saved session with these actions is reopened in the same state.
---@async
function trace:reopen() end

---Declares a property: a scenario that runs many times, each with other random actions.
---
---```lua
---property("undo restores the state", { runs = 20 }, function(trace)
---  local first = store.state()
---  trace:run()
---  store.undo(store.position)
---  expect.equal(store.state(), first)
---end)
---```
---@param name string
---@param options? property.options
---@param fn? async fun(trace: property.trace)
---@overload fun(name: string, fn: async fun(trace: property.trace))
function property(name, options, fn) end

-- MARK: Expectations

---Stands for several values wherever a value is expected, also within tables.
---@class expect.matcher

---Expectations of values, errors, actions and the state.
---@class expect
---@field none expect.matcher Matches nil, such as the expected value of a field that becomes nil.
expect = {}

---Expects the same value; tables and records are compared by their contents.
---@param actual any
---@param expected any
function expect.equal(actual, expected) end

---Expects a number that differs by no more than the tolerance.
---@param actual any
---@param expected number
---@param tolerance? number
function expect.near(actual, expected, tolerance) end

---Expects a value other than nil and false.
---@param value any
function expect.truthy(value) end

---Expects nil or false.
---@param value any
function expect.falsy(value) end

---Expects that a text contains a text, or that a table or list contains a value.
---@param container any
---@param element any
function expect.contains(container, element) end

---Expects that a text matches a Lua pattern.
---@param text any
---@param pattern string
function expect.matches(text, pattern) end

---Expects that a function raises an error: any, one whose message contains or matches a text, or one with fields such as
---`code`. Returns the error.
---
---```lua
---expect.error(function() favorites.add(8) end, { code = "not_prime" })
---```
---@async
---@param fn async fun(...: any): ...
---@param expected? string|table
---@return error
function expect.error(fn, expected) end

---The options of `expect.changes`.
---@class expect.changes.options
---@field partial? boolean Whether other paths may change, too.

---Expects that a function changes these paths to these values, and nothing else. Returns the function's results.
---
---```lua
---expect.changes(function() counter.count = 7 end, { ["counter.count"] = 7 })
---```
---@async
---@param fn async fun(): ...
---@param expected table<string, any>
---@param options? expect.changes.options
---@return any ...
function expect.changes(fn, expected, options) end

---Expects that a function changes nothing. Returns the function's results.
---@async
---@param fn async fun(): ...
---@return any ...
function expect.unchanged(fn) end

---Expects that a function sends these actions, in this order, written as the history shows them. Returns the function's
---results.
---@async
---@param fn async fun(): ...
---@param expected (string|expect.matcher)[]
---@return any ...
function expect.actions(fn, expected) end

---Expects that a function returns a true value within a second, or the given time, of the scenario's clock. Returns the
---value.
---@async
---@param fn async fun(): any
---@param seconds? number
---@return any
function expect.eventually(fn, seconds) end

---Checks a function after every action, undo and redo from now on: it fails if it raises an error or returns false.
---@param fn fun(): boolean?
function expect.invariant(fn) end

---Expects that a spy or a stub was called: at all, a number of times, or with a list of arguments.
---@param called function
---@param expected? integer|any[]
function expect.called(called, expected) end

---Expects the value that a file beside the scenario file has; the first run writes it.
---@param name string
---@param value any
function expect.snapshot(name, value) end

---Matches any value but nil, or any of a type.
---@param kind? "boolean"|"number"|"integer"|"float"|"string"|"table"|"userdata"|"function"|"thread"|"nil"
---@return expect.matcher
function expect.any(kind) end

---Matches a text that matches a Lua pattern.
---@param pattern string
---@return expect.matcher
function expect.like(pattern) end

---Matches a table or record that has these fields, and perhaps others.
---@param fields table
---@return expect.matcher
function expect.having(fields) end

---Matches a value for which a function returns true; failures show the text.
---@param test fun(value: any): any
---@param text? string
---@return expect.matcher
function expect.where(test, text) end

---Checks a function after every action, as `expect.invariant` does.
---@param fn fun(): boolean?
function invariant(fn) end

-- MARK: Stubs, spies, files and time

---Answers in place of the service that a module's function asks: with a value, or by a function. Returns a spy on the
---answers.
---
---```lua
---stub(prime.nth, function(n) return 2 * n end)
---stub(http.get, { status = 200, json = { text = "milk" } })
---```
---@param fn function
---@param answer any
---@return fun(...: any): any
function stub(fn, answer) end

---Makes a function that records its calls, and then calls another one, if any.
---@param fn? async fun(...: any): ...
---@return fun(...: any): any
function spy(fn) end

---The arguments of each call of a spy or a stub, in the order of the calls.
---@param called function
---@return any[][]
function calls(called) end

---Makes a folder for the scenario's files, which is removed when it ends.
---@return string
function tmp() end

---Lets time pass on the scenario's clock: whatever falls due until then happens first.
---@async
---@param seconds number
function clock.advance(seconds) end
