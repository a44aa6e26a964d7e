#!/usr/bin/env -S primerepl --bare --app
-- A library of tools: what it has, who has it, and what is overdue.

feature "lending" {
  help = "A library of tools.",
  state = {
    tools = list { name = "", price = decimal { places = 2, min = 0 }, note = editable "" },
    loans = list {
      tool = reference { "tools", on_remove = "clear" }, name = "", member = "", from = date, due = date,
      back = optional "date",
    },
    days  = field { editable(integer { min = 1, max = 90, default = 14 }), help = "How long a tool is lent." },
  },

  derived = {
    lent    = where("loans", function(loan) return not loan.back end),
    members = group("loans", function(loan) return loan.member end, {
      loans = count(),
      open = count(function(loan) return not loan.back end),
      last = max(function(loan) return loan.from end),
    }),
    months  = group("loans", function(loan) return date.month(loan.from) end, { loans = count() }),
    worth   = derived { help = "What all tools cost.", sum("tools", function(tool) return tool.price end) },
    overdue = derived {
      "day: date", help = "The loans that are overdue on a day.",
      function(state, day)
        return state.loans:where(function(loan) return not loan.back and loan.due < day end)
          :map(function(loan) return loan.id end)
      end,
    },
  },

  actions = {
    add = action {
      "name: string", "price: decimal(2) = 0", help = "Adds a tool.", example = 'lending.add("drill", 120)',
      function(state, name, price)
        if name == "" then fail("no_name", "A tool has a name.") end
        if state.tools:find(function(tool) return tool.name == name end) then
          fail("known", "There is a " .. name .. " already.")
        end
        return state.tools:append { name = name, price = price }
      end,
    },
    lend = action {
      "name: string", "member: string", "day: date = today",
      help = "Lends a tool.", example = 'lending.lend("drill", "Ann")',
      function(state, name, member, day)
        local tool = state.tools:find(function(tool) return tool.name == name end)
        if not tool then fail("unknown", "There is no " .. name .. ".") end
        local loan = state.lent:find(function(loan) return loan.tool == tool end)
        if loan then fail("lent", loan.member .. " has the " .. name .. " until " .. loan.due .. ".") end
        return state.loans:append {
          tool = tool, name = name, member = member, from = day, due = date.add(day, { days = state.days }),
        }
      end,
    },
    take_back = action {
      "name: string", "day: date = today", help = "Takes a tool back.", example = 'lending.take_back("drill")',
      function(state, name, day)
        local loan = state.lent:find(function(loan) return loan.name == name end)
        if not loan then fail("not_lent", "Nobody has the " .. name .. ".") end
        if day < loan.from then fail("too_early", "It was lent on " .. loan.from .. ".") end
        loan.back = day
      end,
    },
    remove = action {
      "name: string", help = "Removes a tool that isn't lent.",
      function(state, name)
        local tool = state.tools:find(function(tool) return tool.name == name end)
        if not tool then fail("unknown", "There is no " .. name .. ".") end
        if state.lent:find(function(loan) return loan.tool == tool end) then
          fail("lent", "The " .. name .. " is lent.")
        end
        state.tools:remove(tool)
      end,
    },
  },

  functions = {
    load = func {
      "path: string", help = "Adds the tools of a CSV file with the columns name and price.",
      function(lending, path)
        local file <close> = assert(io.open(path))
        local rows = csv.decode(file:read("a"))
        for _, row in ipairs(rows) do lending.add(row.name, tonumber(row.price) or 0) end
        return #rows
      end,
    },
    remind = func {
      "day: date = today", help = "Prints a reminder for each overdue loan; nothing without any.",
      function(lending, day)
        for _, id in ipairs(lending.overdue(day)) do
          local loan = lending.loans:get(id)
          print(template("{loan.member}: the {loan.name} was due on {due}, {days} days ago.", {
            loan = loan, due = date.format(loan.due, "%A, %d %B"), days = date.days(loan.due, day),
          }))
        end
      end,
    },
    report = func {
      "month: string", help = "Prints the loans of a month.", example = 'lending.report("2026-11")',
      function(lending, month)
        show(lending.loans:where(function(loan) return date.month(loan.from) == month end))
      end,
    },
  },
}
