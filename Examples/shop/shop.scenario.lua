-- Scenarios of the cart. Run them in this folder with: primerepl test --app shop.lua --bare

group("an item", function()
  scenario("is added, and counts toward the total", function()
    expect.changes(function() cart.add("pen", 120, 2) end, {
      ["cart.items[1]"] = { id = 1, name = "pen", price = 120, quantity = 2 },
      ["cart.total"] = 240,
    })
  end)

  scenario("has a price of 0 or more", function()
    expect.unchanged(function()
      expect.error(function() cart.add("pen", -1) end, { code = "bad_price", message = expect.like("not %-1") })
    end)
  end)

  scenario("has a quantity that can be assigned", function()
    local pen = cart.add("pen", 120)
    expect.changes(function() pen.quantity = 3 end, { ["cart.items[1].quantity"] = 3, ["cart.total"] = 360 })
    expect.error(function() pen.price = 1 end, "cart.add")
  end)

  scenario("is removed by its id, and undo brings it back", function()
    local pen = cart.add("pen", 120)
    cart.add("ink", 80)
    expect.changes(function() cart.remove(pen.id) end, {
      ["cart.items.removed"] = { { id = 1, name = "pen", price = 120, quantity = 1 } },
      ["cart.total"] = 80,
    })
    expect.error(function() return pen.name end, { code = "not_found" })
    store.undo()
    expect.equal(pen.name, "pen")
  end)

  scenario("is one of several that a function adds", function()
    expect.equal(cart.add_all({ "pen", "ink" }, 100), 2)
    expect.equal(cart.total, 200)
    expect.actions(cart.clear, { "cart.clear()" })
    expect.equal(#cart.items, 0)
  end)
end)

group("a coupon", function()
  each({ { "TENTH", 90 }, { "HALF", 50 } }, "lowers the total: %s to %d", function(coupon, total)
    cart.add("pen", 100)
    expect.changes(function() cart.redeem(coupon) end, { ["cart.coupon"] = coupon, ["cart.total"] = total })
  end)

  scenario("is one of those that the shop knows", function()
    expect.unchanged(function()
      expect.error(function() cart.redeem("ALL") end, { code = "bad_coupon" })
    end)
  end)
end)

group("paying", function()
  before(function() cart.add("pen", 120) end)

  scenario("empties the cart, and keeps the receipt", function()
    local asked = stub(http.post, { json = { receipt = "receipt 17" } })
    cart.redeem("HALF")
    expect.changes(function() cart.checkout("4111") end, {
      ["cart.items.removed"] = { expect.having({ name = "pen" }) },
      ["cart.receipts[1]"] = { id = 1, text = "receipt 17" },
      ["cart.coupon"] = expect.none,
      ["cart.total"] = 0,
    })
    expect.called(asked, { "https://pay.example/charge", { total = 60, card = "4111" } })
  end)

  scenario("is pending until the answer, and there is one payment at a time", function()
    stub(cart.checkout, function()
      task.sleep(5)
      return "receipt 17"
    end)
    local paying
    expect.changes(function() paying = task.spawn(cart.checkout, "4111") end, { ["cart.checkout_pending"] = true })
    expect.error(function() cart.checkout("4111") end, { code = "request_pending" })
    paying:await()
    expect.equal({ cart.checkout_pending, clock.now() }, { false, 5.0 })
  end)

  scenario("is undone and redone without asking again", function()
    local asked = stub(cart.checkout, "receipt 17")
    cart.checkout("4111")
    store.undo()
    expect.equal({ cart.checkout_pending, #cart.items }, { true, 1 })
    store.redo()
    expect.equal({ cart.checkout_pending, cart.receipts[1].text }, { false, "receipt 17" })
    expect.called(asked, 1)
  end)

  scenario("can be refused: the cart stays, and says why", function()
    stub(http.post, { status = 402 })
    expect.changes(function()
      expect.error(function() cart.checkout("4111") end, { code = "not_paid" })
    end, { ["cart.checkout_error"] = "The payment was refused: status 402." })
  end)

  scenario("needs an item", function()
    cart.clear()
    expect.unchanged(function()
      expect.error(function() cart.checkout("4111") end, { code = "empty_cart" })
    end)
  end)
end)

property("no price is below 0, and no coupon is unknown", { runs = 20, length = 20 }, function()
  stub(cart.checkout, "receipt 17")
  invariant(function()
    for _, item in ipairs(cart.items) do expect.truthy(item.price >= 0) end
    expect.truthy(cart.coupon == nil or cart.coupon == "TENTH" or cart.coupon == "HALF")
  end)
end)
