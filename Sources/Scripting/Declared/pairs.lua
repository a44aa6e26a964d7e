-- `pairs` and `next` for code that must always give the same result: Lua's own go in an order of texts that differs in
-- each process. These go through numbers, then texts by their bytes, then false and true. Keys of other kinds come
-- last, in any order: tables and functions have none but that of their addresses.
local error, next, pairs, rawget, sort, type = error, next, pairs, rawget, table.sort, type

local ranks = { number = 1, string = 2, boolean = 3 }

local function precedes(a, b)
  local kind, other = type(a), type(b)
  if kind ~= other then return (ranks[kind] or 4) < (ranks[other] or 4) end
  if kind == "boolean" then return b and not a end
  return ranks[kind] and a < b
end

local function sorted_keys(object)
  local keys, kind = {}, type((next(object)))
  for key in next, object do
    keys[#keys + 1] = key
    if type(key) ~= kind then kind = "mixed" end
  end
  -- Keys of one kind need no call of a function for each comparison.
  sort(keys, kind ~= "number" and kind ~= "string" and precedes or nil)
  return keys
end

-- Returns the first key after another, or the first of all, with its value. Looks at all keys: `pairs` is for loops.
local function ordered_next(object, key)
  if type(object) ~= "table" then
    error("bad argument #1 to 'next' (table expected, got " .. type(object) .. ")", 2)
  end
  local first = key == nil
  if not first and not ranks[type(key)] then
    error("next can't go on after a " .. type(key) .. " here, as such keys have no order; use pairs", 2)
  end
  local found
  for candidate in next, object do
    if (first or precedes(key, candidate)) and (found == nil or precedes(candidate, found)) then found = candidate end
  end
  if found == nil then return nil end
  return found, rawget(object, found)
end

-- Goes through the keys that are there when the loop begins, without those that are removed until their turn.
local function ordered_pairs(value)
  local iterate, object, key = pairs(value)
  -- Also those of a `__pairs` that returns `next` and a table.
  local is_plain = (iterate == next or iterate == ordered_next) and key == nil and type(object) == "table"
  if not is_plain then return iterate, object, key end
  local keys, position = sorted_keys(object), 0
  return function()
    local key, value
    repeat
      position = position + 1
      key = keys[position]
      if key ~= nil then value = rawget(object, key) end
    until key == nil or value ~= nil
    return key, value
  end, object
end

_G.pairs, _G.next = ordered_pairs, ordered_next
