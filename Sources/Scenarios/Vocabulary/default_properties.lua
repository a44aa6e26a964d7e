-- Properties that hold for every app, whatever its features: `test --properties` checks them.

local runs = { runs = 100, length = 40 }

property("undo and redo restore the state exactly", runs, function(trace)
  local first = store.state()
  trace:run()
  local last, position = store.state(), store.position
  store.undo(position)
  expect.equal(store.state(), first)
  store.redo(position)
  expect.equal(store.state(), last)
  for _ = 1, 5 do
    local place = math.random(0, position)
    store.jump(place)
    expect.equal(store.position, place)
  end
  store.jump(position)
  expect.equal(store.state(), last)
end)

property("the same calls give the same state", runs, function(trace)
  local other = store.new()
  trace:run()
  trace:replay(other)
  expect.equal(other.store.state(), store.state())
end)

property("a call that fails changes nothing", runs, function(trace)
  trace:run({ checks_failures = true })
end)

property("an exported state can be imported", runs, function(trace)
  trace:run()
  local path = tmp() .. "/state.json"
  store.export(path)
  local other = store.new()
  other.store.import(path)
  local again = tmp() .. "/again.json"
  other.store.export(again)
  local function content(name)
    local file <close> = assert(io.open(name))
    return file:read("a")
  end
  expect.equal(content(again), content(path))
end)

property("a saved session is reopened in the same state", runs, function(trace)
  trace:run()
  trace:reopen()
end)

property("no sequence of calls crashes", { runs = 100, length = 100 })
