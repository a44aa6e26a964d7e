-- Values of scenarios: how they are shown and compared, and matchers that stand for several.
local vocabulary = ...

-- Files can replace the globals.
local ipairs, next, pairs, pcall, rawequal, setmetatable = ipairs, next, pairs, pcall, rawequal, setmetatable
local tostring, type, math_type, concat, sort = tostring, type, math.type, table.concat, table.sort
local find, format, gsub, match, sub = string.find, string.format, string.gsub, string.match, string.sub
local inspect, metatable_of, misuse = inspect, vocabulary.metatable_of, vocabulary.misuse

-- Long values are cut for reports.
local longest = 10000

-- A value as Lua text.
local function show(value)
  if type(value) == "string" and #value > longest then
    return format("%s ... %d more bytes", inspect(sub(value, 1, longest)), #value - longest)
  end
  -- On one line; line ends in strings are escaped.
  local text = gsub(inspect(value), "\n%s*", " ")
  if #text > longest then text = format("%s ... %d more bytes", sub(text, 1, longest), #text - longest) end
  return text
end

-- The kind of a value, for messages about a wrong one.
local function kind_of(value) return value == nil and "nil" or "a " .. type(value) end

local Matcher = { __name = "matcher" }
Matcher.__tostring = function(matcher) return matcher.text end

local function is_matcher(value) return type(value) == "table" and metatable_of(value) == Matcher end

local function matcher(text, test) return setmetatable({ text = text, test = test }, Matcher) end

local function text_of(expected) return is_matcher(expected) and expected.text or show(expected) end

-- The fields and elements of a table, or of an object of the app; nil for another value.
local function contents(value)
  if type(value) == "table" then
    local fields = {}
    for key, element in pairs(value) do fields[key] = element end
    return fields
  end
  if type(value) ~= "userdata" then return nil end
  local ok, iterate, state, key = pcall(pairs, value)
  if not ok or iterate == next then return nil end
  local fields = {}
  for field, element in iterate, state, key do fields[field] = element end
  return fields
end

local function before(a, b)
  if type(a) == "number" and type(b) == "number" then return a < b end
  if type(a) ~= type(b) then return type(a) < type(b) end
  return tostring(a) < tostring(b)
end

-- The text of a path, which is one already, or a pair of a path and the key after it.
local function text_of_path(path)
  local keys = {}
  while type(path) == "table" do
    keys[#keys + 1] = path[2]
    path = path[1]
  end
  local parts = { path }
  for index = #keys, 1, -1 do
    local key = keys[index]
    if type(key) == "string" and match(key, "^[%a_][%w_]*$") then
      parts[#parts + 1] = (#parts > 1 or path ~= "") and "." .. key or key
    else
      parts[#parts + 1] = format("[%s]", show(key))
    end
  end
  return concat(parts)
end

local most_differences = 100

local function differ(differences, path, expected, actual)
  if #differences >= most_differences then return end
  differences[#differences + 1] = {
    path = text_of_path(path),
    expected = expected ~= nil and text_of(expected) or nil,
    actual = actual ~= nil and text_of(actual) or nil,
  }
end

-- The common beginning of long strings is left out, as only the beginning of the rest is shown.
local function differ_in_long(differences, path, expected, actual)
  local first, last = 1, #expected < #actual and #expected or #actual
  while first <= last do
    local middle = (first + last) // 2
    if sub(expected, first, middle) == sub(actual, first, middle) then first = middle + 1 else last = middle - 1 end
  end
  local start = first > 100 and first - 100 or 1
  local place = start > 1 and format(" (from byte %d)", start) or ""
  differ(differences, path, matcher(show(sub(expected, start)) .. place), matcher(show(sub(actual, start)) .. place))
end

-- Deeper tables would exceed the stack.
local deepest = 1000

local compare

-- Longer parts of lists aren't aligned: that takes time proportional to the product of their lengths.
local longest_aligned = 200

local function id_of(element)
  local fields = contents(element)
  return fields and fields.id
end

-- Whether two elements are the same record, by their ids, or else equal.
local function are_alike(wanted, found)
  local id, other = not is_matcher(wanted) and id_of(wanted), id_of(found)
  if id and other then return id == other end
  local differences = {}
  compare(wanted, found, "", differences, {})
  return #differences == 0
end

-- The pairs of positions of elements that are alike in two lists, in order, as many as possible.
local function alignment(wanted, found)
  local first, wanted_last, found_last = 1, #wanted, #found
  local pairs_before, pairs_after = {}, {}
  while first <= wanted_last and first <= found_last and are_alike(wanted[first], found[first]) do
    pairs_before[first] = { first, first }
    first = first + 1
  end
  while wanted_last >= first and found_last >= first and are_alike(wanted[wanted_last], found[found_last]) do
    pairs_after[#pairs_after + 1] = { wanted_last, found_last }
    wanted_last, found_last = wanted_last - 1, found_last - 1
  end
  if wanted_last - first < longest_aligned and found_last - first < longest_aligned then
    -- The lengths of the longest common subsequences of the rests that begin at each pair of positions.
    local alike, lengths = {}, { [wanted_last + 1] = {} }
    for i = wanted_last, first, -1 do
      alike[i], lengths[i] = {}, {}
      for j = found_last, first, -1 do
        alike[i][j] = are_alike(wanted[i], found[j])
        local down, right = lengths[i + 1][j] or 0, lengths[i][j + 1] or 0
        lengths[i][j] = alike[i][j] and (lengths[i + 1][j + 1] or 0) + 1 or down > right and down or right
      end
    end
    local i, j = first, first
    while i <= wanted_last and j <= found_last do
      if alike[i][j] then
        pairs_before[#pairs_before + 1] = { i, j }
        i, j = i + 1, j + 1
      elseif (lengths[i + 1][j] or 0) >= (lengths[i][j + 1] or 0) then
        i = i + 1
      else
        j = j + 1
      end
    end
  end
  for index = #pairs_after, 1, -1 do pairs_before[#pairs_before + 1] = pairs_after[index] end
  return pairs_before
end

-- Compares lists of which some elements are alike. Those between are compared in their order, and the rest of them is
-- missing or unexpected: an element that is missing in the middle is the only difference.
local function compare_aligned(wanted, found, path, differences, compared, depth)
  local aligned = alignment(wanted, found)
  aligned[#aligned + 1] = { #wanted + 1, #found + 1 }
  local i, j = 1, 1
  for _, pair in ipairs(aligned) do
    while i < pair[1] or j < pair[2] do
      if i < pair[1] and j < pair[2] then
        compare(wanted[i], found[j], { path, j }, differences, compared, depth + 1)
        i, j = i + 1, j + 1
      elseif i < pair[1] then
        differ(differences, { path, i }, wanted[i], nil)
        i = i + 1
      else
        differ(differences, { path, j }, nil, found[j])
        j = j + 1
      end
    end
    if i <= #wanted then compare(wanted[i], found[j], { path, j }, differences, compared, depth + 1) end
    i, j = i + 1, j + 1
  end
end

-- Compares lists by position, or aligned if there are fewer differences then.
local function compare_lists(wanted, found, path, differences, compared, depth)
  local by_position, aligned = {}, {}
  for position = 1, #wanted > #found and #wanted or #found do
    compare(wanted[position], found[position], { path, position }, by_position, compared, depth + 1)
  end
  if #by_position > 1 then compare_aligned(wanted, found, path, aligned, compared, depth) end
  local fewer = #aligned > 0 and #aligned < #by_position and aligned or by_position
  for _, difference in ipairs(fewer) do
    if #differences < most_differences then differences[#differences + 1] = difference end
  end
end

-- Whether fields are the elements of a list, of at least one.
local function is_list(fields)
  local count = 0
  for key in pairs(fields) do
    if math_type(key) ~= "integer" then return false end
    count = count + 1
  end
  return count > 0 and count == #fields
end

local function compare_fields(expected, actual, path, differences, compared, depth)
  local wanted, found = contents(expected), contents(actual)
  if not wanted or not found then return differ(differences, path, expected, actual) end
  if depth == deepest then
    return differ(differences, path, matcher("at most 1000 tables within each other"), matcher("more"))
  end
  if is_list(wanted) and is_list(found) then
    return compare_lists(wanted, found, path, differences, compared, depth)
  end
  local keys = {}
  for key in pairs(wanted) do keys[#keys + 1] = key end
  for key in pairs(found) do
    if wanted[key] == nil then keys[#keys + 1] = key end
  end
  sort(keys, before)
  for _, key in ipairs(keys) do
    compare(wanted[key], found[key], { path, key }, differences, compared, depth + 1)
  end
end

-- Adds the differences of two values. `path` is a text, or a path and the key after it; `compared` has, for each table,
-- those that it is being compared with, or doesn't differ from.
function compare(expected, actual, path, differences, compared, depth)
  if is_matcher(expected) then
    if not expected.test(actual) then differ(differences, path, expected, actual == nil and matcher("nil") or actual) end
    return
  end
  if rawequal(expected, actual) or (expected ~= expected and actual ~= actual) then return end
  local kind, other = type(expected), type(actual)
  if kind == "string" and other == "string" and (#expected > longest or #actual > longest) then
    return differ_in_long(differences, path, expected, actual)
  end
  if kind == "string" and other == "string" and (find(expected, "\n", 1, true) or find(actual, "\n", 1, true)) then
    -- As they are, so that reports can compare their lines.
    return differ(differences, path, matcher(expected), matcher(actual))
  end
  if (kind ~= "table" and kind ~= "userdata") or (other ~= "table" and other ~= "userdata") then
    if expected ~= actual then differ(differences, path, expected, actual) end
    return
  end
  local known = compared[expected]
  if not known then
    known = {}
    compared[expected] = known
  end
  if known[actual] or expected == actual or #differences >= most_differences then return end
  known[actual] = true
  local count = #differences
  compare_fields(expected, actual, path, differences, compared, depth or 1)
  if #differences > count then known[actual] = nil end
end

local function differences_of(expected, actual, path)
  local differences = {}
  compare(expected, actual, path or "", differences, {})
  return differences
end

local values = {
  is_matcher = is_matcher, matcher = matcher, show = show, text_of = text_of, kind_of = kind_of, contents = contents,
  compare = compare, differ = differ, differences_of = differences_of, before = before,
}

-- Whether a text matches a pattern; `name` is the function that was given the pattern.
function values.matches(text, pattern, name)
  if type(pattern) ~= "string" then misuse(format("expect.%s needs a Lua pattern, not %s", name, kind_of(pattern))) end
  if type(text) ~= "string" then return false end
  local ok, found = pcall(find, text, pattern)
  if not ok then misuse(format("expect.%s needs a Lua pattern: %s", name, found)) end
  return found ~= nil
end

-- MARK: Matchers

local matchers = {}

local kinds = {
  boolean = true, number = true, integer = true, float = true, string = true, table = true, userdata = true,
  ["function"] = true, thread = true,
}

-- A matcher that got the actual value, too, would compare nothing, and the scenario would pass.
local function refuse_actual(name, instead, ...)
  if (...) == nil then return end
  misuse(format("expect.%s stands for an expected value and takes no actual one: %s compares", name, instead))
end

-- Any value, or any of a type, in place of an expected value.
function matchers.any(kind, ...)
  refuse_actual("any", "expect.equal(actual, expect.any(...))", ...)
  if kind == nil then
    return matcher("any value", function(value) return value ~= nil end)
  end
  if kind == "nil" then return matchers.none end
  if not kinds[kind] then
    misuse('expect.any needs the name of a type, such as "string" or "integer", not ' .. show(kind))
  end
  return matcher("any " .. kind, function(value) return type(value) == kind or math_type(value) == kind end)
end

-- No value: the expected one of a field that becomes nil.
matchers.none = matcher("nil", function(value) return value == nil end)

-- A string that matches a Lua pattern.
function matchers.like(pattern, ...)
  refuse_actual("like", "expect.matches(actual, pattern)", ...)
  values.matches("", pattern, "like")
  return matcher("a string like " .. show(pattern), function(value) return values.matches(value, pattern, "like") end)
end

-- A table that has these fields, and perhaps others.
function matchers.having(fields, ...)
  refuse_actual("having", "expect.equal(actual, expect.having(...))", ...)
  if type(fields) ~= "table" then misuse("expect.having needs a table of fields, not " .. kind_of(fields)) end
  return matcher("a table having " .. show(fields), function(value)
    local found = contents(value)
    if not found then return false end
    for key, expected in pairs(fields) do
      if #differences_of(expected, found[key]) > 0 then return false end
    end
    return true
  end)
end

-- A value for which a function returns true.
function matchers.where(test, text)
  if type(test) ~= "function" then misuse("expect.where needs a function, not " .. kind_of(test)) end
  if text ~= nil and type(text) ~= "string" then misuse("expect.where needs a text as its description") end
  return matcher(text or "a value that the function accepts", function(value) return test(value) and true or false end)
end

values.matchers = matchers
return values
