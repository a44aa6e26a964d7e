#!/usr/bin/env -S __PROGRAM__ --app
-- A shopping cart. Open a prompt with `__PROGRAM__ --app __FILE__`, and try __FEATURE__.add("pen", 120) and .undo.

feature "__FEATURE__" {
  help = "A shopping cart.",

  -- The initial values, which give the types. Each record of a list gets an id.
  state = {
    items = list { name = "", price = 0, quantity = editable(1) },
  },

  -- Values that are computed from the state.
  derived = {
    total = sum("items", function(item) return item.price * item.quantity end),
  },

  -- The functions that change the state. One that fails changes nothing.
  actions = {
    add = action {
      "name: string", "price: integer", "[quantity: integer]",
      help = "Adds an item and returns it.", example = '__FEATURE__.add("pen", 120)',
      function(state, name, price, quantity)
        if price < 0 then fail("bad_price", "A price is 0 or more, not " .. price .. ".") end
        return state.items:append { name = name, price = price, quantity = quantity }
      end,
    },
    remove = action {
      "id: integer", help = "Removes an item.", example = "__FEATURE__.remove(1)",
      function(state, id) state.items:remove(id) end,
    },
    clear = action {
      help = "Removes all items.", example = "__FEATURE__.clear()",
      function(state) state.items:clear() end,
    },
  },
}
