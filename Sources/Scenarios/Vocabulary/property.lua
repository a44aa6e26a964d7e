-- Properties: scenarios that hold for random sequences of actions.
--
-- A step is a text of Lua: a call of a function of a module, or an assignment of a field. A step that the app refuses,
-- so that it raises an error, is no part of a sequence unless it changed something: a request that fails may be kept.
local host, vocabulary, app = ...

-- Files can replace the globals.
local ipairs, load, pairs, pcall, setmetatable = ipairs, load, pairs, pcall, setmetatable
local tonumber, tostring, type = tonumber, tostring, type
local math_type, mininteger, random, tointeger = math.type, math.mininteger, math.random, math.tointeger
local find, format, gmatch, match, sub = string.find, string.format, string.gmatch, string.match, string.sub
local concat, pack, unpack, inspect = table.concat, table.pack, table.unpack, inspect
local utf8_length, utf8_offset = utf8.len, utf8.offset
local metatable_of, misuse = vocabulary.metatable_of, vocabulary.misuse

-- MARK: Values

local integers = { 0, 1, 2, 3, 4, 5, 7, 8, 11, 12, 13, 17, 23, 97, 100, 101, 150, -1, -7 }
local extremes = { math.maxinteger, math.mininteger, math.maxinteger - 1, 2147483647, 1000003 }
local texts = { "", " ", "milk", "oat milk", "Ann", "É", "e\u{301}", "a@b.org", "\"quoted\"", "two\nlines", "🎉", "12" }

local function one_of(list) return list[random(#list)] end

local function integer() return random(12) == 1 and one_of(extremes) or one_of(integers) end

local dates = { "2026-11-26", "2024-02-29", "1970-01-01", "1999-12-31", "2030-06-15" }

local plain_kinds = { integer = true, number = true, boolean = true, string = true, date = true, time = true }

-- The number of places of a type such as decimal(2); nil for another type.
local function decimal_places(kind) return match(kind, "^decimal%((%d)%)$") end

-- Whether there are values of a type, as signatures write it.
local function is_known(kind)
  -- Nil is one.
  if sub(kind, -1) == "?" then return true end
  local fields = match(kind, "^{([^{}]*)}$")
  if fields then
    for field_kind in gmatch(fields, "=([^,%]]+)") do
      if not is_known(field_kind) then return false end
    end
    return true
  end
  for choice in gmatch(kind, "[^|]+") do
    local element = match(choice, "^(.*)%[%]$")
    if plain_kinds[choice] or find(choice, '^".*"$') or (element and is_known(element)) then return true end
    if decimal_places(choice) or app.list_of(choice) then return true end
  end
  return false
end

-- The identifier or the position of an element of one of some lists; nil without one, and rarely.
local function of_lists(paths, is_position)
  local filled = {}
  for _, path in ipairs(paths) do
    if app.list_size(path) > 0 then filled[#filled + 1] = path end
  end
  if #filled == 0 or random(10) == 1 then return nil end
  local path = one_of(filled)
  local position = random(app.list_size(path))
  return is_position and position or app.element_id(path, position)
end

-- The paths of a module's lists.
local function lists_of(module)
  local own = {}
  for _, path in ipairs(app.lists()) do
    if path == module or sub(path, 1, #module + 1) == module .. "." then own[#own + 1] = path end
  end
  return own
end

local function number() return random() * one_of({ 1, 10, 1000, -5 }) end

local value_of

-- A record by its type, such as {name=string, [age=integer]}; rarely without one of its fields.
local function record(kind, context)
  local fields = {}
  for name, field_kind in gmatch(kind, "([%a_][%w_]*)=([^],}]+)") do
    if random(8) > 1 then fields[name] = value_of(field_kind, name, context) end
  end
  return fields
end

local position_names = { position = true, positions = true, index = true }

-- Whether a parameter of a name takes ids of records.
local function is_id(name) return name == "id" or name == "ids" or find(name, "_ids?$") ~= nil end

-- A random value of a type that is known; it may belong to what the module has, by the name of the parameter.
function value_of(kind, name, context)
  if sub(kind, -1) == "?" then
    kind = sub(kind, 1, -2)
    if random(2) == 1 or not is_known(kind) then return nil end
  end
  if sub(kind, 1, 1) == "{" then return record(kind, context) end
  local choices = {}
  for choice in gmatch(kind, "[^|]+") do
    if is_known(choice) then choices[#choices + 1] = choice end
  end
  kind = one_of(choices)
  local quoted = match(kind, '^"(.*)"$')
  if quoted then return quoted end
  local element = match(kind, "^(.*)%[%]$")
  if element then
    local list = {}
    for index = 1, random(0, 3) do list[index] = value_of(element, name, context) end
    return list
  end
  local is_position = position_names[name]
  if is_position or is_id(name) then
    local found = of_lists(lists_of(context.module), is_position)
    if type(found) == kind or math_type(found or "") == kind then return found end
  end
  if kind == "integer" then
    return integer()
  elseif kind == "number" then
    return number()
  elseif decimal_places(kind) then
    return tonumber(format("%." .. decimal_places(kind) .. "f", number()))
  elseif kind == "boolean" then
    return random(2) == 1
  elseif kind == "date" then
    return one_of(dates)
  elseif kind == "time" then
    return one_of(dates) .. "T10:15:00.000Z"
  elseif kind ~= "string" then
    -- The id of a record.
    return of_lists({ app.list_of(kind) })
  end
  local known = context.texts
  if known and #known > 0 and random(4) > 1 then return one_of(known) end
  return one_of(texts)
end

-- MARK: Steps

-- Files and addresses aren't random.
local function is_file(parameter) return parameter.name == "source" or parameter.name == "path" end

-- Whether there are random values for a function, or for a field.
local function has_values(member)
  if member.is_property then return is_known(member.types) end
  for _, parameter in ipairs(member.parameters) do
    if not is_known(parameter.type) or (is_file(parameter) and sub(parameter.type, -1) ~= "?") then return false end
  end
  return true
end

-- The random values of a call, without those that are nil at its end, or the one of an assignment.
local function values_of(member, context)
  if member.is_property then return { value_of(member.types, member.name, context), n = 1 } end
  local values = { n = 0 }
  for index, parameter in ipairs(member.parameters) do
    if not is_file(parameter) then values[index] = value_of(parameter.type, parameter.name, context) end
    if values[index] ~= nil then values.n = index end
  end
  return values
end

-- A step: a call with some values, or an assignment of one.
local function step_of(place, is_assignment, values)
  local texts = {}
  for index = 1, values.n do texts[index] = inspect(values[index]) end
  return format(is_assignment and "%s = %s" or "%s(%s)", place, concat(texts, ", "))
end

-- The functions and assignable fields of modules, each as a function that makes a step.
local function operations(modules, generators)
  local all = {}
  for _, member in ipairs(app.members(modules)) do
    local name = member.module .. "." .. member.name
    local own, texts_of_help = generators[name], {}
    for text in gmatch(member.help .. " " .. member.example, '"([^"]*)"') do texts_of_help[#texts_of_help + 1] = text end
    local context = { module = member.module, texts = texts_of_help }
    if not own and not has_values(member) then
      -- Of a field that is a record, the parts are assigned.
      if not member.is_property then app.record_without_values(name) end
    elseif not own and member.is_unconfined then
      app.record_uncalled(name)
    else
      all[#all + 1] = function()
        local values = not own and values_of(member, context) or member.is_property and { own(), n = 1 } or pack(own())
        return step_of(name, member.is_property, values)
      end
    end
  end
  return all
end

local function field_of(module, name) return module[name] end

-- The objects of a module, each with its text: the module itself if it is a list, and its fields.
local function objects_of(name)
  local module, found = _G[name], {}
  found[1] = { text = name, object = module }
  for _, field in ipairs(app.properties(name)) do
    -- An app can refuse to be read, too.
    local is_there, value = pcall(field_of, module, field)
    if is_there and type(value) == "userdata" then
      found[#found + 1] = { text = format("%s.%s", name, field), object = value }
    end
  end
  return found
end

-- A random element of a list, and its text; any other object itself; nil for an empty list, and for a map with other keys.
local function element_of(object, text)
  if not (metatable_of(object) or {}).__len then return object, text end
  if #object == 0 then return nil end
  local position = random(#object)
  local is_there, element = pcall(field_of, object, position)
  return is_there and element or nil, format("%s[%d]", text, position)
end

-- A live record of a module, a field or an element of a list, and its text; nil without one.
local function live_record(module)
  local found = {}
  for _, one in ipairs(objects_of(module)) do
    local record, text = element_of(one.object, one.text)
    if type(record) == "userdata" and metatable_of(record).__pairs then
      found[#found + 1] = { record = record, text = text }
    end
  end
  if #found == 0 then return nil end
  local chosen = one_of(found)
  return chosen.record, chosen.text
end

-- The assignable fields of objects by their metatables, as all of a class have the same.
local fields_by_class = {}

-- The assignable fields of a live record for which there are values.
local function fields_of(record)
  local class = metatable_of(record)
  if not fields_by_class[class] then
    local fields = {}
    for _, field in ipairs(app.assignable_fields(record)) do
      if is_known(field.type) then fields[#fields + 1] = field end
    end
    fields_by_class[class] = fields
  end
  return fields_by_class[class]
end

-- An assignment of a field of a live record; nil if the module has none now.
local function record_assignment(module)
  local record, text = live_record(module)
  local fields = record and fields_of(record) or {}
  if #fields == 0 then return nil end
  local field = one_of(fields)
  return format("%s.%s = %s", text, field.name, inspect(value_of(field.type, field.name, { module = module })))
end

-- Chooses the next step: a function or a property, or the assignment of a field of a record. Each has the
-- same chance.
local function next_operation(modules, made)
  local module = one_of(modules)
  local record = live_record(module)
  local count = record and #fields_of(record) * #modules or 0
  if random(#made + count) <= #made then return one_of(made) end
  return function() return record_assignment(module) or one_of(made)() end
end

-- MARK: Repeated steps

-- The values that steps are written with, besides literals.
local constants = { math = math, json = json }

-- A step as it was before it raised.
local function without_pcall(text) return match(text, "^pcall%(function%(%) (.*) end%)$") or text end

-- The parts of a step: a call's name or an assignment's target, and the values. Nil if they can't be read.
local function parts_of(text)
  text = without_pcall(text)
  local name, arguments = match(text, "^([%a_][%w_.]*)%((.*)%)$")
  local target, value = match(text, "^([%a_][%w_.%[%]]*) = (.*)$")
  local read = (name or target) and load("return " .. (arguments or value), "=step", "t", constants)
  if not read then return nil end
  local ok, values = pcall(function() return pack(read()) end)
  return ok and { place = name or target, is_assignment = not name, values = values } or nil
end

-- MARK: Simpler steps

local add_simpler

-- Adds simpler integers: 0, and those that halve the distance.
local function add_simpler_integers(all, value)
  if value < 0 and value ~= mininteger then all[#all + 1] = -value end
  local step = value
  while step ~= 0 do
    all[#all + 1] = value - step
    step = (step < 0 and step + (step & 1) or step) // 2
  end
end

local function add_simpler_texts(all, value)
  local count = utf8_length(value)
  if not count or count == 0 then return end
  all[#all + 1] = ""
  local half = utf8_offset(value, count // 2 + 1)
  if count > 1 then
    all[#all + 1] = sub(value, 1, half - 1)
    all[#all + 1] = sub(value, half)
    all[#all + 1] = sub(value, 1, utf8_offset(value, -1) - 1)
    all[#all + 1] = sub(value, utf8_offset(value, 2))
  elseif value > "a" then
    all[#all + 1] = "a"
  end
end

-- Adds tables without one of the elements, and with a simpler one.
local function add_simpler_tables(all, value)
  local keys, count = {}, #value
  for key in pairs(value) do keys[#keys + 1] = key end
  if #keys > 0 then all[#all + 1] = {} end
  for _, removed in ipairs(keys) do
    local rest = {}
    for key, element in pairs(value) do
      local is_element = math_type(key) == "integer" and key <= count
      local moves = is_element and math_type(removed) == "integer" and key > removed
      if key ~= removed then rest[moves and key - 1 or key] = element end
    end
    all[#all + 1] = rest
  end
  for _, changed in ipairs(keys) do
    local elements = {}
    add_simpler(elements, value[changed])
    for _, simpler in ipairs(elements) do
      local copy = {}
      for key, element in pairs(value) do copy[key] = element end
      copy[changed] = simpler
      all[#all + 1] = copy
    end
  end
end

-- Adds the values that are simpler than one to a list, the simplest first.
add_simpler = function(all, value)
  if math_type(value) == "integer" then
    add_simpler_integers(all, value)
  elseif math_type(value) == "float" then
    local whole = tointeger(value - value % 1)
    if value ~= 0 then all[#all + 1] = 0 end
    if whole and whole ~= 0 then all[#all + 1] = whole end
  elseif type(value) == "string" then
    add_simpler_texts(all, value)
  elseif value == true then
    all[#all + 1] = false
  elseif type(value) == "table" then
    add_simpler_tables(all, value)
  end
end

-- The steps that are simpler than one, the simplest first.
function vocabulary.simpler_steps(text)
  local parts = parts_of(text)
  if not parts then return {} end
  local texts, place, is_assignment, values = {}, parts.place, parts.is_assignment, parts.values
  if not is_assignment and values.n > 0 then
    texts[1] = step_of(place, false, pack(unpack(values, 1, values.n - 1)))
  end
  -- Of a call, the name has no position.
  local before, position, rest = match(place, "^(.*)%[(%d+)%](.*)$")
  for other = 1, (tointeger(tonumber(position)) or 1) - 1 do
    texts[#texts + 1] = step_of(format("%s[%d]%s", before, other, rest), true, values)
  end
  for index = 1, values.n do
    local simpler = {}
    add_simpler(simpler, values[index])
    for _, value in ipairs(simpler) do
      local changed = pack(unpack(values, 1, values.n))
      changed[index] = value
      texts[#texts + 1] = step_of(place, is_assignment, changed)
    end
  end
  return texts
end

-- MARK: Sequences

local Trace = {}
Trace.__index = Trace
Trace.__len = function(trace) return #trace.steps end

-- Does a step, and adds it to the sequence unless the app refused it without any change; returns whether it was added.
local function perform(trace, text)
  local step, problem = load(text, "=step")
  if not step then misuse(format("the step %s can't be repeated as a text: %s", text, problem)) end
  local position = #trace.steps + 1
  app.begin_step(position, text)
  local before = trace.checks_failures and store.state()
  vocabulary.unfinished_step = text
  local ok = pcall(step)
  vocabulary.unfinished_step = nil
  if not ok and not app.has_changed() then return false end
  -- One that raised does so again when it is repeated.
  trace.steps[position] = ok and text or format("pcall(function() %s end)", text)
  if before and not ok and not app.has_acted() then expect.equal(store.state(), before) end
  return true
end

-- Does the steps; without a call, they are done when the property's function has returned.
--
-- With the option checks_failures, each call that the app refuses must leave the state as it was.
function Trace:run(options)
  if self.has_run then misuse("trace:run() is called once") end
  self.has_run = true
  self.checks_failures = options and options.checks_failures
  if self.given then
    -- A step that raised has to raise again, which is checked; or it is refused, if it changes nothing now.
    for _, text in ipairs(self.given) do perform(self, without_pcall(text)) end
    return
  end
  local made = operations(self.modules, self.generators)
  if #made == 0 then
    -- Of an app as a whole, the report lists what was left out.
    if not self.names_modules then return end
    misuse("the property's modules have no functions that can be called with random values")
  end
  local make, attempts = nil, 0
  for _ = 1, 5 * self.length do
    if #self.steps == self.length then return end
    -- A refused step is tried again with other values: else steps that are often refused would hardly be done.
    if attempts == 0 then make, attempts = next_operation(self.modules, made), 3 end
    attempts = perform(self, make()) and 0 or attempts - 1
  end
end

-- Repeats the steps in another app, such as one that store.new() made.
function Trace:replay(other)
  local environment = setmetatable({}, { __index = function(_, name) return other[name] or _G[name] end })
  for _, text in ipairs(self.steps) do pcall(load(text, "=step", "t", environment)) end
end

-- Expects that a session with these steps, once saved, is reopened in the same state.
function Trace:reopen()
  local ok, changes = pcall(app.differences_when_reopened)
  if not ok then
    vocabulary.fail("expectation", "the saved session can't be reopened: " .. vocabulary.message_of(changes))
  end
  local differences = {}
  for index, change in ipairs(changes) do
    differences[index] = {
      path = change.path == "" and "a part that no field shows" or change.path,
      expected = change.old ~= nil and inspect(change.old) or nil,
      actual = change.new ~= nil and inspect(change.new) or nil,
    }
  end
  if #differences > 0 then
    vocabulary.fail("expectation", "the session is reopened in another state", differences)
  end
end

-- The options that scenarios don't have.
local own_options = { "actions", "runs", "length", "seed", "arguments" }

-- A mistake in a property's options, which fails only that property.
local function wrong(message) error(message, 0) end

-- Generators belong to functions and assignable fields of the modules.
local function check_generators(generators, modules)
  if type(generators) ~= "table" then
    wrong("the option arguments is a table from functions' names to generators of their arguments")
  end
  local known, names = {}, {}
  for _, member in ipairs(app.members(modules)) do
    names[#names + 1] = member.module .. "." .. member.name
    known[names[#names]] = true
  end
  for name, generator in pairs(generators) do
    if not known[name] then wrong(host.unknown("the option arguments: no function is called", tostring(name), concat(names, " "))) end
    if type(generator) ~= "function" then
      wrong(format("the option arguments: the generator of %s is a function, not a %s", name, type(generator)))
    end
  end
end

local function check_options(options)
  for _, name in ipairs({ "runs", "length", "seed" }) do
    local value = options[name]
    if value ~= nil and (math_type(value) ~= "integer" or value < 1) then
      wrong(format("the option %s is a whole number above 0, not %s", name, tostring(value)))
    end
  end
  if options.actions ~= nil and (type(options.actions) ~= "table" or #options.actions == 0) then
    wrong("the option actions is a list of modules' names, such as { \"counter\" }")
  end
  local features = {}
  for _, name in ipairs(app.features()) do features[name] = true end
  for _, name in ipairs(options.actions or {}) do
    if not features[name] then wrong(host.unknown("no feature is called", tostring(name), concat(app.features(), " "))) end
  end
  check_generators(options.arguments or {}, options.actions or app.features())
end

-- Declares a property: a name, options if any, and a function that gets the sequence, or nothing for invariants alone.
function property(name, options, fn)
  if type(options) == "function" then options, fn = {}, options end
  options = options or {}
  if type(name) ~= "string" or type(options) ~= "table" or (fn ~= nil and type(fn) ~= "function") then
    misuse("property needs a name, options if any, and a function that gets the trace")
  end
  local ok, problem = pcall(check_options, options)
  local scenario_options = {}
  for key, value in pairs(options) do scenario_options[key] = value end
  for _, name in ipairs(own_options) do scenario_options[name] = nil end
  local actions = options.actions or app.features()
  vocabulary.declare_property(name, scenario_options, {
    runs = options.runs or 100, seed = options.seed, option_names = concat(own_options, " "),
  }, function(given)
    local trace = setmetatable({
      steps = {}, given = given, modules = actions, generators = options.arguments or {},
      names_modules = options.actions ~= nil, length = options.length or 50,
    }, Trace)
    vocabulary.steps = trace.steps
    if fn then fn(trace) end
    if not trace.has_run then trace:run() end
  end, not ok and problem or nil)
end
