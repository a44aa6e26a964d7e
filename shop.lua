
feature "cart" { state = { n = 0, items = list { name = "", price = 0, done = false } },
 actions = { fill = action { "count: integer", function(s, count) for i = 1, count do s.items:append { name = "n" .. i, price = i } end end },
  price = action { "id: integer", "p: integer", function(s, id, p) s.items:get(id).price = p end },
  add = function(s) s.n = s.n + 1 end, clear = function(s) s.items:clear() end } }