#!/usr/bin/env -S primerepl --app
-- A shopping cart: `./shop.lua` opens its prompt, and `primerepl test --app shop.lua --bare` runs its scenarios.

local discounts = { TENTH = 10, HALF = 50 }

-- The address of the service that takes payments.
local function service()
  return os.getenv("SHOP_SERVICE") or "https://pay.example"
end

feature "cart" {
  help = "A shopping cart.",

  state = {
    items    = list { name = "", price = 0, quantity = editable(1) },
    coupon   = optional "string",
    receipts = list { text = "", newest_first = true },
  },

  derived = {
    total = function(state)
      local total = state.items:sum(function(item) return item.price * item.quantity end)
      return total - total * (discounts[state.coupon] or 0) // 100
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
    remove = action {
      "id: integer", help = "Removes an item.", example = "cart.remove(1)",
      function(state, id) state.items:remove(id) end,
    },
    redeem = action {
      "coupon: string", help = "Takes the discount of a coupon.", example = 'cart.redeem("TENTH")',
      function(state, coupon)
        if not discounts[coupon] then fail("bad_coupon", coupon .. " isn't a coupon.") end
        state.coupon = coupon
      end,
    },
    clear = action {
      help = "Removes all items.", example = "cart.clear()",
      function(state) state.items:clear() end,
    },
  },

  requests = {
    checkout = request {
      "card: secret", help = "Pays, and empties the cart.", example = 'cart.checkout("4111 1111 1111 1111")',
      exclusive = true,
      asked = function(state)
        if #state.items == 0 then fail("empty_cart", "The cart is empty: add an item first.") end
      end,
      ask = function(cart, card)
        local response = http.post(service() .. "/charge", { total = cart.total, card = card })
        if response.status ~= 200 then fail("not_paid", "The payment was refused: status " .. response.status .. ".") end
        return response.json.receipt
      end,
      done = function(state, receipt)
        state.receipts:append { text = receipt }
        state.items:clear()
        state.coupon = nil
      end,
    },
  },

  functions = {
    add_all = function(cart, names, price)
      for _, name in ipairs(names) do cart.add(name, price) end
      return #cart.items
    end,
  },
}
