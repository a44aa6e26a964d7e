-- What several features have to do with each other, and what scenarios can rely on.

-- In an exhaustive scenario, every change is expected: one outside expect.changes fails it.
group("the app", { exhaustive = true, tags = { "app" } }, function()
  scenario("keeps the count while other features are used", function()
    expect.changes(function() counter.count = 7 end, { ["counter.count"] = 7 })
    expect.changes(function() todo.add("milk") end, {
      ["todo.items[1]"] = { id = 1, text = "milk", done = false }, ["todo.last_query"] = "milk",
    })
    expect.changes(counter.increment, { ["counter.count"] = 8 })
  end)

  scenario("shows a favorite on the card whichever way it was added", function()
    expect.changes(function() favorites.add(7) end, { ["favorites[1]"] = 7 })
    expect.changes(function() counter.count = 7 end, { ["counter.count"] = 7 })
    expect.changes(counter.ask_is_prime, {
      ["counter.modal"] = expect.having({ is_favorite = true, button = "Remove from favorite primes" }),
    })
    expect.changes(favorites.clear, {
      ["favorites.removed"] = { 7 }, ["counter.modal.is_favorite"] = false,
      ["counter.modal.button"] = "Save to favorite primes",
    })
  end)

  scenario("undoes what the card's button did to the favorites", function()
    expect.changes(function() counter.count = 7 end, { ["counter.count"] = 7 })
    expect.changes(counter.ask_is_prime, { ["counter.modal"] = expect.any("table") })
    expect.changes(counter.press_modal_button, {
      ["favorites"] = { 7 }, ["counter.modal"] = expect.having({ is_favorite = true }),
    })
    expect.changes(store.undo, { ["favorites"] = {}, ["counter.modal"] = expect.having({ is_favorite = false }) })
  end)
end)

group("requests of several features", { tags = { "app", "async" } }, function()
  scenario("are awaited together, each for as long as it takes", function()
    stub(persons.fetch, function() task.sleep(5) return { { name = "Ann", age = 30 } } end)
    counter.count = 17
    expect.actions(function() task.all({ todo.fetch, persons.fetch, counter.ask_nth_prime }) end, {
      "todo.fetch()", "persons.fetch()", "counter.ask_nth_prime()", "counter.ask_nth_prime() --> 59",
      "todo.fetch() --> 2 items", "persons.fetch() --> 1 item",
    })
    expect.near(clock.now(), 5)
  end)

  scenario("don't keep anybody from working", function()
    local fetching = task.spawn(todo.fetch)
    counter.increment()
    todo.add("milk")
    expect.equal({ todo.loading, counter.count, #todo.items }, { true, 1, 1 })
    fetching:await()
    expect.equal(#todo.items, 2)
  end)

  scenario("can be given a time limit, which takes no real time", function()
    stub(todo.fetch, function() task.sleep(3600) return {} end)
    expect.error(function() task.timeout(60, todo.fetch) end)
    expect.near(clock.now(), 60)
    expect.equal(todo.loading, false)
  end)

  scenario("can be polled for", function()
    task.spawn(persons.fetch)
    task.spawn(todo.fetch):await()
    expect.eventually(function() return #persons == 3 end)
  end)
end)

group("each scenario", { tags = { "app" } }, function()
  -- Which of the two runs first makes no difference.
  for _, name in ipairs({ "begins with a new app", "leaves nothing to the others" }) do
    scenario(name, function()
      expect.equal({ store.position, counter.count, clock.now(), shared }, { 0, 0, 0.0 })
      counter.increment()
      shared = true
    end)
  end

  scenario("has its own folder for files", function()
    local path = tmp() .. "/note.txt"
    local file = assert(io.open(path, "w"))
    file:write("gone when the scenario ends")
    file:close()
    expect.truthy(io.open(path))
  end)

  scenario("has the same random numbers in each run", function()
    local numbers = {}
    for index = 1, 5 do numbers[index] = math.random(1000) end
    expect.snapshot("numbers", numbers)
  end)
end)

-- Everything that people can do, in any order.
property("any sequence of actions can be undone and redone", { runs = 10, length = 20 }, function(trace)
  local initial = store.state()
  trace:run()
  local last, count = store.state(), store.position
  store.undo(count)
  expect.equal(store.state(), initial)
  store.redo(count)
  expect.equal(store.state(), last)
end)
