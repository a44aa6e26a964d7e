-- The app of the benchmarks of queries.
feature "ledger" {
  state = { entries = list { day = "", amount = 0.1, is_paid = editable(false) } },

  derived = {
    total = sum("entries", function(entry) return entry.amount end),
    paid  = count("entries", function(entry) return entry.is_paid end),
    open  = where("entries", function(entry) return not entry.is_paid end),
    days  = group("entries", function(entry) return entry.day end, { amount = sum(function(entry) return entry.amount end) }),
  },

  actions = {
    add = function(state, day) state.entries:append { day = day } end,
    import = function(state, rows)
      for _, row in ipairs(rows) do state.entries:append { day = row.day, amount = tonumber(row.amount) } end
    end,
    fill = function(state, count)
      for number = 1, count do state.entries:append { day = "day " .. number % 365 } end
    end,
  },
}
