-- The store: undo and its history, subscriptions, files, and other apps.

group("the history", { tags = { "store" } }, function()
  scenario("undoes and redoes one action, or several", function()
    for _ = 1, 3 do counter.increment() end
    expect.equal(expect.changes(store.undo, { ["counter.count"] = 2 }), 2)
    expect.changes(function() store.undo(2) end, { ["counter.count"] = 0 })
    expect.changes(store.redo, { ["counter.count"] = 1 })
    expect.changes(function() store.redo(2) end, { ["counter.count"] = 3 })
  end)

  scenario("has nothing to undo at first, and nothing to redo at the end", function()
    expect.unchanged(function()
      expect.error(store.undo)
      expect.error(store.redo)
    end)
    counter.increment()
    expect.error(function() store.undo(2) end)
    expect.error(store.redo)
    expect.equal(counter.count, 1)
  end)

  scenario("jumps to the state after any action", function()
    counter.count = 17
    todo.add("milk")
    favorites.add(17)
    expect.changes(function() store.jump(1) end, {
      ["todo.items.removed"] = { { id = 1, text = "milk", done = false } }, ["todo.last_query"] = expect.none,
      ["favorites.removed"] = { 17 },
    })
    expect.changes(function() store.jump(0) end, { ["counter.count"] = 0 })
    expect.changes(function() store.jump(3) end, {
      ["counter.count"] = 17, ["todo.items[1].text"] = "milk", ["favorites[1]"] = 17,
    }, { partial = true })
    expect.equal(store.position, 3)
    expect.error(function() store.jump(4) end)
  end)

  scenario("drops what was undone when a new action comes", function()
    counter.increment()
    counter.increment()
    store.undo()
    counter.decrement(5)
    expect.error(store.redo)
    expect.equal(counter.count, -4)
  end)

  scenario("lists the actions as calls, with what they changed", function()
    counter.increment(2)
    todo.add("milk")
    store.undo()
    local entries = store.history()
    expect.equal({ entries[1].action, entries[2].action }, { "counter.increment(2)", 'todo.add("milk")' })
    expect.equal({ entries[1].undone, entries[2].undone }, { false, true })
    expect.contains(inspect(entries[1].changes), "counter.count")
    expect.equal(#store.history(1), 1)
  end)

  scenario("is as long as its limit", function()
    store.history_limit = 2
    for _ = 1, 3 do counter.increment() end
    store.undo(2)
    expect.error(store.undo)
    expect.equal(counter.count, 1)
    expect.error(function() store.history_limit = -1 end)
  end)

  scenario("keeps answers of services: redo doesn't ask again", function()
    local answering = stub(persons.fetch, function() return { { name = "Ann", age = 30 } } end)
    persons.fetch()
    store.undo(2)
    store.redo(2)
    expect.equal(persons[1].name, "Ann")
    expect.called(answering, 1)
  end)

  scenario("undoes a reset, too", function()
    counter.count = 17
    todo.add("milk")
    local state = store.state()
    store.reset()
    expect.equal(store.state(), store.new().store.state())
    store.undo()
    expect.equal(store.state(), state)
  end)
end)

group("subscriptions", { tags = { "store" } }, function()
  -- A spy notes its calls.
  local function subscribe(path)
    local changed = spy()
    return changed, store.subscribe(path, changed)
  end

  scenario("tell the new and the old value, of undo and redo, too", function()
    local changed, subscription = subscribe("counter.count")
    counter.count = 17
    counter.increment()
    store.undo()
    store.redo()
    subscription:cancel()
    counter.increment()
    expect.called(changed, 4)
    expect.called(changed, { 17, 0 })
    expect.called(changed, { 17, 18 })
  end)

  scenario("are silent about what stays the same", function()
    local changed = subscribe("counter.count")
    counter.count = 0
    todo.add("milk")
    expect.called(changed, 0)
  end)

  scenario("can be to a part of a record", function()
    persons.fetch()
    local changed = subscribe("persons[2].name")
    persons[2].age = 40
    persons[1].name = "Maja"
    persons[2].name = "Jane"
    expect.called(changed, 1)
    expect.called(changed, { "Jane", "John" })
  end)

  scenario("to a list tell its edits", function()
    local changed = subscribe("favorites")
    favorites.add(7)
    expect.called(changed, 1)
    expect.called(changed, { { { edit = "inserted", position = 1, value = 7 } } })
  end)

  scenario("need a path that exists", function()
    expect.error(function() store.subscribe("counter.cuont", print) end, "did you mean")
  end)

  scenario("to actions tell all of them", function()
    local seen = {}
    local subscription = store.on_action(function(entry) seen[#seen + 1] = entry.action end)
    counter.increment()
    todo.add("milk")
    subscription:cancel()
    counter.increment()
    expect.equal(seen, { "counter.increment()", 'todo.add("milk")' })
  end)

  scenario("aren't needed to see what a function changes", function()
    expect.equal(store.changes(function()
      counter.increment()
      favorites.add(2)
    end), { ["counter.count"] = 1, ["favorites"] = expect.any() })
  end)
end)

group("files", { tags = { "store", "files" } }, function()
  local function fill()
    counter.count = 17
    counter.ask_is_prime()
    favorites.add(17)
    todo.add("milk").done = true
    persons.fetch()
    landmarks.load()
    landmarks.select(3)
    signup.next()
  end

  scenario("hold the exported state, and give it back", function()
    fill()
    local path, state = tmp() .. "/state.json", store.state()
    store.export(path)
    local other = store.new()
    other.store.import(path)
    expect.equal(other.store.state(), state)
    expect.equal(other.store.history()[1].action, ("store.import(%q)"):format(path))
    expect.unchanged(function() store.import(path) end)
  end)

  scenario("named .lua are scripts that make the state", function()
    fill()
    local path, state = tmp() .. "/state.lua", store.state()
    store.export(path)
    store.reset()
    dofile(path)
    expect.equal(store.state(), state)
  end)

  scenario("named .scenario.lua are scenarios that repeat the history", function()
    counter.increment()
    persons.add({ name = "Ann", age = 30 })
    signup.data.password = "geheim"
    local path = tmp() .. "/recorded.scenario.lua"
    store.export(path)
    local file <close> = assert(io.open(path))
    local text = file:read("a")
    for _, part in ipairs({ "scenario(", "counter.increment", "persons.add", '"Ann"', "expect.changes" }) do
      expect.contains(text, part)
    end
    expect.falsy(text:find("geheim"))
  end)

  scenario("that are refused change nothing", function()
    fill()
    local path = tmp() .. "/state.json"
    for _, content in ipairs({ "", "[]", '{"counter": {"count": "17"}}', '{"favorites": [8]}' }) do
      local file <close> = assert(io.open(path, "w"))
      file:write(content):close()
      expect.unchanged(function() expect.error(function() store.import(path) end) end)
    end
    expect.error(function() store.import("no-such-file.json") end, { code = "not_readable" })
  end)

  scenario("of sessions don't exist: a scenario is in memory", function()
    expect.error(store.save, { code = expect.any("string") })
  end)
end)

group("another app", { tags = { "store" } }, function()
  scenario("has the same modules, and a state of its own", function()
    local other = store.new()
    expect.unchanged(function()
      other.counter.count = 5
      other.favorites.add(5)
    end)
    expect.changes(counter.increment, { ["counter.count"] = 1 })
    expect.equal({ counter.count, other.counter.count, other.store.position }, { 1, 5, 2 })
  end)

  scenario("is the session's for none but itself: app is this scenario's", function()
    expect.equal(app.counter, counter)
    app.counter.increment()
    expect.equal(counter.count, 1)
  end)
end)
