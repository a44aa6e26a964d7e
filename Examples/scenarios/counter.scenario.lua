-- The counter: its count, the card that says whether the count is prime, and the question for the count-th prime.

group("the count", { tags = { "counter" } }, function()
  scenario("starts at 0", function()
    expect.equal(counter.count, 0)
    expect.equal(counter.ordinal, "0th")
    expect.equal(counter.is_prime, false)
  end)

  -- expect.changes gives back what the function returned.
  scenario("goes up and down by 1, or by an amount, and the new count is returned", function()
    expect.equal(expect.changes(counter.increment, { ["counter.count"] = 1 }), 1)
    expect.equal(counter.increment(10), 11)
    expect.equal(counter.decrement(), 10)
    expect.equal(counter.decrement(12), -2)
  end)

  scenario("is set by assignment, which is an action", function()
    expect.actions(function() counter.count = 17 end, { "counter.count = 17" })
    expect.equal(counter.count, 17)
  end)

  each({
    { "up", math.maxinteger, counter.increment },
    { "down", math.mininteger, counter.decrement },
    { "up by the least number", -1, function() counter.increment(math.mininteger) end },
    { "down by the least number", 0, function() counter.decrement(math.mininteger) end },
  }, "doesn't overflow: %s", function(_, count, step)
    counter.count = count
    expect.unchanged(function() expect.error(step, { code = "overflow" }) end)
  end)

  -- A scenario for each case: the name has its values.
  each({
    { 1, "1st" }, { 2, "2nd" }, { 3, "3rd" }, { 4, "4th" }, { 11, "11th" }, { 12, "12th" }, { 13, "13th" },
    { 21, "21st" }, { 101, "101st" }, { 111, "111th" }, { 112, "112th" }, { 1002, "1002nd" }, { -1, "-1st" },
    { -12, "-12th" }, { -22, "-22nd" },
  }, "has an ordinal: %d is the %s", function(count, ordinal)
    counter.count = count
    expect.equal(counter.ordinal, ordinal)
  end)
end)

group("the prime card", { tags = { "counter" } }, function()
  scenario("offers to save a prime", function()
    counter.count = 17
    expect.changes(counter.ask_is_prime, {
      ["counter.modal"] = {
        number = 17, is_prime = true, text = "17 is prime 🎉", is_favorite = false,
        button = "Save to favorite primes",
      },
    })
  end)

  scenario("has no button for another number", function()
    counter.count = 18
    local card = counter.ask_is_prime()
    expect.equal(card.text, "18 is not prime :(")
    expect.equal(card.button, nil)
    expect.unchanged(function() expect.error(counter.press_modal_button, { code = "no_button" }) end)
  end)

  scenario("saves and removes a favorite, as its button says", function()
    counter.count = 7
    counter.ask_is_prime()
    expect.changes(counter.press_modal_button, {
      ["favorites[1]"] = 7,
      ["counter.modal.is_favorite"] = true,
      ["counter.modal.button"] = "Remove from favorite primes",
    })
    expect.changes(counter.press_modal_button, {
      ["favorites.removed"] = { 7 },
      ["counter.modal.is_favorite"] = false,
      ["counter.modal.button"] = "Save to favorite primes",
    })
  end)

  scenario("follows the count while it is open", function()
    counter.count = 7
    counter.ask_is_prime()
    expect.changes(counter.increment, {
      ["counter.count"] = 8,
      ["counter.modal"] = {
        number = 8, is_prime = false, text = "8 is not prime :(", is_favorite = false,
      },
    })
  end)

  scenario("follows favorites that are changed elsewhere", function()
    counter.count = 7
    counter.ask_is_prime()
    expect.changes(function() favorites.add(7) end, {
      ["favorites[1]"] = 7,
      ["counter.modal.is_favorite"] = true,
      ["counter.modal.button"] = "Remove from favorite primes",
    })
  end)

  scenario("doesn't come back after it was dismissed", function()
    counter.ask_is_prime()
    expect.changes(counter.dismiss_modal, { ["counter.modal"] = expect.none })
    expect.changes(counter.increment, { ["counter.count"] = 1 })
    expect.equal(counter.modal, nil)
  end)

  scenario("has no button to press while it is closed", function()
    expect.error(counter.press_modal_button, { code = "no_modal" })
    expect.actions(counter.dismiss_modal, {})
  end)

  -- An invariant is checked after every action, and a property does random ones.
  property("always shows the count, and whether that is a favorite", {
    actions = { "counter", "favorites" }, runs = 10, length = 20,
    arguments = { ["favorites.add"] = function() return prime.next(math.random(0, 20)) end },
  }, function()
    invariant(function()
      local card = counter.modal
      if not card then return end
      expect.equal(card.number, counter.count)
      expect.equal(card.is_prime, counter.is_prime)
      expect.equal(card.is_favorite, favorites.contains(counter.count))
      expect.equal(card.button ~= nil, card.is_prime)
    end)
    counter.ask_is_prime()
  end)
end)

group("the count-th prime", { tags = { "counter", "async" } }, function()
  scenario("is shown in an alert, and returned", function()
    counter.count = 17
    local answer = expect.changes(counter.ask_nth_prime, {
      ["counter.alert"] = { title = "The 17th prime is 59" },
    })
    expect.equal(answer, 59)
    expect.changes(counter.dismiss_alert, { ["counter.alert"] = expect.none })
    expect.actions(counter.dismiss_alert, {})
  end)

  scenario("is awaited: loading is on until the answer comes", function()
    stub(counter.ask_nth_prime, function()
      task.sleep(3)
      return 31
    end)
    counter.count = 11
    local request
    expect.changes(function() request = task.spawn(counter.ask_nth_prime) end, { ["counter.loading"] = true })
    expect.unchanged(function() clock.advance(2) end)
    expect.changes(function() clock.advance(1) end, {
      ["counter.loading"] = false,
      ["counter.alert"] = { title = "The 11th prime is 31" },
    })
    expect.equal(request:await(), 31)
  end)

  scenario("exists from 1 on: a question for the 0th takes an earlier answer away", function()
    counter.count = 1
    counter.ask_nth_prime({ source = "local" })
    counter.count = 0
    expect.changes(function() expect.error(counter.ask_nth_prime, { code = "out_of_range" }) end, {
      ["counter.alert"] = expect.none,
    })
    counter.count = -5
    expect.unchanged(function() expect.error(counter.ask_nth_prime, "no -5th prime") end)
  end)

  scenario("can be asked of Wolfram|Alpha", function()
    local answering = wolfram.stub({ [17] = 59 })
    counter.count = 17
    expect.equal(counter.ask_nth_prime({ source = "wolfram" }), 59)
    expect.called(answering, 1)
    expect.equal(counter.alert.title, "The 17th prime is 59")
  end)

  scenario("fails without an alert, and nothing is awaited any more", function()
    wolfram.stub(function() error({ code = "no_result", message = "no result" }) end)
    counter.count = 5
    expect.unchanged(function()
      expect.error(function() counter.ask_nth_prime({ source = "wolfram" }) end, { code = "no_result" })
    end)
  end)

  scenario("is what the later of two overlapping requests answers", function()
    stub(counter.ask_nth_prime, function(options)
      task.sleep(options.source == "wolfram" and 10 or 1)
      return options.source == "wolfram" and 1111 or 13
    end)
    counter.count = 6
    local slow = task.spawn(counter.ask_nth_prime, { source = "wolfram" })
    local fast = task.spawn(counter.ask_nth_prime)
    expect.equal(fast:await(), 13)
    expect.unchanged(function() expect.equal(slow:await(), 1111) end)
    expect.equal(counter.alert.title, "The 6th prime is 13")
  end)

  scenario("is of the count that was asked about, though it has changed since", function()
    stub(counter.ask_nth_prime, function() task.sleep(1) return 59 end)
    counter.count = 17
    local request = task.spawn(counter.ask_nth_prime)
    counter.increment()
    request:await()
    expect.equal(counter.alert.title, "The 17th prime is 59")
  end)

  scenario("isn't awaited after the request was cancelled", function()
    stub(counter.ask_nth_prime, function() task.sleep(3600) return 2 end)
    counter.count = 1
    local request = task.spawn(counter.ask_nth_prime)
    expect.changes(function()
      request:cancel()
      expect.error(function() request:await() end, { code = "cancelled" })
    end, { ["counter.loading"] = false })
    expect.equal(counter.alert, nil)
  end)
end)
