-- Signs a person up, with some typical mistakes.
-- Run it with: primerepl Examples/signup.lua

local data = signup.data

local function show(what)
  print(("%s: %s"):format(what, #signup.path > 0 and table.concat(signup.path, " > ") or "the start"))
end

local function show_alert()
  for line in signup.alert.title:gmatch("[^\n]+") do print("  ! " .. line) end
end

show("before")
signup.next()
show("begun")
data.email = "jane at example.com"
data.password = "correct horse"
data.password_confirmation = "correct hoarse"
print("the password reads as " .. data.password)

-- All steps edit the same record: going back and forward loses nothing.
signup.next()
data.first_name, data.last_name = "Jane", "Do"
signup.back()
show("back")
signup.next()
show("forward")
print("the name is still " .. data.first_name .. " " .. data.last_name)

-- At least one topic is required.
signup.next()
signup.next()
show("no topic chosen")
show_alert()
print("there are " .. table.concat(signup.topics, ", "))
local ok, err = pcall(function() data.topics = { "Testin" } end)
print(ok, err.code)
data.topics = { "Testing", "Concurrency" }
table.insert(data.topics, "SwiftUI")
table.remove(data.topics, 1)
signup.next()
show("topics chosen")

-- On the summary, a sheet edits one part of the record.
signup.edit("personal_info")
print("sheet: " .. signup.sheet)
print("going back: " .. select(2, pcall(signup.back)).code)
data.last_name = "Doe"
signup.done()
print("sheet: " .. tostring(signup.sheet))
print(data)

print("submitted: " .. tostring(signup.submit()))
show_alert()
print("problems: " .. table.concat(signup.alert.problems, ", "))

-- Mistakes can be corrected from any step.
data.email = "jane@example.com"
data.password_confirmation = "correct horse"
print("submitted: " .. tostring(signup.submit()))
print("the password is wiped: " .. tostring(data.password == ""))
print("again: " .. select(2, pcall(signup.submit)).code)

signup.reset()
show("reset")
