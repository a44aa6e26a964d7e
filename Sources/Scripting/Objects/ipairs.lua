-- `ipairs` that doesn't skip elements of a live list in silence: an element that is removed in the loop moves those after
-- it to places that the loop has passed.
local error, ipairs, pcall, select, type = error, ipairs, pcall, select, type
if not ipairs then return end

local function length(list) return #list end

function _ENV.ipairs(...)
  local list = ...
  if type(list) ~= "userdata" then
    if select("#", ...) == 0 then error("bad argument #1 to 'ipairs' (table expected, got no value)", 2) end
    return ipairs(list)
  end
  local has_length, count = pcall(length, list)
  return function(list, position)
    position = position + 1
    local value = list[position]
    if value ~= nil then return position, value end
    if has_length and position <= count then
      error("elements were removed in a loop over their list, which skipped others: use remove_where, "
        .. "or collect them first", 2)
    end
  end, list, 0
end
