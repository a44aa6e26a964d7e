-- Scenarios of the cart: `__PROGRAM__ test --app __FILE__` runs each in a fresh app.
-- expect.changes has to mention every change of the state.

scenario("an item is added, and counts toward the total", function()
  expect.changes(function() __FEATURE__.add("pen", 120, 2) end, {
    ["__FEATURE__.items[1]"] = { id = 1, name = "pen", price = 120, quantity = 2 },
    ["__FEATURE__.total"] = 240,
  })
end)

scenario("a price can't be negative", function()
  expect.unchanged(function()
    expect.error(function() __FEATURE__.add("pen", -1) end, { code = "bad_price" })
  end)
end)

scenario("an item's quantity is changed", function()
  __FEATURE__.add("pen", 120)
  expect.changes(function() __FEATURE__.items[1].quantity = 3 end, {
    ["__FEATURE__.items[1].quantity"] = 3,
    ["__FEATURE__.total"] = 360,
  })
end)

scenario("an item is removed", function()
  local pen = __FEATURE__.add("pen", 120)
  expect.changes(function() __FEATURE__.remove(1) end, {
    ["__FEATURE__.items.removed"] = { { id = 1, name = "pen", price = 120, quantity = 1 } },
    ["__FEATURE__.total"] = 0,
  })
  expect.error(function() return pen.name end, { code = "not_found" })
end)

scenario("all items are removed, and undo brings them back", function()
  __FEATURE__.add("pen", 120)
  __FEATURE__.add("ink", 80)
  local before = store.state()
  __FEATURE__.clear()
  expect.equal({ #__FEATURE__.items, __FEATURE__.total }, { 0, 0 })
  store.undo()
  expect.equal(store.state(), before)
end)
