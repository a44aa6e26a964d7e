-- Moves through the history: undo, redo, jump and reset.
-- Run it with: primerepl Examples/time_travel.lua

local function show(what)
  print(("%-14s count %d, favorites {%s}, %d to do"):format(
    what, counter.count, table.concat(favorites, ", "), #todo.items))
end

local function show_history()
  for _, entry in ipairs(store.history()) do
    local paths = {}
    for path in pairs(entry.changes) do paths[#paths + 1] = path end
    table.sort(paths)
    print(("  %s %d  %-24s %s"):format(
      entry.undone and "-" or "+", entry.number, entry.action, table.concat(paths, ", ")))
  end
end

counter.count = 7
favorites.add(7)
local milk = todo.add("milk")
milk.done = true
show("done")

-- Subscribers are called for an undo as for an action.
local subscription = store.subscribe("favorites", function(edits)
  for _, edit in ipairs(edits) do print("  favorites: " .. edit.edit .. " " .. edit.value) end
end)

print("back at " .. store.undo())
print("the item is " .. (milk.done and "done" or "not done"))
print("back at " .. store.undo(2))
show("three undone")
show_history()

-- A live record whose item was undone raises an error, and works again after a redo.
local ok, err = pcall(function() return milk.text end)
print(ok, err.code)
print("forward at " .. store.redo(3))
print("the item is " .. milk.text .. ", " .. (milk.done and "done" or "not done"))
subscription:cancel()

-- 0 is the initial state.
store.jump(0)
show("the start")
store.jump(2)
show("after action 2")

-- A new action replaces those that were undone.
favorites.add(11)
show_history()
print(pcall(store.redo))

-- A reset is an action, too.
store.reset()
show("reset")
store.undo()
show("undone")

-- Services' answers are part of the history: a redo sends no request.
counter.ask_nth_prime()
store.undo(2)
store.redo(2)
print(counter.alert.title)

-- store.changes reports what a function changes.
local changes = store.changes(function()
  counter.increment(4)
  favorites.toggle(11)
  favorites.toggle(11)
end)
for path, value in pairs(changes) do print(path, inspect(value)) end
