-- Properties: scenarios that hold for random sequences of actions.
--
-- A step is a text of Lua: a call of a function of a module, or an assignment of a field. Steps that raise an error
-- are no part of a sequence, since the app refuses them.
local host, vocabulary = ...

-- Files can replace the globals.
local error, getmetatable, ipairs, load, pairs, pcall = error, debug.getmetatable, ipairs, load, pairs, pcall
local setmetatable = setmetatable
local tostring, type, math_type, random = tostring, type, math.type, math.random
local find, format, gmatch, match, sub = string.find, string.format, string.gmatch, string.match, string.sub
local concat, pack, sort, inspect, misuse = table.concat, table.pack, table.sort, inspect, vocabulary.misuse

-- MARK: Values

local integers = { 0, 1, 2, 3, 4, 5, 7, 8, 11, 12, 13, 17, 23, 97, 100, 101, 150, -1, -7 }
local extremes = { math.maxinteger, math.mininteger, math.maxinteger - 1, 2147483647, 1000003 }
local texts = { "", " ", "milk", "oat milk", "Ann", "É", "e\u{301}", "a@b.org", "\"quoted\"", "two\nlines", "🎉", "12" }

local function one_of(list) return list[random(#list)] end

local function integer() return random(12) == 1 and one_of(extremes) or one_of(integers) end

-- The value that a path such as "todo.items" leads to from the global variables.
local function value_at(path)
  local value = _G
  for name in gmatch(path, "[^.]+") do value = value[name] end
  return value
end

-- An identifier or a position that a list of the module has, or rarely one that it hasn't.
local function of_list(module, member)
  local paths = {}
  for _, path in ipairs(host.lists()) do
    if path == module or sub(path, 1, #module + 1) == module .. "." then paths[#paths + 1] = path end
  end
  if #paths == 0 or random(10) == 1 then return integer() end
  local list = value_at(one_of(paths))
  if #list == 0 then return integer() end
  local position = random(#list)
  return member == "id" and list[position].id or position
end

local value_of

-- A record by its type, such as {name=string, age=integer}; rarely without one of its fields.
local function record(kind, context)
  local fields = {}
  for name, field_kind in gmatch(kind, "([%a_]+)=([^,}]+)") do
    if random(8) > 1 then fields[name] = value_of(field_kind, name, context) end
  end
  return fields
end

-- A random value of a type as signatures write it.
function value_of(kind, name, context)
  if find(kind, "?$") then
    if random(2) == 1 then return nil end
    kind = sub(kind, 1, -2)
  end
  if sub(kind, 1, 1) == "{" then return record(kind, context) end
  local choices = {}
  for choice in gmatch(kind, "[^|]+") do choices[#choices + 1] = choice end
  kind = one_of(choices)
  local quoted = match(kind, '^"(.*)"$')
  if quoted then return quoted end
  local element = match(kind, "^(.*)%[%]$")
  if element then
    local list = {}
    for index = 1, random(0, 3) do list[index] = value_of(element, name, context) end
    return list
  end
  if kind == "integer" then
    if name == "id" or name == "positions" or name == "position" then return of_list(context.module, name) end
    return integer()
  elseif kind == "number" then
    return random() * one_of({ 1, 10, 1000, -5 })
  elseif kind == "boolean" then
    return random(2) == 1
  elseif kind == "string" then
    local known = context.texts
    if known and #known > 0 and random(4) > 1 then return one_of(known) end
    return one_of(texts)
  end
  error("no values of the type " .. kind, 0)
end

-- MARK: Steps

-- The types for which there are values.
local function is_known(kind)
  return find(kind, "^[%a\"|%[%]{}=, _?]*$") and not find(kind, "function") and not find(kind, "any")
end

-- What a generator raises, as opposed to values that can't be made.
local GeneratorError = {}

-- The values that a generator returns.
local function generated(generator)
  local made = pack(pcall(generator))
  if not made[1] then error(setmetatable({ problem = made[2] }, GeneratorError), 0) end
  return made
end

-- The functions and assignable fields of modules, each with what makes a step of it.
local function operations(modules, generators)
  local all = {}
  for _, member in ipairs(host.members(modules)) do
    local name = member.module .. "." .. member.name
    local own = generators[name]
    local usable = own ~= nil or member.is_property
    local known_texts = {}
    for text in gmatch(member.help .. " " .. member.example, '"([^"]*)"') do known_texts[#known_texts + 1] = text end
    local context = { module = member.module, texts = known_texts }
    if not usable then
      usable = true
      for _, parameter in ipairs(member.parameters) do
        -- Files and addresses aren't random.
        local is_file = parameter.name == "source" or parameter.name == "path"
        usable = usable and is_known(parameter.type) and (not is_file or find(parameter.type, "?$") ~= nil)
      end
    end
    if usable and member.is_property then
      all[#all + 1] = function()
        local value
        if own then value = generated(own)[2] else value = value_of(member.types, member.name, context) end
        return format("%s = %s", name, inspect(value))
      end
    elseif usable then
      all[#all + 1] = function()
        local arguments, count = {}, 0
        if own then
          local made = generated(own)
          count = made.n - 1
          for index = 1, count do arguments[index] = inspect(made[index + 1]) end
        else
          for index, parameter in ipairs(member.parameters) do
            local is_file = parameter.name == "source" or parameter.name == "path"
            local value
            if not is_file then value = value_of(parameter.type, parameter.name, context) end
            arguments[index] = inspect(value)
            if value ~= nil then count = index end
          end
        end
        return format("%s(%s)", name, concat(arguments, ", ", 1, count))
      end
    end
  end
  return all
end

local assigned_kinds = { string = "string", boolean = "boolean", integer = "integer", float = "number" }

-- An assignment of a field of a record that a list has.
local function record_assignment(module)
  local paths = {}
  for _, path in ipairs(host.lists()) do
    if path == module or sub(path, 1, #module + 1) == module .. "." then paths[#paths + 1] = path end
  end
  if #paths == 0 then return nil end
  local path = one_of(paths)
  local list = value_at(path)
  if #list == 0 then return nil end
  local position = random(#list)
  local names, fields = {}, list[position]
  if type(fields) ~= "userdata" then return nil end
  for name in pairs(fields) do
    if name ~= "id" then names[#names + 1] = name end
  end
  sort(names)
  if #names == 0 then return nil end
  local name = one_of(names)
  local kind = assigned_kinds[math_type(fields[name]) or type(fields[name])]
  return kind and format("%s[%d].%s = %s", path, position, name, inspect(value_of(kind, name, { module = module })))
end

-- MARK: Sequences

local Trace = {}
Trace.__index = Trace
Trace.__len = function(trace) return #trace.steps end

-- Does a step, and returns whether the app accepted it.
local function perform(trace, text)
  local step = load(text, "=step")
  if not step or not pcall(step) then return false end
  trace.steps[#trace.steps + 1] = text
  return true
end

-- Does the steps; without a call, they are done when the property's function has returned.
function Trace:run()
  if self.has_run then misuse("trace:run() is called once") end
  self.has_run = true
  if self.given then
    for _, text in ipairs(self.given) do perform(self, text) end
    return
  end
  local made = operations(self.modules, self.generators)
  if #made == 0 then misuse("the property's modules have no functions that can be called with random values") end
  for _ = 1, 3 * self.length do
    if #self.steps == self.length then return end
    local ok, text = pcall(function()
      return random(5) == 1 and record_assignment(one_of(self.modules)) or one_of(made)()
    end)
    if ok then perform(self, text) end
    if getmetatable(text) == GeneratorError then error(text.problem, 0) end
  end
end

-- Does the steps in another app, such as one that store.new() made.
function Trace:replay(app)
  local environment = setmetatable({}, { __index = function(_, name) return app[name] or _G[name] end })
  for _, text in ipairs(self.steps) do pcall(load(text, "=step", "t", environment)) end
end

-- Expects that a session with these steps, once saved, is reopened in the same state.
function Trace:reopen()
  local ok, changes = pcall(host.differences_when_reopened)
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

-- Generators belong to functions and assignable fields of the modules.
local function check_generators(generators, modules)
  if type(generators) ~= "table" then
    misuse("the option arguments is a table from functions' names to generators of their arguments")
  end
  local known, names = {}, {}
  for _, member in ipairs(host.members(modules)) do
    names[#names + 1] = member.module .. "." .. member.name
    known[names[#names]] = true
  end
  for name, generator in pairs(generators) do
    if not known[name] then misuse(host.unknown("the option arguments: no function is called", tostring(name), concat(names, " "))) end
    if type(generator) ~= "function" then
      misuse(format("the option arguments: the generator of %s is a function, not a %s", name, type(generator)))
    end
  end
end

local function check_options(options)
  for _, name in ipairs({ "runs", "length", "seed" }) do
    local value = options[name]
    if value ~= nil and (math_type(value) ~= "integer" or value < 1) then
      misuse(format("the option %s is a whole number above 0, not %s", name, tostring(value)))
    end
  end
  if options.actions ~= nil and (type(options.actions) ~= "table" or #options.actions == 0) then
    misuse("the option actions is a list of modules' names, such as { \"counter\" }")
  end
  local features = {}
  for _, name in ipairs(host.features()) do features[name] = true end
  for _, name in ipairs(options.actions or {}) do
    if not features[name] then misuse(host.unknown("no feature is called", tostring(name), concat(host.features(), " "))) end
  end
  check_generators(options.arguments or {}, options.actions or host.features())
end

-- Declares a property: a name, options if any, and a function that gets the sequence, or nothing for invariants alone.
function property(name, options, fn)
  if type(options) == "function" then options, fn = {}, options end
  options = options or {}
  if type(name) ~= "string" or type(options) ~= "table" or (fn ~= nil and type(fn) ~= "function") then
    misuse("property needs a name, options if any, and a function that gets the trace")
  end
  check_options(options)
  local scenario_options = {}
  for key, value in pairs(options) do
    if not ({ actions = true, runs = true, length = true, seed = true, arguments = true })[key] then
      scenario_options[key] = value
    end
  end
  local actions = options.actions or host.features()
  vocabulary.declare_property(name, scenario_options, {
    runs = options.runs or 100, seed = options.seed, length = options.length or 50,
  }, function(given)
    local trace = setmetatable({
      steps = {}, given = given, modules = actions, generators = options.arguments or {},
      length = options.length or 50,
    }, Trace)
    vocabulary.steps = trace.steps
    if fn then fn(trace) end
    if not trace.has_run then trace:run() end
  end)
end
