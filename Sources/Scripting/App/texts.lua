-- The global functions that write values as texts. They get the function that writes values as the prompt shows them, or nothing.
local write = ...
local error, format, gmatch, gsub, inspect, match = error, string.format, string.gmatch, string.gsub, inspect, string.match
local pcall, print, select, tonumber, tostring, type = pcall, print, select, tonumber, tostring, type

function show(...)
  local text = write(...)
  if text then return print(text) end
  for i = 1, select("#", ...) do print(inspect((select(i, ...)))) end
end

function template(text, values)
  if type(text) ~= "string" then
    error("bad argument #1 to 'template' (text: string expected, got " .. type(text) .. ")", 2)
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
  if problem then error("template: " .. problem, 2) end
  return filled
end
