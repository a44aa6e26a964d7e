-- Expectations of values, errors, actions and the state.
local host, vocabulary, values = ...

-- Files can replace the globals.
local error, ipairs, pairs, pcall, print, rawset = error, ipairs, pairs, pcall, print, rawset
local select, setmetatable, tostring, type, math_type = select, setmetatable, tostring, type, math.type
local find, format, gmatch, sub = string.find, string.format, string.gmatch, string.sub
local abs, huge, max = math.abs, math.huge, math.max
local concat, pack, sort, unpack = table.concat, table.pack, table.sort, table.unpack
local inspect, sleep = inspect, task.sleep
local compare, contents, differ, differences_of = values.compare, values.contents, values.differ, values.differences_of
local is_matcher, kind_of, matcher, show, text_of = values.is_matcher, values.kind_of, values.matcher, values.show, values.text_of
local fail, misuse, is_running = vocabulary.fail, vocabulary.misuse, vocabulary.is_running
local is_failure, message_of, metatable_of = vocabulary.is_failure, vocabulary.message_of, vocabulary.metatable_of

local expect = {}

-- MARK: Values

local function check_running(name)
  if not is_running() then
    misuse(format("expect.%s outside a scenario: call it in a scenario's function", name))
  end
end

local function check_function(fn, name)
  check_running(name)
  if type(fn) ~= "function" and not (metatable_of(fn) or {}).__call then
    misuse(format("expect.%s needs a function, not %s", name, kind_of(fn)))
  end
end

function expect.equal(actual, ...)
  local expected = ...
  if actual == expected and actual ~= nil and is_running() then return end
  check_running("equal")
  if select("#", ...) == 0 then misuse("expect.equal needs an actual and an expected value") end
  if is_matcher(actual) and not is_matcher(expected) then
    misuse("expect.equal needs the actual value first: a matcher stands for the expected one")
  end
  local differences = differences_of(expected, actual)
  if #differences > 0 then
    local count = #differences
    fail("expectation", count == 1 and "the values differ" or format("the values differ in %d places", count), differences)
  end
end

-- Whether two numbers differ by no more than a tolerance.
local function is_near(a, b, tolerance)
  -- Compared exactly, as floats would round large integers.
  if a == b or tolerance == 0 then return a == b end
  local difference = abs(a - (b + 0.0))
  return difference <= tolerance and difference < huge
end

function expect.near(actual, expected, tolerance)
  check_running("near")
  if type(expected) ~= "number" then misuse("expect.near needs the expected number") end
  if tolerance ~= nil and not (type(tolerance) == "number" and tolerance >= 0) then
    misuse("expect.near needs a tolerance of 0 or more, not " .. show(tolerance))
  end
  tolerance = tolerance or 1e-9 * max(1, abs(expected + 0.0))
  if type(actual) ~= "number" or not is_near(actual, expected, tolerance) then
    fail("expectation", format("the number isn't within %s of the expected one", inspect(tolerance)), differences_of(
      matcher(show(expected), function() return false end), actual))
  end
end

function expect.truthy(value)
  check_running("truthy")
  if not value then fail("expectation", format("expected a value other than nil and false, got %s", tostring(value))) end
end

function expect.falsy(value)
  check_running("falsy")
  if value then fail("expectation", format("expected nil or false, got %s", show(value))) end
end

function expect.contains(container, element)
  check_running("contains")
  if type(container) == "string" then
    if type(element) ~= "string" then misuse("expect.contains needs a string to look for in a string") end
    if find(container, element, 1, true) then return end
    return fail("expectation", format("%s doesn't contain %s", show(container), show(element)))
  end
  local fields = contents(container)
  if not fields then misuse("expect.contains needs a string, a table or a list, not " .. kind_of(container)) end
  for _, value in pairs(fields) do
    if #differences_of(element, value) == 0 then return end
  end
  fail("expectation", format("%s doesn't contain %s", show(container), text_of(element)))
end

function expect.matches(text, pattern)
  check_running("matches")
  if not values.matches(text, pattern, "matches") then
    fail("expectation", format("%s doesn't match the pattern %s", show(text), show(pattern)))
  end
end

-- MARK: Errors

local function error_differences(problem, expected)
  if type(expected) == "string" then
    local message = tostring(problem)
    local ok, found = pcall(find, message, expected)
    if find(message, expected, 1, true) or (ok and found) then return {} end
    return differences_of(expected, message)
  end
  if is_matcher(expected) then return differences_of(expected, problem) end
  local differences, fields = {}, {}
  for field in pairs(expected) do fields[#fields + 1] = field end
  sort(fields, values.before)
  for _, field in ipairs(fields) do
    local value, actual = expected[field]
    if type(problem) == "table" or type(problem) == "userdata" then
      local ok, found = pcall(function() return problem[field] end)
      actual = ok and found or nil
    elseif field == "message" then
      actual = problem
    end
    compare(value, actual, { "", field }, differences, {})
  end
  return differences
end

-- Expects a function to raise an error: any, one whose message contains or matches a string, or one with fields.
function expect.error(fn, expected)
  check_function(fn, "error")
  if expected ~= nil and type(expected) ~= "string" and type(expected) ~= "table" then
    misuse("expect.error needs a text, a pattern, or a table of fields, not " .. kind_of(expected))
  end
  local results = pack(pcall(fn))
  local problem = results[2]
  if results[1] then
    return fail("expectation", results.n > 1
      and format("expected an error, but the function returned %s", show(problem))
      or "expected an error, but the function returned")
  end
  -- A failed expectation within is no error of the app.
  if is_failure(problem) then error(problem, 0) end
  if expected ~= nil then
    local differences = error_differences(problem, expected)
    if #differences > 0 then
      fail("expectation", format("the error differs from the expected one: %s", message_of(problem)), differences)
    end
  end
  return problem
end

-- MARK: The state

-- An expectation around a function, which compares however the function ends.
local Region = {}

-- A function that raised, or whose coroutine was closed, is compared here: what differs is recorded, and the error
-- continues.
function Region.__close(region, problem)
  local message, differences
  -- A failed expectation within has failed the scenario, and stopped the function.
  if not region.has_returned and not is_failure(problem) then
    local ok
    ok, message, differences = pcall(region.compare, region.mark)
    if not ok then message = not is_failure(message) and message_of(message) or nil end
  end
  host.leave(region.mark, message, differences or {})
end

-- Calls a function, in which an exhaustive scenario may change the state, and returns its results. `compare` gets the
-- mark of the beginning, and returns a message and the differences, or nothing.
local function compared(name, fn, compare)
  local region <close> = setmetatable({ mark = host.enter(name), compare = compare }, Region)
  local results = pack(fn())
  region.has_returned = true
  local message, differences = compare(region.mark)
  if message then fail("expectation", message, differences) end
  return unpack(results, 1, results.n)
end

-- Whether a path is another, or leads to a part of it.
local function is_within(path, outer)
  if sub(path, 1, #outer) ~= outer then return false end
  local following = sub(path, #outer + 1, #outer + 1)
  return following == "" or following == "." or following == "["
end

local function expected_changes(changes, expected, is_partial)
  local differences, skipped, removed = {}, {}, {}
  for _, change in ipairs(changes) do
    local is_covered = false
    for path in pairs(expected) do is_covered = is_covered or is_within(change.path, path) end
    if change.is_removal then removed[change.path] = change.new end
    if not is_covered then
      if is_partial then
        skipped[#skipped + 1] = change.path
      else
        differences[#differences + 1] = {
          path = change.path, expected = change.old ~= nil and show(change.old) or nil,
          actual = change.new ~= nil and show(change.new) or "nil",
        }
      end
    end
  end
  local unexpected = #differences
  local paths, unchanged = {}, {}
  for path in pairs(expected) do paths[#paths + 1] = path end
  sort(paths)
  for _, path in ipairs(paths) do
    local has_changed = false
    for _, change in ipairs(changes) do
      has_changed = has_changed or is_within(change.path, path) or is_within(path, change.path)
    end
    local value = removed[path]
    if value == nil then value = host.value(path) end
    local count = #differences
    compare(expected[path], value, path, differences, {})
    if not has_changed and #differences == count then unchanged[#unchanged + 1] = path end
  end
  return differences, unexpected, unchanged, skipped
end

local function check_paths(expected, name)
  for path in pairs(expected) do
    if type(path) ~= "string" then misuse(format("expect.%s needs paths as keys, not %s", name, kind_of(path))) end
    local problem = host.problem_of_path(path)
    if problem then misuse(problem) end
  end
end

-- Whether the options of expect.changes have `partial`, the only option.
local function is_partial(options)
  if options == nil then return false end
  if type(options) ~= "table" then misuse("the options of expect.changes are a table, not " .. kind_of(options)) end
  for name in pairs(options) do
    if name ~= "partial" then misuse(host.unknown("expect.changes has no option", tostring(name), "partial")) end
  end
  return options.partial
end

-- Expects a function to change these paths to these values, and nothing else.
function expect.changes(fn, expected, options)
  check_function(fn, "changes")
  if type(expected) ~= "table" then misuse("expect.changes needs a table from paths to values") end
  check_paths(expected, "changes")
  local is_partial = is_partial(options)
  return compared("changes", fn, function(mark)
    local differences, unexpected, unchanged, skipped = expected_changes(host.changes(mark), expected, is_partial)
    if #differences == 0 and #unchanged == 0 then
      if #skipped > 0 then print("expect.changes skipped: " .. concat(skipped, ", ")) end
      return
    end
    local messages = {}
    if unexpected > 0 then
      messages[#messages + 1] = format("%d %s changed that the scenario doesn't mention",
        unexpected, unexpected == 1 and "path" or "paths")
    end
    if #differences > unexpected then
      messages[#messages + 1] = format("%d %s from what is expected", #differences - unexpected,
        #differences - unexpected == 1 and "value differs" or "values differ")
    end
    if #unchanged > 0 then
      messages[#messages + 1] = format("expected to change, but stayed the same: %s", concat(unchanged, ", "))
    end
    return concat(messages, "; "), differences
  end)
end

function expect.unchanged(fn)
  check_function(fn, "unchanged")
  return compared("unchanged", fn, function(mark)
    local differences = expected_changes(host.changes(mark), {}, false)
    if #differences == 0 then return end
    return format("%d %s changed, and nothing should", #differences, #differences == 1 and "path" or "paths"), differences
  end)
end

-- Expects a function to send these actions, in this order; each is its text in Lua, or a matcher.
function expect.actions(fn, expected)
  check_function(fn, "actions")
  if type(expected) ~= "table" then misuse("expect.actions needs a list of actions as texts") end
  return compared("actions", fn, function(mark)
    local actions = host.actions(mark)
    local differences = differences_of(expected, actions)
    if #differences > 0 then return format("the actions differ: %s", show(actions)), differences end
  end)
end

-- Expects a function to print a text: as a part of its output, or by a pattern; with "", nothing.
function expect.output(fn, expected)
  check_function(fn, "output")
  if type(expected) ~= "string" then misuse("expect.output needs a text or a pattern") end
  local start = host.output_size()
  local results = pack(fn())
  local output = host.output_after(start)
  local ok, found = pcall(find, output, expected)
  if expected == "" then
    found = output == ""
  else
    found = find(output, expected, 1, true) or ok and found
  end
  if not found then
    fail("expectation", "the output differs", differences_of(expected, output))
  end
  return unpack(results, 1, results.n)
end

-- Expects a function to return a true value within some seconds of the scenario's clock, in which it is called 100 times.
function expect.eventually(fn, seconds)
  check_function(fn, "eventually")
  seconds = seconds or 1
  if type(seconds) ~= "number" or not (seconds >= 0 and seconds <= 86400) then
    misuse("expect.eventually needs 0 to 86400 seconds, not " .. show(seconds))
  end
  local value = fn()
  for _ = 1, 100 do
    if value then return value end
    sleep(seconds / 100)
    value = fn()
  end
  if value then return value end
  fail("expectation", format("the function didn't return a true value within %s seconds", tostring(seconds)))
end

-- Checks a function after every action, undo and redo of the scenario: it holds unless it raises or returns false.
function expect.invariant(fn)
  check_function(fn, "invariant")
  host.add_invariant(function()
    local ok, result = vocabulary.unrecorded(fn)
    if ok then return result == false and "the invariant returned false" or nil end
    return message_of(result), is_failure(result) and result.differences or nil
  end)
end

-- MARK: Spies and snapshots

local calls_of = setmetatable({}, { __mode = "k" })

-- A function that records its calls, and then calls another one, if any.
local function spy(fn)
  if fn ~= nil and type(fn) ~= "function" then misuse("spy needs a function, or nothing, not " .. kind_of(fn)) end
  local calls = {}
  local function recorder(...)
    calls[#calls + 1] = pack(...)
    if fn then return fn(...) end
  end
  calls_of[recorder] = calls
  return recorder
end

-- The arguments of each call of a spy, or of a stub, in the order of the calls.
local function calls(called)
  local recorded = called ~= nil and calls_of[called] or nil
  if not recorded then misuse("calls needs what spy or stub returned") end
  local copies = {}
  for index, arguments in ipairs(recorded) do copies[index] = { unpack(arguments, 1, arguments.n) } end
  return copies
end

-- Expects a spy, or a stub, to have been called: at least once, a number of times, or once with these arguments.
function expect.called(called, expected)
  check_running("called")
  local calls = called ~= nil and calls_of[called] or nil
  if not calls then misuse("expect.called needs what spy or stub returned") end
  if expected ~= nil and math_type(expected) ~= "integer" and type(expected) ~= "table" then
    misuse("expect.called needs a number of calls, or a table of arguments, not " .. kind_of(expected))
  end
  local count = #calls
  if type(expected) == "table" then
    for _, arguments in ipairs(calls) do
      local given = { unpack(arguments, 1, arguments.n) }
      if #differences_of(expected, given) == 0 then return end
    end
    local last = calls[count]
    return fail("expectation", count == 0 and "it was never called" or "it was never called with these arguments",
      differences_of(expected, last and { unpack(last, 1, last.n) } or nil))
  end
  if expected == nil and count > 0 or count == expected then return end
  fail("expectation", format("expected %s, but it was called %d %s",
    expected == nil and "a call" or format("%d %s", expected, expected == 1 and "call" or "calls"),
    count, count == 1 and "time" or "times"))
end

-- Compares a value with the one in a file beside the scenario.
function expect.snapshot(name, ...)
  check_running("snapshot")
  if type(name) ~= "string" or name == "" or select("#", ...) == 0 then
    misuse("expect.snapshot needs a name and a value")
  end
  local value = ...
  local text = type(value) == "string" and value or inspect(value)
  local problem, expected = host.snapshot(name, text)
  if not problem then return end
  local differences = {}
  if expected then
    local lines = { {}, {} }
    for index, whole in ipairs({ expected, text }) do
      for line in gmatch(whole .. "\n", "(.-)\n") do lines[index][#lines[index] + 1] = line end
    end
    for index = 1, max(#lines[1], #lines[2]) do
      if lines[1][index] ~= lines[2][index] then
        differ(differences, "line " .. index, lines[1][index] and matcher(lines[1][index]),
          lines[2][index] and matcher(lines[2][index]))
      end
    end
  end
  fail("expectation", problem, differences)
end

for name, matcher in pairs(values.matchers) do expect[name] = matcher end

setmetatable(expect, {
  __index = function(_, name)
    local names = {}
    for known in pairs(expect) do names[#names + 1] = tostring(known) end
    sort(names)
    misuse(host.unknown("expect has no function", tostring(name), concat(names, " ")))
  end,
  __call = function() misuse("expect isn't a function: call one of its own, such as expect.equal(actual, expected)") end,
})

-- MARK: Stubs

local function answer_for(fn, answering)
  local problem = host.stub(fn, function(...) return answering(...) end)
  if problem then misuse(problem) end
end

-- Replaces the service of a module's function, such as todo.fetch, by a function or by an answer.
function stub(fn, answer)
  if not is_running() then misuse("stub outside a scenario: call it in a scenario's function, or in before") end
  if type(fn) ~= "function" or answer == nil then
    misuse("stub needs a function of a module, and an answer or the function that answers instead")
  end
  local answering = spy(type(answer) == "function" and answer or function() return answer end)
  answer_for(fn, answering)
  return answering
end

-- The function that stubs all of a module's services, by a function, or by a table from questions to answers.
local function module_stub(name, functions)
  return function(answer)
    if not is_running() then
      misuse(format("%s.stub outside a scenario: call it in a scenario's function, or in before", name))
    end
    if type(answer) ~= "function" and type(answer) ~= "table" then
      misuse(format("%s.stub needs a function, or a table from questions to answers", name))
    end
    local answering = spy(type(answer) == "function" and answer or function(question)
      local found = answer[question]
      if found == nil then
        error({ code = "not_stubbed", message = format("the stub of %s has no answer to %s", name, show(question)) }, 0)
      end
      return found
    end)
    for _, member in ipairs(functions) do answer_for(_G[name][member], answering) end
    return answering
  end
end

for name, functions in pairs(host.stubbable()) do rawset(_G[name], "stub", module_stub(name, functions)) end

-- A new folder for the scenario's files, which is removed when it ends.
function tmp()
  if not is_running() then misuse("tmp outside a scenario: call it in a scenario's function, or in before") end
  return host.temporary_folder()
end

_G.expect, _G.spy, _G.calls, _G.invariant = expect, spy, calls, expect.invariant
