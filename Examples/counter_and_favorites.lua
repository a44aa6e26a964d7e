-- Counts up, and adds the primes to the favorites.
-- Run it with: primerepl Examples/counter_and_favorites.lua [how far, 30 by default]

local limit = math.tointeger(tonumber(arg[1] or "30"))
assert(limit, "usage: counter_and_favorites.lua [how far]")

while counter.count < limit do
  counter.increment()
  if counter.ask_is_prime().button == "Save to favorite primes" then
    counter.press_modal_button()
  end
  counter.dismiss_modal()
end
print("favorites up to " .. limit .. ": " .. table.concat(favorites, " "))

-- Remove several positions at once: the first, the third and the last.
favorites.remove_at({ 1, 3, #favorites })
print("without three of them: " .. table.concat(favorites, " "))

-- Adding a favorite again has no effect.
print("added 7 again: " .. tostring(favorites.add(7)))
print("7 is a favorite: " .. tostring(favorites.contains(7)))

favorites.clear()
print("after clear: " .. #favorites)
