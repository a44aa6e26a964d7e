-- Declarations of scenario files: scenarios, groups of them, and code that runs before and after each.
--
-- The file is run once to list its scenarios, and once in a fresh state for each scenario that runs: `wanted` is the
-- name of that scenario, and `wanted_case` the key of its case in `each`, as text. `host` has the functions in Swift,
-- `folder` is the file's.
local host, wanted, wanted_case, folder, seed = ...

-- Files can replace the globals.
local error, getinfo, ipairs, pairs, pcall = error, debug.getinfo, ipairs, pairs, pcall
local select, setmetatable, tostring, type, xpcall = select, setmetatable, tostring, type, xpcall
local format, find, gmatch, gsub, sub = string.format, string.find, string.gmatch, string.gsub, string.sub
local collectgarbage, randomseed = collectgarbage, math.randomseed
local math_type, tonumber, utf8_length = math.type, tonumber, utf8.len
local insert, sort, unpack = table.insert, table.sort, table.unpack
local inspect, searchpath = inspect, package.searchpath
-- The real one, whatever `__metatable` says.
local metatable_of = debug.getmetatable

package.path = folder .. "/?.lua;" .. folder .. "/?/init.lua;" .. package.path
-- The same for all runs of the file, as names can be random; a scenario's own seed follows when it runs.
randomseed(0)

local vocabulary = {}

-- MARK: Failures

-- The calls in files, innermost first, for failures: two lists of the same length. Calls within one line, such as
-- those of a function that calls itself, are one. Also returns the innermost place as error messages begin with it.
local function calls()
  local files, lines, place, level = {}, {}, nil, 2
  -- To reach a level takes time proportional to its number.
  while #files < 20 and level < 1000 do
    local info = getinfo(level, "Sl")
    if not info then break end
    local count, file = #files, sub(info.source, 2)
    if sub(info.source, 1, 1) == "@" and not (files[count] == file and lines[count] == info.currentline) then
      files[count + 1] = file
      lines[count + 1] = info.currentline
      place = place or format("%s:%d: ", info.short_src, info.currentline)
    end
    level = level + 1
  end
  return files, lines, place
end

-- The error of an expectation that isn't met; it is recorded before, as code can catch it.
local Failure = { __name = "failed expectation" }
Failure.__tostring = function(failure) return failure.message end

-- Whether failures are only raised: those of an invariant are recorded with the action that broke it.
local is_unrecorded = false

local function fail(kind, message, differences)
  if not is_unrecorded then
    local files, lines = calls()
    host.fail(kind, message, files, lines, differences or {})
  end
  error(setmetatable({ message = message, differences = differences }, Failure), 0)
end

-- Calls a function as pcall does; a failure in it isn't recorded.
function vocabulary.unrecorded(fn)
  local outer = is_unrecorded
  is_unrecorded = true
  local ok, result = pcall(fn)
  is_unrecorded = outer
  return ok, result
end

local function is_failure(problem) return metatable_of(problem) == Failure end

local function message_of(problem)
  if type(problem) == "table" and not (metatable_of(problem) or {}).__tostring then return inspect(problem) end
  local message = tostring(problem)
  if type(problem) == "userdata" and problem.code then return format("%s (%s)", message, problem.code) end
  return message
end

-- Records an uncaught error where it was raised; returns true, or the failed expectation. Variables that are closed on
-- the way to `protect` get the result.
local function report(problem)
  if is_failure(problem) then return problem end
  local files, lines, place = calls()
  local message = message_of(problem)
  -- coroutine.wrap adds the place once more.
  while place and type(problem) == "string" and sub(message, 1, #place) == place do message = sub(message, #place + 1) end
  host.fail("error", message, files, lines, {})
  return true
end

-- Calls a function, whose error is recorded; returns whether there was none.
local function protect(fn, ...)
  local ok, problem = xpcall(fn, report, ...)
  if not ok and problem ~= true and not is_failure(problem) then
    host.fail("error", "an error was raised whose message can't be made", {}, {}, {})
  end
  return ok
end

-- MARK: Declarations

-- The group that is being declared; the file itself is the outermost.
local group = { names = {}, tags = {}, before = {}, after = {} }
-- The scenario that runs: its function and its group.
local chosen
-- Functions that search for it among all cases of an `each`.
local searches = {}
-- "declaring", "prepared" or "running"
local phase = "declaring"

local kinds = {
  tags = "table", skip = true, only = "boolean", timeout = "number", todo = true,
  exhaustive = "boolean",
}

-- `more_names` are the options that are checked elsewhere.
local function check_options(options, what, more_names)
  for name, value in pairs(options) do
    local kind = kinds[name]
    if not kind then
      error(host.unknown(what .. " has no option", tostring(name), "tags skip only timeout todo exhaustive " .. (more_names or "")), 0)
    elseif kind == true then
      if type(value) ~= "boolean" and type(value) ~= "string" then
        error(format("the option %s is true, or a reason, not a %s", name, type(value)), 0)
      end
    elseif type(value) ~= kind then
      error(format("the option %s is a %s, not a %s", name, kind, type(value)), 0)
    end
  end
  for _, tag in ipairs(options.tags or {}) do
    if type(tag) ~= "string" then error("tags are strings, not a " .. type(tag), 0) end
    if find(tag, "^%-") or find(tag, ",", 1, true) or tag == "" then
      error(format("the tag %s can't be chosen: it is empty, begins with -, or has a comma", inspect(tag)), 0)
    end
  end
  if options.timeout and not (options.timeout > 0 and options.timeout < 1e6) then
    error("the option timeout is a number of seconds above 0 and below 1000000", 0)
  end
end

-- Raises an error at the line of the file that called the vocabulary. A scenario fails even if it catches it.
local function misuse(message)
  if phase == "running" then fail("error", message) end
  local level = 2
  while true do
    local info = getinfo(level, "S")
    if not info then error(message, 0) end
    if sub(info.source, 1, 1) == "@" then error(message, level) end
    level = level + 1
  end
end

local function check_declaring(what)
  if phase == "running" then misuse(format("%s inside a scenario: declare it beside the others", what)) end
  if phase ~= "declaring" then misuse(format("%s after the file has run: declare it while the file runs", what)) end
end

-- An option of a scenario, or of the innermost group that has it.
local function option(options, name)
  if options[name] ~= nil then return options[name] end
  local around = group
  while around do
    if around[name] ~= nil then return around[name] end
    around = around.parent
  end
end

-- The path and the line of the innermost call in a file; nothing without one.
function vocabulary.calling_line()
  local level = 2
  while true do
    local info = getinfo(level, "Sl")
    if not info then return end
    if sub(info.source, 1, 1) == "@" then return sub(info.source, 2), info.currentline end
    level = level + 1
  end
end

-- A name after those of the groups that are being declared.
local function names_within(name)
  local names = {}
  for index, outer in ipairs(group.names) do names[index] = outer end
  names[#names + 1] = name
  return names
end

-- Reports show some names in another way: those with control characters, and long ones.
local is_escaped = wanted and (find(wanted, "\\", 1, true) ~= nil or #wanted > 1000)

-- Whether a name that is being declared is that of the scenario to run. The first one counts, as in the list.
local function is_wanted(name)
  return not chosen and (name == wanted or is_escaped) and host.is_wanted(names_within(name))
end

-- Whether a name has the address of a value, which differs each time the file runs.
local function has_address(name)
  for _, kind in ipairs({ "table", "function", "thread", "userdata" }) do
    if find(name, kind .. ": 0x%x+") then return true end
  end
  return find(name, "file %(0x%x+%)") ~= nil
end

local function list(name, options, fn, problem, case_key)
  local names, tags, seen = names_within(name), {}, {}
  for _, inherited in ipairs({ group.tags, options.tags or {} }) do
    for _, tag in ipairs(inherited) do
      if not seen[tag] then
        seen[tag] = true
        tags[#tags + 1] = tag
      end
    end
  end
  local skip, todo = option(options, "skip"), option(options, "todo")
  if not fn and not todo and not problem then problem = "a scenario needs a function" end
  if has_address(name) then
    problem = "the name has an address in memory, which differs each time the file runs: choose another name"
  end
  local mode, reason = "run"
  if problem then
    mode, reason = "invalid", problem
  elseif skip then
    mode, reason = "skip", skip
  elseif todo or not fn then
    mode, reason = "todo", todo
  end
  local _, line = vocabulary.calling_line()
  local info = fn and getinfo(fn, "S")
  host.declare(
    names, tags, line or 0, mode, type(reason) == "string" and reason ~= "" and reason or nil,
    option(options, "only") or false, option(options, "timeout"), case_key,
    info and info.linedefined == line and info.lastlinedefined or nil)
end

local function declare(name, options, fn, property, case_key)
  if wanted then
    if is_wanted(name) then
      chosen = { name = name, fn = fn, group = group, options = options, property = property }
    end
    return
  end
  local ok, problem = pcall(
    check_options, options, property and "a property" or "a scenario", property and property.option_names)
  -- Wrong options have no effect but the failure.
  if ok then list(name, options, fn, nil, case_key) else list(name, {}, fn, problem, case_key) end
end

-- Declares a scenario: a name, options that may be left out, and a function.
function vocabulary.scenario(name, options, fn)
  if phase ~= "declaring" then check_declaring("a scenario") end
  -- Most of the calls of a file of many scenarios.
  if wanted and name ~= wanted and not is_escaped then return end
  if type(options) == "function" then options, fn = {}, options end
  if type(name) ~= "string" or name == "" then misuse("scenario needs a name, options if any, and a function") end
  if options == nil then options = {} end
  if type(options) ~= "table" or (fn ~= nil and type(fn) ~= "function") then
    misuse("scenario needs a name, options if any, and a function")
  end
  declare(name, options, fn)
end

-- The first call loads what properties need, which replaces this function.
function property(...)
  local load_properties, app = host.property_vocabulary()
  load_properties(host, vocabulary, app)
  return property(...)
end

-- Declares a property, whose function gets the steps to do, or nil for random ones; `problem` is a mistake in it.
function vocabulary.declare_property(name, options, property, fn, problem)
  check_declaring("a property")
  if problem and not wanted then list(name, {}, fn, problem) else declare(name, options, fn, property) end
end

-- Declares a group: the scenarios in its function have its name, its options, and its `before` and `after`.
function vocabulary.group(name, options, fn)
  check_declaring("a group")
  if type(options) == "function" then options, fn = {}, options end
  if type(name) ~= "string" or type(options) ~= "table" or type(fn) ~= "function" then
    misuse("group needs a name, options if any, and a function")
  end
  local ok, problem = pcall(check_options, options, "a group")
  if not ok then misuse(problem) end
  local outer = group
  local names, tags = names_within(name), {}
  for _, tag in ipairs(outer.tags) do tags[#tags + 1] = tag end
  for _, tag in ipairs(options.tags or {}) do tags[#tags + 1] = tag end
  group = {
    parent = outer, names = names, tags = tags, before = {}, after = {}, skip = options.skip,
    only = options.only, timeout = options.timeout, todo = options.todo,
    exhaustive = options.exhaustive,
  }
  local declared, failure = pcall(fn)
  group = outer
  if not declared then error(failure, 0) end
end

-- Runs a function before each scenario of the group, or of the file.
function vocabulary.before(fn)
  check_declaring("before")
  if type(fn) ~= "function" then misuse("before needs a function") end
  group.before[#group.before + 1] = fn
end

-- Runs a function after each scenario of the group, or of the file, even if it failed.
function vocabulary.after(fn)
  check_declaring("after")
  if type(fn) ~= "function" then misuse("after needs a function") end
  group.after[#group.after + 1] = fn
end

-- The name of a case: `%s` is its next value, `{field}` one of its fields.
local function case_name(name, key, case)
  local values = type(case) == "table" and case or { case }
  local is_format = find(name, "%%") ~= nil
  local has_place = find((gsub(name, "%%%%", "")), "%%") ~= nil
  local filled = gsub(name, "{([%a_][%w_]*)}", function(field)
    local value = values[field]
    if value == nil then return end
    has_place = true
    local text = type(value) == "string" and value or inspect(value)
    return is_format and (gsub(text, "%%", "%%%%")) or text
  end)
  if is_format then
    local shown = {}
    for index = 1, select("#", unpack(values)) do
      local value = values[index]
      shown[index] = (type(value) == "table" or type(value) == "nil") and inspect(value) or value
    end
    local ok, text = pcall(format, filled, unpack(shown))
    if not ok then misuse("the name of a case: " .. gsub(text, "^.-: ", "")) end
    filled = text
  end
  return has_place and filled or format("%s [%s]", filled, type(key) == "table" and inspect(key) or tostring(key))
end

local ranks = { number = 1, string = 2, boolean = 3 }

-- The keys of a table in an order that is always the same: numbers, strings, booleans, then others by `name_of`.
local function sorted_keys(cases, name_of)
  local keys, count, is_sequence = {}, 0, true
  for key in pairs(cases) do
    count = count + 1
    keys[count] = key
    if key ~= count then is_sequence = false end
  end
  if is_sequence then return keys end
  local names = {}
  for _, key in ipairs(keys) do
    if not ranks[type(key)] then names[key] = name_of(key) end
  end
  sort(keys, function(a, b)
    local first, second = ranks[type(a)] or 4, ranks[type(b)] or 4
    if first ~= second then return first < second end
    if first < 3 then return a < b end
    if first == 3 then return not a and b end
    return names[a] < names[b]
  end)
  return keys
end

-- A key as text: `i` and an integer, `s` and a text; empty for a key of another kind.
local function text_of_key(key)
  if math_type(key) == "integer" then return "i" .. key end
  return type(key) == "string" and utf8_length(key) and "s" .. key or ""
end

-- The key that a text stands for; nil if it is empty.
local function key_of_text(text)
  if sub(text, 1, 1) == "s" then return sub(text, 2) end
  return tonumber(sub(text, 2))
end

-- Declares a scenario for each case of a table.
function vocabulary.each(cases, name, options, fn)
  check_declaring("each")
  if type(options) == "function" then options, fn = {}, options end
  if type(cases) ~= "table" or type(name) ~= "string" or type(options) ~= "table" or type(fn) ~= "function" then
    misuse("each needs a table of cases, a name, options if any, and a function")
  end
  if wanted and not wanted_case then return end
  local function name_of(key) return case_name(name, key, cases[key]) end
  local around = group
  local function declare_case(key)
    local case = cases[key]
    local full = name_of(key)
    if full == "" then misuse("the name of a case is empty") end
    declare(full, options, function()
      if type(case) == "table" and #case > 0 then return fn(unpack(case)) end
      return fn(case)
    end, nil, text_of_key(key))
  end
  local function declare_all()
    group = around
    for _, key in ipairs(sorted_keys(cases, name_of)) do declare_case(key) end
  end
  if not wanted then return declare_all() end
  -- Sorting and naming all cases would take long. They are only searched if the key is of another kind, or has another
  -- case now, as when a loop over `pairs` made the table.
  local key = key_of_text(wanted_case)
  if key ~= nil and cases[key] ~= nil then declare_case(key) end
  searches[#searches + 1] = declare_all
end

-- MARK: Running

-- Called before the file runs: nothing made until now is garbage, and little of what the file makes.
function vocabulary.begin()
  collectgarbage("incremental", 1000)
  collectgarbage("restart")
end

-- The groups around the chosen scenario, the outermost first.
local function groups_around()
  local around, one = {}, chosen.group
  while one do
    insert(around, 1, one)
    one = one.parent
  end
  return around
end

-- Ends the declarations: returns the options of the scenario that is to run, or nothing if it isn't declared.
function vocabulary.prepare()
  for _, search in ipairs(searches) do
    if not chosen then search() end
  end
  phase = "prepared"
  -- Lua's own setting.
  collectgarbage("incremental", 200)
  if not chosen then return end
  group = chosen.group
  local options, property, has_cleanup = chosen.options, chosen.property or {}, false
  for _, around in ipairs(groups_around()) do has_cleanup = has_cleanup or #around.after > 0 end
  return option(options, "timeout"), option(options, "exhaustive"), property.runs, property.seed, has_cleanup
end

-- Runs the chosen scenario with its `before`, a property with the given steps; what fails is recorded.
function vocabulary.run(steps)
  phase = "running"
  randomseed(seed)
  local around, ok = groups_around(), true
  for _, outer in ipairs(around) do
    for _, fn in ipairs(outer.before) do ok = ok and protect(fn) end
  end
  if not chosen.fn then
    host.fail("error", "it has no function yet", {}, {}, {})
  elseif ok then
    protect(chosen.fn, steps)
  end
end

-- Runs the functions of its `after`, the inner ones first; what fails is recorded.
function vocabulary.clean_up()
  local around = groups_around()
  for index = #around, 1, -1 do
    local after = around[index].after
    for last = #after, 1, -1 do protect(after[last]) end
  end
end

function vocabulary.is_running() return phase == "running" end

-- The modules that files required, those that couldn't be loaded included.
local required = {}

-- A searcher that only records names. A function in place of `require` would appear in error messages.
insert(package.searchers, 1, function(name) required[name] = true end)

-- The files of those modules; of a missing one, all that it could be in.
function vocabulary.required_files()
  local files = {}
  for name in pairs(required) do
    local file, missing = searchpath(name, package.path)
    files[#files + 1] = file
    for path in gmatch(missing or "", "no file '([^\n]*)'") do files[#files + 1] = path end
  end
  return files
end

-- The tasks that the scenario spawned, each with the place of the call.
vocabulary.spawned = {}
local spawn, spawned = task.spawn, vocabulary.spawned

rawset(task, "spawn", function(...)
  local started = spawn(...)
  local file, line = vocabulary.calling_line()
  spawned[#spawned + 1] = { task = started, file = file, line = line }
  return started
end)

os.exit = function(...)
  local status = select("#", ...) > 0 and tostring((...)) or ""
  fail("crash", format("the scenario called os.exit(%s), which would end all scenarios", status))
end

for _, name in ipairs({ "scenario", "group", "before", "after", "each" }) do _G[name] = vocabulary[name] end

vocabulary.fail, vocabulary.misuse = fail, misuse
vocabulary.is_failure, vocabulary.message_of, vocabulary.metatable_of = is_failure, message_of, metatable_of
return vocabulary
