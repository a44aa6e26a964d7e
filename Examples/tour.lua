#!/usr/bin/env primerepl
-- A tour of the app: counter, prime card, favorites, todo.
-- Run it with: primerepl Examples/tour.lua

-- Assigning a field of a module sends an action to the app.
counter.count = 7
print(counter.increment(10))              --> 17
print(counter.ordinal, counter.is_prime)  --> 17th  true

-- The prime card follows the count, and its button saves the number.
print(counter.ask_is_prime().text)        --> 17 is prime 🎉
counter.press_modal_button()
print(#favorites, favorites[1])           --> 1  17

-- This call waits for a result, but looks like any other.
print(counter.ask_nth_prime())            --> 59
print(counter.alert.title)                --> The 17th prime is 59

-- A subscriber is called for each change, with the new and the old value.
local seen = {}
local subscription = store.subscribe("counter.count", function(new, old)
  seen[#seen + 1] = old .. "->" .. new
end)
counter.increment()
counter.decrement()
subscription:cancel()
print(table.concat(seen, " "))            --> 17->18 18->17

-- A task runs in the background. The built-in source takes two seconds to answer.
local fetching = task.spawn(todo.fetch)
print(todo.loading)                       --> true
fetching:await()
print(todo.loading, #todo.items)          --> false  2

-- Errors have a code to test, and a message to show.
local ok, err = pcall(favorites.add, 8)
print(ok, err.code, err)                  --> false  not_prime  8 is not prime
