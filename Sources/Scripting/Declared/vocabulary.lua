-- The vocabulary of files that declare features. It is made once for each file in each state: where actions run, and where
-- scripts do. It gets the functions of the host.
local declare, fail, require, mark = ...
local error, gsub, pcall, select, setmetatable = error, string.gsub, pcall, select, setmetatable

local function marked(kind)
  return function(content) return setmetatable({ kind = kind, content = content }, mark) end
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
  optional = marked("optional"),
  enum = marked("enum"),
  editable = marked("editable"),
  secret = marked("secret")(),
  action = marked("action"),
  request = marked("request"),
  fail = fail,
  require = require,
}
