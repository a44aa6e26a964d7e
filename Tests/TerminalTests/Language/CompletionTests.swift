import Lua
import PrimereplLineEditing
import Scripting
import Testing

@testable import PrimereplTerminal

@MainActor
@Suite("Language: completion of names")
struct NameCompletionTests {
  @Test(
    "offers globals, modules and keywords",
    arguments: [
      ("coun|", ["counter"]), ("x = tos|", ["tostring"]), ("lo|", ["load", "loadfile", "local"]),
      ("if x then y() e|", ["else", "elseif", "end", "error"]), ("'a'..tost|", ["tostring"]),
      ("local fu|", ["function"]), ("local coun|", []), ("for coun|", []), ("goto coun|", []),
      ("zzz|", []), ("12|", []), ("-- coun|", []), ("--[[ coun|", []),
      ("#coun|", ["counter"]), ("coun|ter.count", ["counter"]), ("--[[ x ]] coun|", ["counter"]),
      ("_VERS|", ["_VERSION"]),
    ])
  func names(marked: String, expected: [String]) throws {
    #expect(try AssistantFixture().candidates(marked) == expected)
  }

  @Test(
    "offers the variables of the text in whose blocks the cursor is",
    arguments: [
      ("local apple = 1\nappl|", ["apple"]), ("local apple, apply\nappl|", ["apple", "apply"]),
      ("local apple = appl|", []), ("do local apple end appl|", []),
      ("function f(apple, ...) appl|", ["apple"]), ("function f(apple) end appl|", []),
      ("for apple = 1, 2 do appl|", ["apple"]), ("for k, apple in pairs(t) do appl|", ["apple"]),
      ("for apple in f(function(applet) appl|", ["applet"]),
      ("local function apple() appl|", ["apple"]), ("if x then local apple else appl|", []),
      ("repeat local apple = 1 until f() appl|", []), ("local apple <const> = 1; appl|", ["apple"]),
      ("function t:apple() sel|", ["select", "self"]), ("apple = 1\nappl|", ["apple"]),
      ("function apple() end appl|", ["apple"]),
      ("local f = function() local apple end\nappl|", []),
      ("local apple = function() return 1 end\nappl|", ["apple"]), ("t = {apple = 1}\nappl|", []),
      ("x = apple == 1\nappl|", []),
    ])
  func variables(marked: String, expected: [String]) throws {
    #expect(try AssistantFixture().candidates(marked) == expected)
  }

  @Test("sorts private names last, and offers each once")
  func order() throws {
    let fixture = try AssistantFixture(
      after: "t = setmetatable({b = 1, _a = 1, a = 1}, {__index = {a = 2, c = 3}})")
    #expect(fixture.candidates("t.|") == ["a", "b", "c", "_a"])
  }

  @Test("offers only keys that can be typed as names after a dot")
  func keys() throws {
    let fixture = try AssistantFixture(
      after: #"""
        t = {good = 1, _g2 = 1, ["g\27[31m"] = 1, ["g h"] = 1, ["g\xff"] = 1, ["gé"] = 1, ["2g"] = 1, [""] = 1,
          ["end"] = 1, [1] = 1, [true] = 1, [("g"):rep(1e6)] = 1}
        _G["g\27]0;x\7"] = 1
        """#)
    #expect(fixture.candidates("x = t.|") == ["good", "_g2"])
    #expect(fixture.candidates("print(g|") == ["getmetatable", "goto"])
  }

  @Test("offers the members that follow from a feature's fields")
  func fieldMembers() throws {
    #expect(try AssistantFixture().candidates("x = todo.l|") == ["last_query", "loading"])
  }

  @Test(
    "says what the only candidate is",
    arguments: [
      ("todo.loa|", "todo.loading: boolean  Whether fetch is pending."),
      ("counter.mod|", "counter.modal: table?  The modal."),
      (
        "counter.incr|",
        "counter.increment([by: integer]): integer  Adds 1, or an amount, to the count and returns it."
      ),
      ("are|", "area(w, h, ...)  stdin:1"), ("answ|", "answer = 42"),
      (
        "string.rep|",
        "string.rep(s, n, [sep]): string  Repeats a string n times, with a separator."
      ),
      ("('x'):rep|", "string.rep(n, [sep]): string  Repeats a string n times, with a separator."),
      ("favor|", "favorites  The favorite primes, in the order they were added."),
      ("local apple appl|", "apple  local variable"),
    ])
  func details(marked: String, detail: String) throws {
    let fixture = try AssistantFixture(
      after: "function area(w, h, ...) end\nanswer = 42\nname = 'x'\n_ENV.list = {}")
    #expect(fixture.detail(marked) == detail)
  }

  @Test("offers nothing once the state is closed, or at a cursor outside the text")
  func closed() throws {
    let fixture = try AssistantFixture()
    #expect(
      fixture.assistant.completions(of: "coun", at: 100).candidates.map(\.text) == ["counter"])
    #expect(fixture.assistant.completions(of: "coun", at: -1).range == 0..<0)
    fixture.state.close()
    #expect(fixture.candidates("coun|") == [])
    #expect(fixture.candidates("counter.|") == [])
    #expect(fixture.hint("print(|") == nil)
  }

  @Test("copes with 10,000 globals, and with a table whose size has no end in sight")
  func many() throws {
    let fixture = try AssistantFixture(
      after: """
        for i = 1, 10000 do _G["global_" .. i] = i end
        big = {}
        for i = 1, 300000 do big["key_" .. i] = i end
        """)
    #expect(fixture.candidates("global_1234|") == ["global_1234"])
    #expect(fixture.candidates("global|").count == 10_000)
    #expect(fixture.candidates("big.|").count == 200_000)
  }
}

@MainActor
@Suite("Language: completion of members")
struct MemberCompletionTests {
  @Test(
    "offers those of modules, also by other names",
    arguments: [
      ("counter.incr|", ["increment"]), ("app.counter.incr|", ["increment"]),
      ("app.coun|", ["counter"]), ("c.incr|", ["increment"]), ("_G.counter.incr|", ["increment"]),
      ("counter . incr|", ["increment"]), ("counter:incr|", []),
      ("counter['incr|", ["increment']"]), ("local m = counter\nm.incr|", ["increment"]),
      ("m = counter m.incr|", ["increment"]), ("x = 1 + counter.incr|", ["increment"]),
      ("f{counter.incr|", ["increment"]), ("store.new().coun|", ["counter"]),
      ("a.counter.incr|", ["increment"]), ("local b = store.new(); b.counter.incr|", ["increment"]),
    ])
  func modules(marked: String, expected: [String]) throws {
    let fixture = try AssistantFixture(after: "c = counter; a = store.new()")
    #expect(fixture.candidates(marked) == expected)
  }

  @Test(
    "offers those of records and lists, without reading any",
    arguments: [
      ("persons[1].na|", ["name"]), ("persons[i + 1].na|", ["name"]),
      ("persons.get(2).na|", ["name"]), ("todo.items[1].te|", ["text"]),
      ("todo.filtered()[1].te|", ["text"]), ("todo.add('milk').te|", ["text"]),
      ("todo.items[2].do|", ["done"]), ("signup.data.ema|", ["email"]),
      ("counter.alert.ti|", ["title"]), ("counter.ask_is_prime().te|", ["text"]),
      ("p.na|", ["name"]), ("local q = persons[1]\nq.na|", ["name"]),
      ("for _, q in ipairs(persons) do q.na|", ["name"]),
      ("for _, q in pairs(todo.items) do q.te|", ["text"]),
      ("for i, q in ipairs(persons) do i.na|", []), ("persons[1]:na|", []), ("persons.na|", []),
      ("persons[1]['na|", ["name']"]), ("app.persons[1].na|", ["name"]),
    ])
  func records(marked: String, expected: [String]) throws {
    let fixture = try AssistantFixture(after: "p = persons.add{name = 'Ann', age = 30}")
    #expect(fixture.candidates(marked) == expected)
  }

  @Test(
    "offers methods of objects, strings, files and plain tables after a colon",
    arguments: [
      ("t:|", ["await", "cancel"]), ("t.st|", ["status"]), ("sub:|", ["cancel"]),
      ("task.spawn(print):aw|", ["await"]), ("(\"x\"):up|", ["upper"]), ("s:up|", ["upper"]),
      ("s.up|", ["upper"]), ("tostring(1):up|", ["upper"]), ("io.stdout:wr|", ["write"]),
      ("io.open('x'):cl|", ["close"]), ("obj:|", ["area"]), ("obj.|", ["area", "width"]),
      ("circle:|", ["area", "bend"]), ("local v = 'x'\nv:up|", ["upper"]),
      ("store.subscribe('', f):ca|", ["cancel"]), ("nothing:|", []), ("n:|", []),
    ])
  func methods(marked: String, expected: [String]) throws {
    let fixture = try AssistantFixture(
      after: """
        t = task.spawn(function() end)
        sub = store.subscribe("counter.count", function() end)
        s, n = "text", 5
        obj = {width = 3, area = function(self) end}
        circle = setmetatable({bend = function() end}, {__index = obj})
        """)
    #expect(fixture.candidates(marked) == expected)
  }

  @Test(
    "follows indexes of plain tables",
    arguments: [
      ("t.a.b.|", ["deep"]), ("t['two words'].x|", ["xyz"]), ("t[1].fi|", ["first"]),
      ("t[ [[a]] ].b|", []), ("t.a['b'].de|", ["deep"]), ("(t).a.b.de|", ["deep"]),
      ("((t.a)).b.de|", ["deep"]), ("t.missing.x|", []), ("t[1 + 1].x|", []), ("(1 + t).a|", []),
      ("t[f(]).x|", []), (").x|", []), (".x|", []), ("1 .x|", []),
      ("local u = {wide = 1}\nu.wi|", ["wide"]), ("if x then t.a.b.de|", ["deep"]),
      ("return t.a.b.de|", ["deep"]), ("not t.a.b.de|", ["deep"]),
    ])
  func tables(marked: String, expected: [String]) throws {
    let fixture = try AssistantFixture(
      after: "t = {a = {b = {deep = 1}}, ['two words'] = {xyz = 1}, {first = 1}}")
    #expect(fixture.candidates(marked) == expected)
  }

  @Test(
    "offers keys of any text in brackets, with what closes them",
    arguments: [
      ("t[\"tw|", "t[\"two words\"]"), ("t['tw|", "t['two words']"), ("t['tw|']", "t['two words']"),
      ("t['quo|", "t['quo\\'te']"), ("t[\"quo|", "t[\"quo'te\"]"), ("t['esc|", "t['esc\\x1b[31m']"),
      ("t['back\\\\|", "t['back\\\\slash']"), ("t['caf|", "t['café']"),
      ("t[\"\\116w|", "t[\"two words\"]"), ("x = t['a b']['in|", "x = t['a b']['inner']"),
    ])
  func stringKeys(marked: String, expected: String) throws {
    let fixture = try AssistantFixture(
      after: #"""
        t = {["two words"] = 1, ["quo'te"] = 1, ["esc\27[31m"] = 1, ["back\\slash"] = 1, ["café"] = 1,
          ["a b"] = {inner = 1}}
        """#)
    #expect(fixture.completed(marked) == expected)
  }

  @Test(
    "offers the fields of the table that a function takes, before names",
    arguments: [
      ("persons.add{na|", ["name"]), ("persons.add({name = 'x', ag|", ["age"]),
      ("persons.edit(1, {na|", ["name"]), ("persons.add{name = 'x', na|", []),
      ("counter.ask_nth_prime{sou|", ["source"]), ("{na|", []),
    ])
  func tableArguments(marked: String, expected: [String]) throws {
    #expect(try AssistantFixture().candidates(marked) == expected)
  }

  @Test("never runs a script's code")
  func runsNothing() throws {
    let fixture = try AssistantFixture(
      after: """
        ran = false
        local function run() ran = true; return {inner = 1} end
        local meta = {__index = run, __pairs = run, __len = run, __call = run, __newindex = run,
          __name = setmetatable({}, {__index = run}), __tostring = run}
        t = setmetatable({plain = 1}, meta)
        setmetatable(_G, {__index = run})
        getmetatable("").__index = run
        """)
    #expect(fixture.candidates("t.pl|") == ["plain"])
    for marked in [
      "t.inner.|", "t[1].|", "t():|", "t:|", "t['|", "unknown.|", "unk|", "('x'):|", "t(|",
      "persons[1].|", "for _, x in ipairs(t) do x.|", "counter.alert.|",
    ] {
      _ = fixture.candidates(marked)
      _ = fixture.hint(marked)
    }
    #expect(try fixture.state.globals().rawGet("ran") == .boolean(false))
  }

  @Test("ends in tables that inherit from themselves")
  func cycles() throws {
    let fixture = try AssistantFixture(
      after:
        "t = {a = 1}; u = {b = 1}; setmetatable(t, {__index = u}); setmetatable(u, {__index = t})")
    #expect(fixture.candidates("t.|") == ["a", "b"])
    #expect(fixture.candidates("local x = y; local y = x\nlocal x = x\nx.|") == [])
  }
}

@MainActor
@Suite("Language: modules of features that are declared in Lua")
struct DeclaredCompletionTests {
  private let fixture: AssistantFixture

  init() throws {
    let state = try LuaState()
    let scripted = try ScriptedApp(
      in: state,
      declaring: """
        feature "cart" {
          state = {
            items = list { name = "", price = 0, quantity = editable(1), buyer = reference "buyers" },
            buyers = list { name = "", friend = reference "buyers" }, main = reference "buyers",
            address = record { city = "" },
            seen = set "integer",
            size = editable(enum { "small", "large" }),
          },
          derived = { total = function(state) return #state.items end },
          actions = {
            add = action {
              "name: string", "price: integer", "[quantity: integer]", help = "Adds an item and returns it.",
              function(state, name, price, quantity)
                return state.items:append { name = name, price = price, quantity = quantity }
              end,
            },
            clear = function(state) state.items:clear() end,
          },
          requests = { checkout = request { "card: secret", ask = function() end } },
          functions = { add_all = function(cart, names) end },
        }
        """)
    fixture = AssistantFixture(state, scripted)
    try state.load("cart.add('pen', 120); pen = cart.items[1]", name: .text("stdin")).call()
  }

  @Test(
    "are completed",
    arguments: [
      (
        "cart.|",
        [
          "add", "add_all", "address", "buyers", "checkout", "checkout_error", "checkout_pending",
          "clear", "items", "main", "seen", "size", "total",
        ]
      ),
      ("cart.items[1].|", ["buyer", "id", "name", "price", "quantity"]),
      ("pen.buyer.|", ["friend", "id", "name"]), ("cart.items[1].buyer.friend.f|", ["friend"]),
      ("cart.main.n|", ["name"]), ("pen.q|", ["quantity"]), ("cart.add('a', 1).pr|", ["price"]),
      (
        "cart.items:|",
        ["count", "csv", "find", "get", "group", "map", "max", "min", "sorted", "sum", "where"]
      ), ("cart.seen:|", ["contains"]), ("cart.address.|", ["city"]),
    ])
  func members(marked: String, expected: [String]) {
    #expect(fixture.candidates(marked) == expected)
  }

  @Test("give hints of parameters")
  func hints() {
    #expect(fixture.hint("cart.add(|")?.contains("price: integer, [quantity: integer]") == true)
    #expect(fixture.hint("cart.checkout(|")?.contains("card: secret") == true)
    #expect(fixture.hint("cart.add_all(|")?.contains("names") == true)
  }
}
