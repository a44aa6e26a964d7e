-- The vocabulary of files that declare features. It is made once in each state: where actions run, and where scripts
-- do. It gets the functions of the host.
local declare, fail, mark = ...
local setmetatable, error = setmetatable, error

local function marked(kind)
  return function(content) return setmetatable({ kind = kind, content = content }, mark) end
end

return {
  feature = function(name)
    return function(declaration)
      local problem = declare(name, declaration)
      -- With the line of the file.
      if problem then error(problem, 2) end
    end
  end,
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
}
