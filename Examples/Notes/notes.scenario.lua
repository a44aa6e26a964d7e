-- Scenarios of the program in Notes.swift. Run them with: notes test Examples/Notes

scenario("a note is added after the others", function()
  notes.add("milk")
  expect.changes(function() notes.add("bread") end, {
    ["notes[2]"] = { id = 2, text = "bread", is_pinned = false },
    ["notes.latest"] = "bread",
  })
  expect.equal({ #notes, notes[1].text, notes[2].text }, { 2, "milk", "bread" })
end)

scenario("a note needs a text", function()
  expect.unchanged(function() expect.error(function() notes.add("") end, { code = "empty_text" }) end)
end)

scenario("a note can be pinned", function()
  notes.add("milk")
  expect.changes(function() notes.pin(1) end, { ["notes[1].is_pinned"] = true })
end)

each({
  { "a call", function() notes.rename(1, "tea") end },
  { "an assignment", function() notes[1].text = "tea" end },
}, "a note's text is changed by %s", function(_, change)
  notes.add("milk")
  expect.changes(change, { ["notes[1].text"] = "tea", ["notes.latest"] = "tea" })
end)

scenario("a note is removed, and undo brings it back", function()
  notes.add("milk")
  expect.changes(function() notes.remove(1) end, {
    ["notes.removed"] = { { id = 1, text = "milk", is_pinned = false } },
    ["notes.latest"] = expect.none,
  })
  expect.changes(store.undo, { ["notes[1].text"] = "milk" }, { partial = true })
end)

each({ "pin", "remove" }, "a note that doesn't exist can't be found: %s", function(name)
  expect.unchanged(function() expect.error(function() notes[name](1) end, { code = "not_found" }) end)
end)

-- The stub answers in place of the service: the texts of a file or an address.
scenario("texts are loaded, and the source is remembered", function()
  stub(notes.load, function() return { "eggs", "flour" } end)
  expect.changes(function() notes.load("https://notes.example/more.json") end, {
    ["notes[1]"] = { id = 1, text = "eggs", is_pinned = false },
    ["notes[2]"] = { id = 2, text = "flour", is_pinned = false },
    ["notes.sources[1]"] = { id = 3, name = "https://notes.example/more.json", count = 2 },
    ["notes.latest"] = "flour",
  })
end)

scenario("a source that can't be loaded is an error that stays", function()
  stub(notes.load, function() error({ code = "offline", message = "No network." }) end)
  expect.error(function() notes.load("https://notes.example/more.json") end, { code = "offline" })
  expect.equal({ #notes, notes.load_error }, { 0, "No network." })
end)

-- The hour takes no real time.
scenario("a reminder becomes a note when its time has come", function()
  local reminder = task.spawn(notes.remind, 3600, "call Ann")
  expect.unchanged(function() clock.advance(3599) end)
  expect.changes(function() clock.advance(1) end, {
    ["notes[1]"] = { id = 1, text = "call Ann", is_pinned = false },
    ["notes.latest"] = "call Ann",
  })
  reminder:await()
end)

property("the latest note is the last one, and no two have the same id", { runs = 10, length = 20 }, function()
  invariant(function()
    local ids = {}
    for _, note in ipairs(notes) do
      expect.falsy(ids[note.id])
      ids[note.id] = true
    end
    expect.equal(notes.latest, notes[#notes] and notes[#notes].text)
  end)
end)
