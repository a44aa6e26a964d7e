-- `ipairs` that doesn't skip or repeat elements of a live list in silence: one that is removed or moved in the loop moves
-- others to or from places that the loop has passed.
--
-- It gets a function that returns the ids of the records at a position of a list and after it.
local ids_at = ...
local error, ipairs, pcall, select, type = error, ipairs, pcall, select, type
if not ipairs then return end

local function length(list) return #list end

local function refuse()
  error("elements were removed or moved in a loop over their list, which skips or repeats others: use remove_where, "
    .. "or collect them first", 3)
end

function _ENV.ipairs(...)
  local list = ...
  if type(list) ~= "userdata" then
    if select("#", ...) == 0 then error("bad argument #1 to 'ipairs' (table expected, got no value)", 2) end
    return ipairs(list)
  end
  local has_length, count = pcall(length, list)
  local has_records, _, first = pcall(ids_at, list, 0)
  has_records = has_records and first ~= nil
  -- The id of the record that the loop is at.
  local current
  return function(list, position)
    if has_records then
      local found, following = ids_at(list, position)
      -- Nil after the last record, which can be removed.
      if found ~= nil and found ~= current then refuse() end
      current = following
    end
    position = position + 1
    local value = list[position]
    if value ~= nil then return position, value end
    if has_length and position <= count then refuse() end
  end, list, 0
end
