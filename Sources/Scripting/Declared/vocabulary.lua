-- The vocabulary of files that declare features. It is made once for each file in each state: where actions run, and where
-- scripts do. It gets the functions of the host.
local declare, fail, require, date, date_functions, mark = ...
local error, gsub, next, pcall, select, setmetatable, type = error, string.gsub, next, pcall, select, setmetatable, type

local function marked(kind)
  return function(content) return setmetatable({ kind = kind, content = content }, mark) end
end

-- Types that also have an initial value, bounds or a pattern if they are called with them. That of days is the module `date`,
-- too.
local types = {}
for _, kind in next, { "date", "time", "integer", "number", "text" } do types[kind] = { kind = kind } end
for _, name in next, date_functions do types.date[name] = date[name] end
for _, word in next, types do setmetatable(word, mark) end

function mark.__call(word, content)
  if not types[word.kind] then error(word.kind .. " { ... } takes nothing more", 2) end
  return setmetatable({ kind = word.kind, content = content }, mark)
end

-- A query over a list that a name names; in a group, over the records of a group, without a name.
local function query(kind)
  local make = marked(kind)
  return function(list, fn, members)
    if type(list) == "function" then list, fn, members = nil, list, fn end
    return make { list = list, fn = fn, members = members }
  end
end

-- Raises a problem with the line of the file: the one that is known, or else that of the call.
local function refuse(problem, line)
  local place = select(2, pcall(error, "", 4))
  if line then place = gsub(place, "%d+: $", line .. ": ") end
  error(place .. problem, 0)
end

local function feature(name)
  local problem, line = declare(name)
  if problem then refuse(problem, line) end
  return function(declaration)
    local problem, line = declare(name, declaration == nil and false or declaration)
    if problem then refuse(problem, line) end
  end
end

return {
  feature = feature,
  list = marked("list"),
  record = marked("record"),
  set = marked("set"),
  map = function(key, value) return setmetatable({ kind = "map", content = { key = key, value = value } }, mark) end,
  reference = marked("reference"),
  optional = marked("optional"),
  enum = marked("enum"),
  editable = marked("editable"),
  field = marked("field"),
  secret = marked("secret")(),
  date = types.date,
  time = types.time,
  integer = types.integer,
  number = types.number,
  decimal = marked("decimal"),
  text = types.text,
  action = marked("action"),
  request = marked("request"),
  derived = marked("derived"),
  func = marked("func"),
  sum = query("sum"),
  count = query("count"),
  min = query("min"),
  max = query("max"),
  where = query("where"),
  sorted = query("sorted"),
  group = query("group"),
  fail = fail,
  require = require,
}
