-- The global functions that write values as texts. They get the function that writes values as the prompt shows them, or nothing.
local write = ...
local error, format, gmatch, gsub, inspect, match = error, string.format, string.gmatch, string.gsub, inspect, string.match
local print, select, tonumber, tostring, type = print, select, tonumber, tostring, type

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
      if value == nil then break end
      value = value[tonumber(name) or name]
    end
    if value == nil then problem = problem or path end
    return form == "" and tostring(value) or format(form, value)
  end)
  if problem then error("template: there is no '" .. problem .. "'", 2) end
  return filled
end
