-- Loads landmarks, marks favorites, selects one, and prints a report with stars.
-- Run it with: primerepl Examples/landmarks_report.lua [file]

local ok, err = pcall(landmarks.load, arg[1])
if not ok then
  io.stderr:write(err.message, "\n")
  os.exit(1)
end

local function report(title)
  print(title)
  for _, landmark in ipairs(landmarks.visible()) do
    local mark = landmark.id == landmarks.selected and ">" or " "
    print(("%s %s (%s)"):format(mark, landmark, landmark.state))
  end
end

report(#landmarks.all .. " landmarks:")

-- The list can be filtered. Toggling uses the id, not the row.
landmarks.show_favorites_only = true
local first = landmarks.visible()[1]
landmarks.select(first.id)
report("favorites:")

-- A landmark that is no longer a favorite leaves the rows at once. The selection stays.
landmarks.toggle_favorite(first.id)
report("without " .. first.name .. ":")

-- The detail shows the same record.
local detail = landmarks.get(landmarks.selected)
print(("selected: %s, %s, %.3f, %.3f"):format(
  detail, detail.park, detail.latitude, detail.longitude))
detail.is_favorite = true
report("with it again:")

landmarks.show_favorites_only = false
landmarks.deselect()

local by_state, states = {}, {}
for _, landmark in ipairs(landmarks.all) do
  if not by_state[landmark.state] then
    by_state[landmark.state] = {}
    states[#states + 1] = landmark.state
  end
  table.insert(by_state[landmark.state], tostring(landmark))
end
table.sort(states)
print("by state:")
for _, state in ipairs(states) do
  print("  " .. state .. ": " .. table.concat(by_state[state], ", "))
end
