local function filled()
  lending.add("drill", 120)
  lending.add("ladder", 80.5)
end

scenario("a tool is lent for two weeks, and comes back", function()
  filled()
  expect.changes(function() lending.lend("drill", "Ann", "2026-11-20") end, {
    ["lending.loans[1]"] = expect.having { name = "drill", member = "Ann", due = "2026-12-04" },
  })
  expect.changes(function() lending.take_back("drill", "2026-11-25") end, { ["lending.loans[1].back"] = "2026-11-25" })
  expect.equal(#lending.lent, 0)
  expect.equal(lending.members.Ann.loans, 1)
  expect.equal(lending.members.Ann.last, "2026-11-20")
  expect.equal(lending.months["2026-11"].loans, 1)
end)

scenario("a tool is lent for the days that are set, from today on", function()
  filled()
  lending.days = 3
  clock.advance(10 * 86400)
  expect.equal(lending.lend("drill", "Ann").due, "1970-01-14")
end)

scenario("a tool is lent once, and only lent ones come back", function()
  filled()
  lending.lend("drill", "Ann", "2026-11-20")
  expect.error(function() lending.lend("drill", "Bob") end, { code = "lent" })
  expect.error(function() lending.lend("saw", "Bob") end, { code = "unknown" })
  expect.error(function() lending.take_back("ladder") end, { code = "not_lent" })
  expect.error(function() lending.take_back("drill", "2026-11-19") end, { code = "too_early" })
end)

scenario("tools have different names, and go when nobody has them", function()
  filled()
  expect.equal(lending.worth, 200.5)
  expect.error(function() lending.add("drill") end, { code = "known" })
  expect.error(function() lending.add("") end, { code = "no_name" })
  lending.tools[1].note = "with a case"
  lending.lend("drill", "Ann")
  expect.error(function() lending.remove("drill") end, { code = "lent" })
  expect.error(function() lending.remove("saw") end, { code = "unknown" })
  expect.changes(function() lending.remove("ladder") end, {
    ["lending.tools.removed"] = { expect.having { name = "ladder" } },
    ["lending.worth"] = 120.0,
  })
end)

scenario("reminders name what is overdue, and nothing else is printed", function()
  filled()
  lending.lend("drill", "Ann", "2026-11-01")
  lending.lend("ladder", "Bob", "2026-11-14")
  expect.equal(lending.overdue("2026-12-01"), { 1, 2 })
  expect.output(function() lending.remind("2026-11-10") end, "^$")
  expect.output(function() lending.remind("2026-11-20") end,
    "Ann: the drill was due on Sunday, 15 November, 5 days ago.\n")
  expect.output(function() lending.report("2026-11") end, "ladder")
end)

scenario("tools are loaded from a file, all of them or none", function()
  local path = tmp() .. "/tools.csv"
  local function write(text)
    local file <close> = assert(io.open(path, "w"))
    file:write(text)
  end
  write('name,price\n"Saw, large",45.5\nhammer,\n')
  expect.equal(lending.load(path), 2)
  expect.equal(lending.tools[1].name, "Saw, large")
  write("name,price\nnew,1\nhammer,2\n")
  expect.error(function() lending.load(path) end, { code = "known" })
  expect.equal(#lending.tools, 2)
  expect.equal(store.position, 1)
end)
