-- Matches texts as a whole. The functions of the string library report a malformed pattern only when matching reaches the fault.
local find, gsub, match, sub = string.find, string.gsub, string.match, string.sub

-- The maximum number of captures in a pattern, LUA_MAXCAPTURES.
local maximum_captures = 32

-- The position after the set that begins at a position.
local function after_set(pattern, position)
  position = position + (sub(pattern, position + 1, position + 1) == "^" and 2 or 1)
  repeat
    if position > #pattern then error("malformed pattern (missing ']')", 0) end
    position = position + (sub(pattern, position, position) == "%" and 2 or 1)
  until sub(pattern, position, position) == "]"
  return position + 1
end

-- The position after the class, the balance, the frontier or the back reference that begins at a percent sign.
local function after_percent(pattern, position, closed)
  local class = sub(pattern, position + 1, position + 1)
  if class == "" then error("malformed pattern (ends with '%')", 0) end
  if class == "f" and sub(pattern, position + 2, position + 2) ~= "[" then
    error("missing '[' after '%f' in pattern", 0)
  end
  if match(class, "%d") and not closed[class] then error("invalid capture index %" .. class .. " in pattern", 0) end
  if class ~= "b" then return position + 2 end
  if #pattern < position + 3 then error("malformed pattern (missing arguments to '%b')", 0) end
  return position + 4
end

-- Raises what is wrong with a pattern.
local function check(pattern)
  local position, count, open, closed = 1, 0, {}, {}
  while position <= #pattern do
    local character = sub(pattern, position, position)
    if character == "%" then
      position = after_percent(pattern, position, closed)
    elseif character == "[" then
      position = after_set(pattern, position)
    else
      if character == "(" then
        count = count + 1
        if count > maximum_captures then error("too many captures", 0) end
        open[#open + 1] = count
      elseif character == ")" then
        if #open == 0 then error("invalid pattern capture", 0) end
        closed[tostring(table.remove(open))] = true
      end
      position = position + 1
    end
  end
  if #open > 0 then error("unfinished capture", 0) end
end

-- Whether a pattern matches a text; without a text, only raises what is wrong with the pattern.
return function(pattern, text)
  if not text then
    check(pattern)
    return true
  end
  -- It may have anchors of its own; an escaped %$ isn't one.
  local body, percents = match(pattern, "^(.-)(%%*)%$$")
  if body and #percents % 2 == 0 then pattern = body .. percents end
  return find(text, "^" .. gsub(pattern, "^%^", "") .. "$") ~= nil
end
