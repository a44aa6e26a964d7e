scenario("what is added is open until it is bought", function()
  local milk = shopping.add("milk", nil, "2 l")
  shopping.add("apples", "market")
  expect.equal(shopping.open, 2)
  expect.changes(function() shopping.buy(milk, 2.4) end, {
    ["shopping.items[1].bought"] = true, ["shopping.items[1].price"] = 2.4, ["shopping.open"] = 1, ["shopping.spent"] = 2.4,
  })
  expect.equal(shopping.shops.grocer.spent, 2.4)
  expect.error(function() shopping.buy(milk) end, { code = "bought" })
  expect.error(function() shopping.add("") end, { code = "no_name" })
end)

scenario("an item is edited, or removed", function()
  shopping.add("soap")
  shopping.items[1].shop = "chemist"
  shopping.items[1].amount = "3 pieces"
  shopping.items[1].name = "soap, unscented"
  expect.equal(shopping.shops.chemist.items, 1)
  shopping.remove(1)
  expect.equal(#shopping.items, 0)
end)
