-- `assert` in scenario files: a comparison that fails says what its sides were.
local host, values = ...

-- Files can replace the globals.
local plain_assert, error, ipairs, load, pcall, select = assert, error, ipairs, load, pcall, select
local setmetatable, getinfo, getlocal, getupvalue = setmetatable, debug.getinfo, debug.getlocal, debug.getupvalue
local concat, find, format, gsub, match, rep, sub =
  table.concat, string.find, string.format, string.gsub, string.match, string.rep, string.sub
local globals, show = _G, values.show

local operators = { "==", "~=", "<=", ">=", "<", ">" }

-- The sides of a comparison of variables, fields and constants; nothing for another expression: evaluating it again could
-- change something.
local function sides(condition)
  -- Strings can contain anything.
  local plain = gsub(condition, "([\"'])(.-)%1", function(_, text) return "'" .. rep("_", #text) .. "'" end)
  local words = " " .. gsub(plain, "[^%w_]", " ") .. " "
  if find(plain, "[(){}:;\"\\]") or find(words, " and ") or find(words, " or ") or find(words, " not ") then return end
  for _, operator in ipairs(operators) do
    local first, last = find(plain, operator, 1, true)
    if first then
      if find(plain, "[=~<>]", last + 1) then return end
      return match(sub(condition, 1, first - 1), "^%s*(.-)%s*$"), match(sub(condition, last + 1), "^%s*(.-)%s*$")
    end
  end
end

-- The variables that the function at a level of the caller's sees: its upvalues, and its locals, the last ones first.
local function variables(level)
  local found, is_known = {}, {}
  local fn = getinfo(level + 1, "f").func
  for index = 1, 255 do
    local name, value = getupvalue(fn, index)
    if not name then break end
    found[name], is_known[name] = value, true
  end
  for index = 1, 255 do
    local name, value = getlocal(level + 1, index)
    if not name then break end
    found[name], is_known[name] = value, true
  end
  return setmetatable({}, {
    __index = function(_, name)
      if is_known[name] then return found[name] end
      return globals[name]
    end,
  })
end

-- What the sides of the failed comparison at a level of the caller's are; nil if it isn't one on a single line.
local function explanation(level)
  local info = getinfo(level + 1, "Sl")
  if not info or sub(info.source, 1, 1) ~= "@" then return nil end
  local line = host.source_line(sub(info.source, 2), info.currentline)
  local call = line and match(line, "%f[%w_]assert%s*(%b())")
  -- Of several calls on a line, it isn't known which one failed.
  if not call or select(2, gsub(line, "%f[%w_]assert%f[^%w_]", "")) ~= 1 then return nil end
  local condition = sub(call, 2, -2)
  local left, right = sides(condition)
  if not left then return nil end
  local environment, texts, parts = variables(level + 1), {}, {}
  for index, side in ipairs({ left, right }) do
    local read = load("return " .. side, "=assert", "t", environment)
    local ok, value = pcall(read or error)
    if not ok then return nil end
    texts[index] = show(value)
  end
  texts = { host.distinct(texts[1], texts[2]) }
  for index, side in ipairs({ left, right }) do
    local text = texts[index]
    if text ~= side and not find(side, "^[\"']") then parts[#parts + 1] = format("%s is %s", side, text) end
  end
  return #parts > 0 and format("assertion failed: %s, but %s", condition, concat(parts, " and ")) or nil
end

function assert(...)
  if select("#", ...) ~= 1 or (...) then return plain_assert(...) end
  error(explanation(2) or "assertion failed!", 0)
end
