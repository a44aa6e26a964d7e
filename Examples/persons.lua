-- Fetches persons and edits them through live records: all handles see an assignment.
-- Run it with: primerepl Examples/persons.lua

local function show(title)
  print(title)
  for i, person in ipairs(persons) do
    print(("  %d. %s, %d"):format(i, person.name, person.age))
  end
end

persons.fetch()
show("fetched:")

-- A record is bound to its person, not to a position: every handle on the person is the same object.
local john, by_id = persons[2], persons.get(persons[2].id)
john.name = "Jane"
by_id.age = john.age + 1
print("the same object: " .. tostring(john == by_id and john == persons[2]))
show("edited by field:")

-- Several fields in one action: a subscriber is called once.
local subscription = store.subscribe("persons", function(edits)
  for _, edit in ipairs(edits) do
    print("  heard: " .. edit.edit .. " at " .. edit.position)
  end
end)
print("edited at once:")
persons.edit(john.id, { name = "John", age = 31 })
subscription:cancel()

-- An invalid edit is refused, and changes nothing.
print("refused:")
local function try(what, ...)
  local ok, err = pcall(what, ...)
  print(ok and "  done" or "  " .. err.code .. ": " .. err.message)
end
try(persons.edit, john.id, { name = "Johnny", age = 200 })
try(persons.edit, john.id, { nmae = "Johnny" })
try(persons.add, { name = " ", age = 30 })

-- When a person is removed, the others move up. A record never refers to another person.
print("removed:")
local fred = persons[3]
persons.remove(john.id)
print("  " .. inspect(fred), persons[2] == fred)
print("  " .. tostring(john))
try(function() john.name = "Fred" end)

local ann = persons.add{ name = "Ann", age = 30 }
ann.age = ann.age + 1
show("at the end:")
