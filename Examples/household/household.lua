#!/usr/bin/env -S primerepl --bare --app
-- The shopping list of a household: `primerepl serve --app household.lua --bare` shows it in a browser.

feature "shopping" {
  help = "What the household has to buy.",

  state = {
    items = list {
      name = editable "", amount = editable "", shop = editable(enum { "grocer", "market", "chemist" }),
      price = optional(decimal { places = 2, min = 0 }), bought = false,
    },
  },

  derived = {
    open  = derived { help = "What is still to buy.", count("items", function(item) return not item.bought end) },
    spent = derived { help = "What was spent.", sum("items", function(item) return item.price or 0 end) },
    shops = group("items", function(item) return item.shop end, {
      items = count(),
      spent = sum(function(item) return item.price or 0 end),
    }),
  },

  actions = {
    add = action {
      "name: string", 'shop: "grocer"|"market"|"chemist" = "grocer"', "[amount: string]",
      help = "Adds something to buy.", example = 'shopping.add("milk")',
      function(state, name, shop, amount)
        if name == "" then fail("no_name", "What is to be bought has a name.") end
        return state.items:append { name = name, shop = shop, amount = amount or "" }
      end,
    },
    buy = action {
      "item: reference(items)", "[price: decimal(2)]", help = "Marks something as bought.", example = "shopping.buy(1, 1.20)",
      function(state, item, price)
        if item.bought then fail("bought", item.name .. " was bought already.") end
        item.bought, item.price = true, price
      end,
    },
    remove = action {
      "item: reference(items)", help = "Removes something from the list.", example = "shopping.remove(1)",
      function(state, item) state.items:remove(item) end,
    },
  },

  page = {
    order = { "open", "spent", "items", "add" }, main = "add", columns = { items = { "id", "name", "amount", "shop", "bought", "price" } },
  },
}
