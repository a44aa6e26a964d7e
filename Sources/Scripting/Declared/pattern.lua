-- Matches texts as a whole. The functions of the string library only find a fault of a pattern where a text gets to it.
local find, gsub, match, sub = string.find, string.gsub, string.match, string.sub

-- The position after the set that begins at a position.
local function after_set(pattern, position)
  position = position + (sub(pattern, position + 1, position + 1) == "^" and 2 or 1)
  repeat
    if position > #pattern then error("malformed pattern (missing ']')", 0) end
    position = position + (sub(pattern, position, position) == "%" and 2 or 1)
  until sub(pattern, position, position) == "]"
  return position + 1
end

-- Raises what is wrong with a pattern.
local function check(pattern)
  local position, depth = 1, 0
  while position <= #pattern do
    local character = sub(pattern, position, position)
    if character == "%" then
      local class = sub(pattern, position + 1, position + 1)
      if class == "" then error("malformed pattern (ends with '%')", 0) end
      if class == "b" and #pattern < position + 3 then error("malformed pattern (missing arguments to '%b')", 0) end
      if class == "f" and sub(pattern, position + 2, position + 2) ~= "[" then
        error("missing '[' after '%f' in pattern", 0)
      end
      position = position + (class == "b" and 4 or 2)
    elseif character == "[" then
      position = after_set(pattern, position)
    else
      depth = depth + (character == "(" and 1 or character == ")" and -1 or 0)
      if depth < 0 then error("invalid pattern capture", 0) end
      position = position + 1
    end
  end
  if depth > 0 then error("unfinished capture", 0) end
end

-- Whether a pattern matches a text; without a text, only raises what is wrong with the pattern.
return function(pattern, text)
  if not text then
    check(pattern)
    return true
  end
  -- It may have anchors of its own; a dollar sign after a percent sign is none.
  local body, percents = match(pattern, "^(.-)(%%*)%$$")
  if body and #percents % 2 == 0 then pattern = body .. percents end
  return find(text, "^(" .. gsub(pattern, "^%^", "") .. ")$") ~= nil
end
