-- An automated scenario: uses the app like a person, and checks it at every step.
-- Run it with: primerepl Examples/self_checking.lua

local passed = 0

local function check(what, ok)
  assert(ok, "not so: " .. what)
  passed = passed + 1
  print("ok  " .. what)
end

local function fails_with(code, fn, ...)
  local ok, err = pcall(fn, ...)
  return not ok and err.code == code
end

-- Each scenario has its own app.
local app = store.new()
local counter, favorites, todo = app.counter, app.favorites, app.todo

check("a new app counts from 0", counter.count == 0)
check("0 is not prime", not counter.is_prime)
check("there is no 0th prime", fails_with("out_of_range", counter.ask_nth_prime))

counter.count = 2
check("the card offers to save a prime", counter.ask_is_prime().button == "Save to favorite primes")
check("the button saves it", counter.press_modal_button().is_favorite and favorites.contains(2))
check("then the card offers to remove it", counter.modal.button == "Remove from favorite primes")

counter.increment(2)
check("the open card follows the count", counter.modal.text == "4 is not prime :(")
check("no button for 4", counter.modal.button == nil)
counter.dismiss_modal()
counter.increment()
check("a closed card stays closed", counter.modal == nil)

counter.count = math.maxinteger
check("the count doesn't wrap around", fails_with("overflow", counter.increment))
check("and stays as it was", counter.count == math.maxinteger)

check("only primes are favorites", fails_with("not_prime", favorites.add, 9))
check("a prime is added once", favorites.add(3) and not favorites.add(3))

check("nothing is remembered at first", fails_with("nothing_saved", todo.recover_last_query))
check("blank text is refused", fails_with("empty_text", todo.add, "  "))
todo.add("learn Lua")
todo.recover_last_query()
check("the last text is the last query", todo.query == "learn Lua")
check("an unknown item isn't found", fails_with("not_found", todo.complete, 99))

print(passed .. " checks passed")
