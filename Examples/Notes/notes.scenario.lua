-- Scenarios of the program in Notes.swift. Run them with: notes test Examples/Notes

scenario("a note is added after the others", function()
  notes.add("milk")
  expect.changes(function() notes.add("bread") end, {
    ["notes.all[2]"] = { id = 2, text = "bread", is_pinned = false },
  })
  expect.equal({ #notes, notes[1], notes[2] }, { 2, "milk", "bread" })
end)

scenario("a note needs a text", function()
  expect.unchanged(function() expect.error(function() notes.add("") end, { code = "empty_text" }) end)
end)

scenario("a note can be pinned", function()
  notes.add("milk")
  expect.changes(function() notes.pin(1) end, { ["notes.all[1].is_pinned"] = true })
end)

scenario("a note is removed, and undo brings it back", function()
  notes.add("milk")
  expect.changes(function() notes.remove(1) end, {
    ["notes.all.removed"] = { { id = 1, text = "milk", is_pinned = false } },
  })
  expect.changes(store.undo, { ["notes.all[1].text"] = "milk" }, { partial = true })
end)

each({ "pin", "remove" }, "a note that doesn't exist can't be found: %s", function(name)
  expect.unchanged(function() expect.error(function() notes[name](1) end, { code = "not_found" }) end)
end)

-- The hour takes no real time.
scenario("a reminder becomes a note when its time has come", function()
  local reminder = task.spawn(notes.remind, 3600, "call Ann")
  expect.unchanged(function() clock.advance(3599) end)
  expect.changes(function() clock.advance(1) end, {
    ["notes.all[1]"] = { id = 1, text = "call Ann", is_pinned = false },
  })
  reminder:await()
end)

property("ids are never used twice", { runs = 10, length = 20 }, function()
  local texts = {}
  invariant(function()
    for _, note in ipairs(store.state().notes.all) do
      local known = texts[note.id] or note.text
      texts[note.id] = known
      expect.equal(note.text, known)
    end
  end)
end)
