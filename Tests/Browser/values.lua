-- Values of all types, for the tests of the page.
feature "values" {
  help = "Values of all types.",
  state = {
    flag = field { editable(false), help = "Whether it is so." },
    maybe = editable(optional "boolean"),
    number = editable(3),
    text = editable "one\ntwo",
    pin = editable(secret),
    moment = editable(time),
    place = editable(record { street = "", number = 0 }),
    rows = list { name = editable "", price = editable(decimal(2)), note = editable "a\nb", parts = editable(record { a = 1 }) },
  },
  derived = { large = function() return 9007199254740993 end },
  actions = {
    add = action { "name: string", function(state, name) return state.rows:append { name = name } end },
    drop = action { "row: reference(rows)", function(state, row) state.rows:remove(row) end },
    tell = action { "[so: boolean]", "[how: boolean = true]", function(state, so, how)
      state.text = tostring(so) .. " " .. tostring(how)
    end },
    check = action { "pin: secret", function(state, pin) state.flag = pin == state.pin end },
  },
}

feature "others" { state = { constructor = editable "x" } }
