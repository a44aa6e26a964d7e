-- The app of the benchmarks of features that are declared in Lua.
feature "cart" {
  help = "A shopping cart.",

  state = {
    items    = list { name = "", price = 0, quantity = editable(1) },
    coupon   = optional "string",
    receipts = list { text = "" },
  },

  derived = {
    total = function(state)
      local sum = 0
      for _, item in ipairs(state.items) do sum = sum + item.price * item.quantity end
      return sum
    end,
  },

  actions = {
    add = action {
      "name: string", "price: integer", "[quantity: integer]",
      help = "Adds an item and returns it.", example = 'cart.add("pen", 120)',
      function(state, name, price, quantity)
        if price < 0 then fail("bad_price", "A price is 0 or more, not " .. price .. ".") end
        return state.items:append { name = name, price = price, quantity = quantity }
      end,
    },
    clear = function(state) state.items:clear() end,
    fill = function(state, count)
      for number = 1, count do state.items:append { name = "item " .. number, price = 1 } end
    end,
  },

  requests = {
    checkout = request {
      "card: secret", help = "Pays, and empties the cart.",
      ask  = function(cart, card) return http.post("https://pay.example/charge", { total = cart.total, card = card }).json.receipt end,
      done = function(state, receipt) state.receipts:append { text = receipt } state.items:clear() end,
    },
  },

  functions = {
    add_all = function(cart, names) for _, name in ipairs(names) do cart.add(name, 100) end end,
  },
}
