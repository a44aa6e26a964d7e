-- Loads a todo list from a JSON file, searches it and completes items.
-- Run it with: primerepl Examples/todo_from_file.lua [file]

local folder = arg[0]:match("^(.*)/[^/]*$") or "."
local source = arg[1] or folder .. "/todos.json"

local ok, err = pcall(todo.fetch, source)
if not ok then
  io.stderr:write(err.message, "\n")
  os.exit(1)
end

local function show(title, items)
  print(title)
  for _, item in ipairs(items) do
    print(("  [%s] %s"):format(item.done and "x" or " ", item.text))
  end
end

show(#todo.items .. " items:", todo.items)

-- Searching ignores case, in any language.
todo.query = "MILK"
show("with milk:", todo.filtered())
todo.query = "CAFÉ"
show("with a café:", todo.filtered())

-- A new item comes first, and clears the query.
local item = todo.add("Call the bank")
for _, entry in ipairs(todo.items) do
  if entry.text:find("milk") then todo.complete(entry.id) end
end
todo.rename(item.id, "Call the other bank")
show("at the end:", todo.items)
