-- The global functions that write values as texts. In Lua, because they walk values through their metamethods.
--
-- They get `json.null`, and the function that writes values as the prompt shows them, or nil. Their global variables are
-- functions of Lua's libraries, as they were before scripts ran.
local null, write_shown = ...

local keywords = {}
for word in gmatch([[and break do else elseif end false for function goto if in local nil not or repeat return
    then true until while]], "%a+") do
  keywords[word] = true
end

-- Three digits, as a digit may follow.
local escapes = setmetatable({ ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }, {
  __index = function(_, control) return format("\\%03d", byte(control)) end,
})

-- With escapes for the bytes that aren't UTF-8.
local function valid(s)
  local pieces, start = {}, 1
  while true do
    local length, position = utf8_len(s, start)
    if length then
      pieces[#pieces + 1] = sub(s, start)
      return concat(pieces)
    end
    pieces[#pieces + 1] = sub(s, start, position - 1)
    pieces[#pieces + 1] = format("\\x%02x", byte(s, position))
    start = position + 1
  end
end

local function quote(s)
  s = gsub(gsub(s, '[\\"]', "\\%0"), "%c", escapes)
  if find(s, "[\128-\255]") then
    s = valid(s)
    -- The other control characters of Unicode, U+0080 to U+009F.
    s = gsub(s, "\194([\128-\159])", function(c) return format("\\u{%x}", byte(c)) end)
  end
  return '"' .. s .. '"'
end

-- As by tostring, except for numbers that Lua would read as something else.
local function number(n)
  if n ~= n then return "0/0" end
  if n == huge then return "math.huge" end
  if n == -huge then return "-math.huge" end
  if n == mininteger and math_type(n) == "integer" then return "math.mininteger" end
  local text = tostring(n)
  if tonumber(text) == n then return text end
  text = format("%.17g", n)
  return find(text, "[.e]") and text or text .. ".0"
end

local function is_name(key)
  return type(key) == "string" and find(key, "^[%a_][%w_]*$") and not keywords[key]
end

local ranks = { number = 1, string = 2, boolean = 3 }

local function before(a, b)
  local rank_a, rank_b = ranks[type(a)] or 4, ranks[type(b)] or 4
  if rank_a ~= rank_b then return rank_a < rank_b end
  if rank_a <= 2 then return a < b end
  return tostring(a) < tostring(b)
end

local write

-- The indentation of the deepest tables that are shown: in total, indentation grows with the square of the depth.
local deepest = 2 * 100

-- Appends the contents of a table, or of an object that can be iterated, to the pieces.
local function write_contents(pieces, value, indent, open)
  local fields, sequence, keys = {}, {}, {}
  for key, element in pairs(value) do fields[key] = element end
  -- The keys of a sequence come in any order.
  for position = 1, huge do
    local element = fields[position]
    if element == nil then break end
    sequence[position], fields[position] = element, nil
  end
  for key in next, fields do keys[#keys + 1] = key end
  if #sequence + #keys == 0 then
    pieces[#pieces + 1] = "{}"
    return
  end
  sort(keys, before)
  local inner = indent .. "  "
  pieces[#pieces + 1] = "{\n"
  for index = 1, #sequence do
    pieces[#pieces + 1] = inner
    write(pieces, sequence[index], inner, open)
    pieces[#pieces + 1] = ",\n"
  end
  for _, key in ipairs(keys) do
    pieces[#pieces + 1] = inner
    if is_name(key) then
      pieces[#pieces + 1] = key
    else
      pieces[#pieces + 1] = "["
      write(pieces, key, inner, open)
      pieces[#pieces + 1] = "]"
    end
    pieces[#pieces + 1] = " = "
    write(pieces, fields[key], inner, open)
    pieces[#pieces + 1] = ",\n"
  end
  pieces[#pieces + 1] = indent .. "}"
end

-- Whether pairs can go through an object: for others it returns next, which is for tables, and a removed record raises
-- an error.
local function has_contents(value)
  if type(value) ~= "userdata" then return false end
  local ok, iterate = pcall(pairs, value)
  return ok and iterate ~= next
end

write = function(pieces, value, indent, open)
  if type(value) == "string" then
    pieces[#pieces + 1] = quote(value)
  elseif type(value) == "number" then
    pieces[#pieces + 1] = number(value)
  elseif rawequal(value, null) then
    pieces[#pieces + 1] = "json.null"
  elseif type(value) ~= "table" and not has_contents(value) then
    pieces[#pieces + 1] = tostring(value)
  elseif open[value] then
    pieces[#pieces + 1] = "<cycle>"
  elseif #indent >= deepest then
    pieces[#pieces + 1] = "{...}"
  else
    open[value] = true
    write_contents(pieces, value, indent, open)
    open[value] = nil
  end
end

local function inspect(value)
  local pieces = {}
  write(pieces, value, "", {})
  local text = concat(pieces)
  -- A short value is on one line.
  local line = gsub(gsub(gsub(text, ",\n%s*}", " }"), "{\n%s*", "{ "), ",\n%s*", ", ")
  return #line <= 80 and line or text
end

local function show(...)
  local text = write_shown(...)
  if text then return print(text) end
  for i = 1, select("#", ...) do print(inspect((select(i, ...)))) end
end

-- Its errors have the place of the call of the global function, which calls this one.
local function template(text, values)
  if type(text) ~= "string" then
    error("bad argument #1 to 'template' (text: string expected, got " .. type(text) .. ")", 3)
  end
  local problem
  local filled = gsub(text, "{([^{}]+)}", function(place)
    local path, form = match(place, "^([^:]*):?(.*)$")
    local value = values
    for name in gmatch(path, "[^.]+") do
      local fields = (type(value) == "table" or type(value) == "userdata") and value or {}
      value = nil
      if match(name, "^%d+$") then value = fields[tonumber(name)] end
      if value == nil then value = fields[name] end
    end
    if value == nil then
      problem = problem or "there is no '" .. path .. "'"
    elseif form == "" then
      return tostring(value)
    else
      local ok, text = pcall(format, form, value)
      if ok then return text end
      problem = problem or "{" .. place .. "} doesn't fit its value, " .. tostring(value)
    end
  end)
  if problem then error("template: " .. problem, 3) end
  return filled
end

return { inspect = inspect, show = show, template = template }
