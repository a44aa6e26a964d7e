-- The favorite primes: a list without duplicates, in the order they were added.

-- Adds the primes that many scenarios begin with. `before` runs in the app of each scenario of its group.
local function add_some()
  for _, number in ipairs({ 13, 2, 7, 31, 5 }) do favorites.add(number) end
end

group("favorites", { tags = { "favorites" } }, function()
  scenario("are kept in the order they were added", function()
    expect.changes(add_some, { favorites = { 13, 2, 7, 31, 5 } })
    expect.equal(favorites.list(), { 13, 2, 7, 31, 5 })
    expect.equal(#favorites, 5)
    expect.equal({ favorites[1], favorites[5], favorites[6] }, { 13, 5 })
    expect.equal(table.concat(favorites, " "), "13 2 7 31 5")
    expect.equal({ table.unpack(favorites) }, favorites.list())
    for position, number in pairs(favorites) do expect.equal(number, favorites[position]) end
  end)

  scenario("change by actions only: a list of them is a copy", function()
    favorites.add(7)
    expect.unchanged(function()
      favorites.list()[1] = 5
      expect.error(function() favorites[1] = 5 end, { code = "read_only_field" })
    end)
  end)

  scenario("are there once: adding one again changes nothing", function()
    expect.equal(expect.changes(function() return favorites.add(7) end, { ["favorites[1]"] = 7 }), true)
    expect.equal(expect.unchanged(function() return favorites.add(7) end), false)
  end)

  each({ 0, 1, -7, 9, 561, 3215031751, 2 ^ 62 | 0 }, "are primes only: %d is refused", function(number)
    for _, change in ipairs({ favorites.add, favorites.toggle }) do
      expect.unchanged(function()
        expect.error(function() change(number) end, { code = "not_prime", message = number .. " is not prime" })
      end)
    end
  end)

  scenario("are toggled: added, then removed", function()
    expect.equal(expect.changes(function() return favorites.toggle(7) end, { ["favorites[1]"] = 7 }), true)
    expect.equal(expect.changes(function() return favorites.toggle(7) end, { ["favorites.removed"] = { 7 } }), false)
  end)

  scenario("contain a number or not", function()
    favorites.add(7)
    expect.truthy(favorites.contains(7))
    expect.falsy(favorites.contains(5))
    expect.falsy(favorites.contains(8))
  end)
end)

group("favorites that are removed", { tags = { "favorites" } }, function()
  before(add_some)

  scenario("go by their number", function()
    expect.equal(expect.changes(function() return favorites.remove(2) end, { ["favorites.removed"] = { 2 } }), true)
    expect.equal(expect.unchanged(function() return favorites.remove(2) end), false)
    expect.equal(favorites.list(), { 13, 7, 31, 5 })
  end)

  scenario("go by a position", function()
    expect.changes(function() favorites.remove_at(3) end, { ["favorites.removed"] = { 7 } })
    expect.unchanged(function() favorites.remove_at({}) end)
  end)

  -- Positions mean the list as it was before: they don't shift while the others go.
  each({
    { 1, 2, 4 }, { 4, 2, 1 }, { 2, 4, 1 }, { 1, 1, 2, 4, 4 },
  }, "go by several positions, in any order [%d, %d, %d]", function(...)
    local positions = { ... }
    expect.changes(function() favorites.remove_at(positions) end, { ["favorites.removed"] = { 13, 2, 31 } })
    expect.equal(favorites.list(), { 7, 5 })
  end)

  each({
    [0] = { 0 }, [6] = { 6 }, [-1] = { -1 }, ["one of several"] = { 1, 6, 2 },
    ["the least integer"] = { math.mininteger }, ["the greatest integer"] = { math.maxinteger },
  }, "all stay if a position is out of range", function(...)
    local positions = { ... }
    expect.unchanged(function()
      expect.error(function() favorites.remove_at(positions) end, { code = "position_out_of_range" })
    end)
  end)

  scenario("all go at once, in one action", function()
    expect.actions(function()
      expect.changes(favorites.clear, { ["favorites.removed"] = { 13, 2, 7, 31, 5 } })
    end, { "favorites.clear()" })
    expect.actions(favorites.clear, {})
  end)

  scenario("come back where they were by undo", function()
    favorites.remove_at({ 2, 4 })
    expect.changes(store.undo, { ["favorites[2]"] = 2, ["favorites[4]"] = 31 })
  end)
end)

-- Three lines test what no list of examples could.
property("favorites are primes, each once", { actions = { "favorites", "counter" }, runs = 10, length = 20 }, function()
  invariant(function()
    local seen = {}
    for _, number in ipairs(favorites) do
      if not prime.is(number) or seen[number] then return false end
      seen[number] = true
    end
  end)
end)
