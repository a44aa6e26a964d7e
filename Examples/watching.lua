-- Observes the app's state and prints what changes.
-- Run it with: primerepl Examples/watching.lua

local function log(...)
  print("  " .. table.concat({ ... }, " "))
end

-- A field: the new value and the old one.
local on_count = store.subscribe("counter.count", function(new, old)
  log("count:", old, "->", new)
end)

-- A list: its edits, one by one.
local on_favorites = store.subscribe("favorites", function(edits)
  for _, edit in ipairs(edits) do
    log("favorites:", edit.edit, edit.value, "at", edit.position)
  end
end)

-- A whole feature: the paths of the changed fields.
local on_todo = store.subscribe("todo", function(changes)
  local paths = {}
  for path in pairs(changes) do paths[#paths + 1] = path end
  table.sort(paths)
  log("todo:", table.concat(paths, ", "))
end)

print("increment")
counter.increment(41)
print("nothing changes")
counter.increment(0)
print("favorites")
favorites.add(41)
favorites.add(43)
favorites.remove(41)
print("todo")
todo.add("watch this")

-- Another app has its own state. These subscribers aren't called for it.
print("another app")
local other = store.new()
other.counter.increment()
other.favorites.add(2)

print("no more")
for _, subscription in ipairs({ on_count, on_favorites, on_todo }) do
  subscription:cancel()
end
counter.increment()
print("the count is " .. counter.count .. " here, and " .. other.counter.count .. " there")
