-- The todo list: items, the newest first, a search, and fetching from a file or a service.

group("items", { tags = { "todo" } }, function()
  scenario("come first when they are added; the query is cleared, and the text remembered", function()
    todo.add("milk")
    todo.query = "mi"
    expect.changes(function() todo.add("bread") end, {
      ["todo.items[1]"] = { id = 2, text = "bread", done = false },
      ["todo.query"] = "",
      ["todo.last_query"] = "bread",
    })
    expect.equal(todo.items[2].text, "milk")
  end)

  each({ "", " ", "\t\n", "\u{a0}" }, "need a text: %q isn't one", function(text)
    local item = todo.add("milk")
    expect.unchanged(function()
      expect.error(function() todo.add(text) end, { code = "empty_text" })
      expect.error(function() todo.rename(item.id, text) end, { code = "empty_text" })
      expect.error(function() item.text = text end, { code = "empty_text" })
    end)
  end)

  scenario("are completed, reopened, renamed and removed by id", function()
    local milk, bread = todo.add("milk").id, todo.add("bread").id
    expect.changes(function() todo.complete(milk) end, { ["todo.items[2].done"] = true })
    expect.changes(function() todo.reopen(milk) end, { ["todo.items[2].done"] = false })
    expect.changes(function() todo.rename(bread, "rolls") end, { ["todo.items[1].text"] = "rolls" })
    expect.changes(function() todo.remove(bread) end, {
      ["todo.items.removed"] = { { id = bread, text = "rolls", done = false } },
    })
    expect.equal(todo.items[1].id, milk)
  end)

  scenario("are edited by assigning their fields", function()
    local item = todo.add("milk")
    expect.actions(function()
      item.done = true
      item.text = "oat milk"
      todo.items[1].done = false
    end, { "todo.complete(1)", 'todo.rename(1, "oat milk")', "todo.reopen(1)" })
  end)

  each({
    complete = function(id) todo.complete(id) end, reopen = function(id) todo.reopen(id) end,
    rename = function(id) todo.rename(id, "text") end, remove = function(id) todo.remove(id) end,
  }, "aren't found by an unknown id", function(change)
    local item = todo.add("milk")
    todo.remove(item.id)
    expect.unchanged(function()
      expect.error(function() change(item.id) end, { code = "not_found" })
      expect.error(function() change(99) end, { code = "not_found" })
    end)
    expect.error(function() return item.text end, { code = "not_found" })
  end)

  scenario("of an app of one's own are its own", function()
    local other = store.new()
    expect.unchanged(function() other.todo.add("milk") end)
    expect.equal({ #todo.items, #other.todo.items }, { 0, 1 })
  end)
end)

group("the search", { tags = { "todo" } }, function()
  local function found()
    local texts = {}
    for index, item in ipairs(todo.filtered()) do texts[index] = item.text end
    return texts
  end

  before(function()
    for _, text in ipairs({ "book the Café", "buy MILK", "écrire à Ann", "return the milk bottles" }) do
      todo.add(text)
    end
  end)

  scenario("finds all items for an empty query", function() expect.equal(#todo.filtered(), 4) end)

  each({
    { "milk", { "return the milk bottles", "buy MILK" } }, { "Milk ", { "return the milk bottles" } },
    { "CAFÉ", { "book the Café" } }, { "É", { "écrire à Ann", "book the Café" } }, { "cheese", {} }, { "%a", {} },
  }, "ignores case, of all letters: %q", function(query, texts)
    expect.changes(function() todo.query = query end, { ["todo.query"] = query })
    expect.equal(found(), texts)
  end)

  scenario("recovers the last query", function()
    expect.changes(todo.recover_last_query, { ["todo.query"] = "return the milk bottles" })
    expect.equal(found(), { "return the milk bottles" })
  end)
end)

scenario("no query can be recovered before one is remembered", { tags = { "todo" } }, function()
  expect.unchanged(function() expect.error(todo.recover_last_query, { code = "nothing_saved" }) end)
end)

group("fetching", { tags = { "todo", "async" } }, function()
  scenario("replaces the items by those of the built-in source", function()
    todo.add("milk")
    expect.changes(todo.fetch, {
      ["todo.items"] = {
        { id = 2, text = "first item", done = false },
        { id = 3, text = "second item", done = false },
      },
    })
  end)

  -- What the built-in source waits for is the scenario's clock: it takes no real time.
  scenario("takes 2 seconds, in which loading is on", function()
    local fetching
    expect.changes(function() fetching = task.spawn(todo.fetch) end, { ["todo.loading"] = true })
    expect.unchanged(function() clock.advance(1) end)
    expect.changes(function() fetching:await() end, {
      ["todo.loading"] = false,
      ["todo.items[1].text"] = "first item",
      ["todo.items[2]"] = expect.having({ text = "second item" }),
    }, { partial = true })
    expect.near(clock.now(), 2)
  end)

  scenario("asks before the answer comes", function()
    expect.actions(todo.fetch, { "todo.fetch()", "todo.fetch() --> 2 items" })
  end)

  scenario("reads a JSON file of texts and objects", function()
    local path = tmp() .. "/todos.json"
    local file <close> = assert(io.open(path, "w"))
    file:write(json.encode({ "milk", { text = "report", done = true } })):flush()
    expect.changes(function() todo.fetch(path) end, {
      ["todo.items[1]"] = { id = 1, text = "milk", done = false },
      ["todo.items[2]"] = { id = 2, text = "report", done = true },
    })
  end)

  scenario("reads an address: a stub answers for the network", function()
    local answering = stub(todo.fetch, function() return { "milk", { text = "report", done = true } } end)
    expect.changes(function() todo.fetch("https://example.com/todos.json") end, {
      ["todo.items[1].text"] = "milk",
      ["todo.items[2]"] = { id = expect.any("integer"), text = "report", done = true },
    }, { partial = true })
    expect.called(answering, { "https://example.com/todos.json" })
  end)

  scenario("needs a stub for an address", function()
    expect.error(function() todo.fetch("https://example.com/todos.json") end, { code = "not_stubbed" })
  end)

  each({
    { "missing", "not_readable" }, { "not JSON", "source_not_json", "[1," }, { "no list", "source_wrong_shape", "{}" },
    { "of numbers", "source_wrong_shape", "[1]" }, { "without a text", "source_wrong_shape", '[{"done": true}]' },
    { "with a blank text", "source_wrong_shape", '["milk", " "]' },
    { "too large", "source_too_large", '["' .. ("x"):rep(11 << 20) .. '"]' },
  }, "fails for a file that is %s, and keeps the items", function(_, code, content)
    todo.add("milk")
    local path = tmp() .. "/todos.json"
    if content then
      local file <close> = assert(io.open(path, "w"))
      file:write(content)
    end
    expect.changes(function()
      expect.error(function() todo.fetch(path) end, { code = code, message = expect.like("todos%.json: ") })
    end, { ["todo.error"] = expect.like("todos%.json: ") })
    expect.equal(todo.loading, false)
  end)

  scenario("clears the error of an earlier fetch", function()
    expect.error(function() todo.fetch("no-such-file.json") end)
    local fetching
    expect.changes(function() fetching = task.spawn(todo.fetch) end, {
      ["todo.error"] = expect.none, ["todo.loading"] = true,
    })
    fetching:await()
  end)

  scenario("keeps what the later of two requests answers", function()
    stub(todo.fetch, function(source)
      task.sleep(source == "slow" and 10 or 1)
      return { source }
    end)
    task.all({ task.spawn(todo.fetch, "slow"), task.spawn(todo.fetch, "fast") })
    expect.equal(#todo.items, 1)
    expect.equal(todo.items[1].text, "fast")
  end)

  scenario("is undone step by step, and redone without asking again", function()
    local answering = stub(todo.fetch, function() return { "milk" } end)
    todo.fetch()
    expect.changes(store.undo, { ["todo.loading"] = true, ["todo.items.removed"] = expect.any("table") })
    expect.changes(store.undo, { ["todo.loading"] = false })
    expect.changes(function() store.redo(2) end, { ["todo.items[1].text"] = "milk" }, { partial = true })
    expect.called(answering, 1)
  end)
end)

property("a search finds items in the order of the list, and the text itself", {
  actions = { "todo" }, runs = 10, length = 20,
}, function()
  invariant(function()
    local found, position = todo.filtered(), 1
    for _, item in ipairs(todo.items) do
      local is_found = found[position] ~= nil and found[position].id == item.id
      if is_found then position = position + 1 end
      if item.text == todo.query or todo.query == "" then expect.truthy(is_found) end
    end
    expect.equal(position, #found + 1)
  end)
end)
