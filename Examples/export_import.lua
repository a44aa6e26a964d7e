-- Writes the state to files and reads it back: as JSON, and as a script that contains it as a table.
-- Run it with: primerepl Examples/export_import.lua

local function show(app)
  print(("count %d, favorites {%s}"):format(app.counter.count, table.concat(app.favorites, ", ")))
  for _, item in ipairs(app.todo.items) do
    print(("  [%s] %s"):format(item.done and "x" or " ", item.text))
  end
end

counter.count = 17
favorites.add(17)
favorites.add(5)
todo.add("buy milk").done = true
todo.add("write to Jane")

-- As JSON, which any program can read.
local json = os.tmpname()
store.export(json)

-- Another app imports it. It could use another state file.
local other = store.new()
other.store.import(json)
show(other)

-- An import is one action, which can be undone.
print(other.store.position)
other.store.undo()
show(other)
os.remove(json)

-- A name ending in .lua gets a script.
local name = os.tmpname()
local script = name .. ".lua"
store.export(script)
favorites.clear()
dofile(script)
show(app)
os.remove(script)
os.remove(name)

-- A failed import says why, and changes nothing.
local wrong = os.tmpname()
local file = assert(io.open(wrong, "w"))
file:write('{"favorites": [7, 8]}')
file:close()
local ok, err = pcall(store.import, wrong)
print(ok, err.code, (tostring(err):gsub("^.-: ", "")))
show(app)
os.remove(wrong)
