import Lua
import StateStore
import Testing
import TestSupport

@testable import Scripting

@MainActor
@Suite("Drafts in actions")
struct DraftTests {
  private let shop: DeclaredFixture

  init() throws {
    shop = try DeclaredFixture(
      """
      local kept
      feature "x" {
        state = {
          items = list { name = "", price = 0, size = record { w = 1, h = 2 } },
          newest = list { name = "", newest_first = true },
          sorted = list { name = "", rank = optional "integer", sorted_by = "rank" },
          seen = set "integer", tags = set "string",
          note = "", maybe = optional "string", ratio = 1.5, flag = false,
          size = enum { "small", "large" }, pin = secret,
          address = record { city = "Bonn", deep = record { a = 1, b = optional "integer" } },
          home = optional(record { city = "" }),
          keys = list { pin = secret, safe = record { pin = secret } }, safe = record { pin = secret },
          letter = enum { "\u{e9}", "e\u{301}" }, words = list { t = "", sorted_by = "t" },
        },
        derived = { count = function(state) return #state.items end },
        actions = {
          run = function(state, code, argument)
            local keep = function(value) kept = value end
            local env = setmetatable({ state = state, keep = keep, kept = kept, fail = fail }, { __index = _G })
            return load(code, "=run", "t", env)(argument)
          end,
          log_in = action { "pin: secret", function(state, pin)
            if pin.is_empty then fail("no_pin", "Enter a pin.") end
            state.pin = pin
          end },
        },
      }
      """)
    try shop.state.load(
      """
      function add_items()
        x.run "for _, n in ipairs { 'a', 'b', 'c' } do state.items:append { name = n } end"
      end
      function names(list)
        return table.concat(list:map(function(record) return record.name end), " ")
      end
      """
    ).call()
  }

  /// The result of code in an action.
  private func run(_ code: String) async throws -> String {
    try await shop.run("return x.run([=[\(code)]=])")
  }

  /// The error of code in an action, without "run:1: "; the state must be as it was.
  private func failure(_ code: String) async -> String {
    let (states, position) = (shop.store.states, shop.store.position)
    let text = await shop.failure("x.run([=[\(code)]=])")
    #expect(shop.store.states == states)
    #expect(shop.store.position == position)
    return text.hasPrefix("run:1: ") ? String(text.dropFirst(7)) : text
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      #"""
      -- a record is changed by its fields, as integers if they are
      add_items() x.run "state.items[1].name = 'A' state.items[1].price = 5.0"
      return x.items[1].name, x.items[1].price --> A 5
      -- a record that is appended again is copied
      add_items() x.run "state.items:append(state.items[1])"
      return x.items[4].id, x.items[4].name --> 4 a
      -- an id isn't given again
      add_items() x.run "state.items:clear()" return x.run("return state.items:append {}").id --> 4
      -- lists can be newest first
      x.run "state.newest:append { name = 'a' } state.newest:append { name = 'b' }"
      return x.newest[1].name, x.newest[2].id --> b 1
      -- lists can be sorted
      x.run [[for i, r in ipairs { 5, 1, 3, 1 } do
        state.sorted:append { name = 'n' .. i, rank = r }
      end
      state.sorted:append { name = 'none' }]]
      local before = names(x.sorted)
      x.run "state.sorted:get(1).rank = 2"
      return before, names(x.sorted) --> none n2 n4 n3 n1 none n2 n4 n1 n3
      x.run "state.sorted:insert(1, {})" --> run:1: x.sorted is sorted: append to it
      x.run "state.sorted:append {} state.sorted:move(1, 1)"
      --> run:1: x.sorted is sorted: change what it is sorted by
      -- sets add, remove, contain and clear
      x.run "state.seen:add(5) state.seen:add(3.0) state.seen:add(5)"
      return #x.seen, x.seen[1], x.seen:contains(5) --> 2 3 true
      x.run "state.tags:add 'b' state.tags:add 'a'" return x.tags[1], #x.tags --> a 2
      x.run "state.tags:add 'b' state.tags:clear()" return #x.tags --> 0
      return x.run "return tostring(state.seen:add(9)) .. tostring(state.seen:remove(9))"
      --> truetrue
      return x.run "return tostring(state.seen:remove(9))" --> false
      x.run "state.seen:add('x')" --> run:1: x.seen: expected integer, found "x"
      x.run "state.seen:add()" --> run:1: x.seen: expected integer, found nil
      -- records within values are changed in their place
      return x.run [[local a = state.address
      a.city = "Rome"; a.deep.a = 5; a.deep.b = 6; state.address.deep.b = nil
      return a.city .. state.address.city .. a.deep.a .. tostring(a.deep.b)]] --> RomeRome5nil
      return x.run [[state.items:append { name = 'a', size = { w = 7 } }
      local s = state.items[1].size s.h = 9 return s.w .. s.h]] --> 79
      return x.run [[state.home = { city = 'Oslo' }
      local h = state.home
      state.home = nil
      return tostring(pcall(function() return h.city end))]] --> false
      return x.run [[local t = {}
      for k, v in pairs(state.address.deep) do t[#t + 1] = k end
      return table.concat(t)]] --> a
      x.run "state.address.city = 5" --> run:1: x.address.city: expected string, found 5
      x.run "state.address = { ctiy = 5 }"
      --> run:1: x.address has no field 'ctiy'; it has city, deep
      -- actions have no random numbers
      x.run "return math.random()"
      --> …; math.random isn't available in actions, which only change the state: pass a random
      --> number as an argument
      x.run "math.randomseed(1)" --> …math.randomseed isn't available…
      -- secrets are kept wherever they are in a record or a table that is assigned
      x.log_in('topsecret')
      return x.run [==[
        local keys = state.keys
        keys:append { pin = state.pin, safe = { pin = state.pin } }
        state.safe = { pin = keys[1].pin }
        keys:append(keys[1])
        keys:append { pin = keys[1].pin, safe = keys[1].safe }
        local copy = {}
        for name, value in pairs(keys[1]) do if name ~= "id" then copy[name] = value end end
        keys:append(copy)
        for _, key in ipairs(keys) do
          if key.pin ~= state.pin or key.safe.pin ~= state.pin then return false end
        end
        return state.safe.pin == state.pin]==] --> true
      """#))
  func scripts(example: LuaCase) async throws {
    try await shop.check(example)
    #expect(try shop.store.differencesWhenReopened() == [])
  }

  @Test(
    "lists append, insert, move, remove and clear",
    arguments: [
      ("append { name = 'd' }", "a b c d"), ("insert(1, { name = 'd' })", "d a b c"),
      ("insert(4, { name = 'd' })", "a b c d"), ("move(1, 3)", "b c a"),
      ("move(state.items[1], 2)", "b a c"), ("remove(2)", "a c"),
      ("remove(state.items[1])", "b c"), ("clear()", ""),
      ("find(function() state.items:clear() end)", ""),
    ])
  func lists(_ call: String, _ result: String) async throws {
    try await shop.run("add_items() x.run([=[state.items:\(call)]=])")
    #expect(try await shop.run("return names(x.items)") == result)
    #expect(try shop.store.differencesWhenReopened() == [])
  }

  @Test(
    "lists are read by position, id and condition",
    arguments: [
      ("#state.items", "3"), ("state.items[2].id", "2"), ("state.items:get(3).name", "c"),
      ("state.items:get(99)", ""),
      ("state.items:find(function(r) return r.name == 'c' end).id", "3"),
      ("state.items:find(function(r) return false end)", ""),
    ])
  func reading(_ expression: String, _ result: String) async throws {
    #expect(
      try await shop.run("add_items() return x.run([=[return \(expression)]=])") == result)
  }

  @Test(
    "values of other types are refused, with their path",
    arguments: LuaCase.pairs(
      """
      state.note = nil --> x.note: expected string, found nil
      state.flag = 1 --> x.flag: expected boolean, found 1
      state.ratio = 'x' --> x.ratio: expected number, found "x"
      state.size = 'huge' --> x.size: expected "small"|"large", found "huge"
      state.maybe = {} --> x.maybe: expected string, found a table
      state.pin = 5 --> x.pin: expected string, found a value of another type
      state.note = state.pin --> x.note: expected string, found a secret
      state.items = {} --> x.items can't be assigned; change it by its methods, such as clear()
      state.count = 1 --> x.count is derived and can't be assigned
      state.items:append { 'x' } --> x.items: a record is a table of its fields
      state.items:append(1) --> x.items: a record is a table of its fields
      state.items:append { id = 1 } --> x.items[1].id: ids come from the list; leave it out
      state.items:append { price = 1.5 } --> x.items[1].price: expected integer, found 1.5
      state.items:append { size = { w = 'x' } } --> x.items[1].size.w: expected integer, found "x"
      state.items:insert(2, {}) --> x.items has no position 2: it has 0 records
      state.items:remove(9) --> x.items has no record with the id 9
      state.items:append {} state.items[1].id = 3 --> x.items: ids can't be assigned
      state.items:append {} state.items[1].name = 5 --> x.items[1].name: expected string, found 5
      """))
  func wrongTypes(code: String, expected: String) async {
    #expect(await failure(code) == expected)
  }

  @Test("errors have codes, and change nothing, also for observers of lists")
  func errors() async throws {
    try await shop.run("calls = 0; store.subscribe('x.items', function() calls = calls + 1 end)")
    _ = try await run("state.items:append { name = 'a' } state.items:append { name = 'b' }")
    let half =
      "state.items:remove(1) state.items:append {} state.seen:add(1) state.note = 'x' state.address.city = 'x'"
    #expect(await failure("\(half) error('no')") == "no")
    #expect(await failure("\(half) fail('no_way', 'No way.')") == "No way.")
    #expect(try await shop.run("return calls, #x.items, x.items[1].name") == "1 2 a")
    _ = try await run("state.items:remove(1)")
    #expect(try await shop.run("return calls, #x.items, x.items[1].name") == "2 1 b")
    func code(_ text: String) async throws -> String {
      try await shop.run("return select(2, pcall(x.run, [=[\(text)]=])).code")
    }
    #expect(try await code("fail('no_way', 'x')") == "no_way")
    #expect(try await code("state.note = 5") == "bad_value")
    #expect(try await code("state.items:remove(99)") == "not_found")
    #expect(try await code("error('x')") == "runtime_error")
    #expect(await failure("fail('No way', 'x')").hasPrefix("\"No way\" is no code of an error"))
    #expect(
      await failure("fail('x')") == "bad argument #2 to 'fail' (string expected, got no value)")
    #expect(
      await failure("error({})").hasSuffix(
        "write error(\"message\") or fail(\"code\", \"message\")"))
    #expect(await failure("error(state)") == "x")
    #expect(await failure("state.items:find(function() error('in find') end)") == "in find")
    #expect(await failure("local function f() return 1 + f() end f()") == "stack overflow")
  }

  @Test(
    "what is kept beyond the action is refused, in later actions as well",
    arguments: [
      ("state", "kept.note"), ("state", "kept.note = 'x'"), ("state.items", "#kept"),
      ("state.items", "kept:clear()"), ("state.items[1]", "kept.name"),
      ("state.items[1]", "kept.name = 'x'"), ("state.address", "kept.city"),
      ("state.address.deep", "kept.a = 5"), ("state.items[1].size", "kept.w"),
      ("state.seen", "kept:add(5)"),
      (
        "(function() local f = coroutine.wrap(function() coroutine.yield() state.note = 'x' end) f() return f end)()",
        "kept()"
      ),
    ])
  func kept(value: String, use: String) async throws {
    _ = try await run("state.items:append { name = 'a' } keep(\(value))")
    let statement = use.contains(" = ") || use.hasSuffix(")") ? use : "return \(use)"
    // Once, as a coroutine ends with its error.
    let error = try await shop.run(
      "local _, e = pcall(x.run, [=[\(statement)]=]) return e.code .. ': ' .. tostring(e)")
    #expect(
      error
        == "draft_ended: run:1: This is the state of an action of x that has ended: use the module x instead."
    )
  }

  @Test(
    "drafts can't be results, nor other values that scripts mustn't get, or without end",
    arguments: [
      "state", "state.items", "state.seen", "print", "coroutine.create(print)",
      "(function() local t = {} t.t = t return t end)()",
      "(function() local t = {} for i = 1, 1e5 do t = { t } end return t end)()",
    ])
  func results(value: String) async {
    #expect(await failure("return \(value)").hasPrefix("x.run returns "))
  }

  @Test(
    "actions can't reach anything but their state",
    arguments: [
      "io.write('x')", "os.time()", "store.undo()", "x.run('')", "json.encode(1)", "app.x.run('')",
    ])
  func purity(code: String) async {
    let name = code.prefix { $0.isLetter }
    #expect(
      await failure(code).hasSuffix(
        "; \(name) isn't available in actions, which only change the state: pass what it gives as an argument"
      ))
  }

  /// What code can raise or return that says nothing by itself.
  private static let feature = """
    feature "odd" {
      state = { case = 0, items = list { n = 0 }, tags = set "integer", part = record { n = 0 } },
      derived = {
        seen = function(state)
          return ({
            function() return print end, function() return coroutine.create(print) end,
            function() return 0/0 end, function() local t = {} t.t = t return t end,
            function() error({}) end, function() error() end, function() error(print) end,
            function() error(setmetatable({}, { __tostring = function() return "me" end })) end,
            [0] = function() end,
          })[state.case]()
        end,
      },
      actions = {
        set = function(state, case) state.case = case end,
        raise = function(state, case)
          ({
            function() error({}) end, function() error(nil) end, function() error(print) end,
            function() error(5) end,
            function() error(setmetatable({}, { __tostring = function() return "me" end })) end,
          })[case]()
        end,
        loop = function(state, case)
          for x in ({ state.items, state.tags, state.part, state, {} })[case] do end
        end,
      },
    }
    """

  @Test(
    "errors that are no text have the place and the name of what raised them",
    arguments: [
      (1, ":18: odd.raise raised a table instead of a message"),
      (2, ":18: odd.raise raised nil instead of a message"),
      (3, ":18: odd.raise raised a function instead of a message"), (4, ":19: 5"), (5, ":20: me"),
    ])
  func errorObjects(code: Int, expected: String) async throws {
    let odd = try DeclaredFixture(Self.feature)
    #expect(await odd.failure("odd.raise(\(code))").contains("shop.lua" + expected))
  }

  @Test(
    "error objects with a message have that, their code, and the place",
    arguments: [
      ("error { code = 'late', message = 'Too late.' }", "late", "Too late."),
      ("error { message = 'Too late.' }", "runtime_error", "Too late."),
      ("error { code = 'Too Late', message = 'm' }", "runtime_error", "m"),
    ])
  func errorObjectMessages(code: String, expectedCode: String, message: String) async throws {
    let app = try DeclaredFixture(
      """
      feature "x" {
        actions = { act = function(s)
          \(code) end },
      }
      """)
    let text = try await app.run("local _, e = pcall(x.act) return e.code, e.message")
    #expect(text.hasPrefix("\(expectedCode) "))
    #expect(text.hasSuffix("/shop.lua:3: \(message)"))
  }

  @Test("a yield outside of a coroutine has its place")
  func yield() async throws {
    let app = try DeclaredFixture(
      """
      feature "x" {
        actions = { act = function(s)
          coroutine.yield() end },
      }
      """)
    #expect(
      await app.failure("x.act()").hasSuffix(
        "shop.lua:3: attempt to yield from outside a coroutine"))
  }

  @Test(
    "odd results of derived values name the value and its place",
    arguments: [
      (
        1,
        ":4: odd.seen can't have this value: the value can't be written as JSON: it is a function"
      ),
      (
        2,
        ":4: odd.seen can't have this value: the value can't be written as JSON: it is a coroutine"
      ),
      (
        3,
        ":4: odd.seen can't have this value: the value can't be written as JSON: it is not a number"
      ),
      (4, ":4: odd.seen can't have this value: t can't be written as JSON: it contains itself"),
      (5, ":8: odd.seen raised a table"), (6, ":8: odd.seen raised nil"),
      (7, ":8: odd.seen raised a function"), (8, ":9: me"),
    ])
  func derivedResults(code: Int, expected: String) async throws {
    let odd = try DeclaredFixture(Self.feature)
    let failure = await odd.failure("odd.set(\(code)) return odd.seen")
    #expect(failure.contains("shop.lua" + expected), "\(failure)")
  }

  @Test("loops over what isn't a function name ipairs", arguments: 1...5)
  func loops(code: Int) async throws {
    let odd = try DeclaredFixture(Self.feature)
    #expect(await odd.failure("odd.loop(\(code))").contains("write for _, part in ipairs(list)"))
  }

  @Test("secrets are compared and kept, but not read, and nothing keeps their text")
  func secrets() async throws {
    #expect(await shop.failure("x.log_in('')") == "Enter a pin.")
    try await shop.run("x.log_in('topsecret')")
    #expect(try shop.lastAction() == "x.log_in(\"•••••••••\")")
    #expect(
      try await run("state.note = tostring(state.pin) return state.pin == state.pin") == "true")
    #expect(try await shop.run("return x.note, x.pin") == "•••••• •••••••••")
    #expect(try shop.store.differencesWhenReopened() == [])
  }

  @Test("texts that only look alike are different in sets, choices and sorted lists")
  func similarTexts() async throws {
    let code = #"""
      local composed, decomposed = "\u{e9}", "e\u{301}"
      state.tags:add(composed)
      local isNew = state.tags:add(decomposed)
      state.letter = decomposed
      for _, t in ipairs { composed, "f", decomposed } do state.words:append { t = t } end
      local first = state.words[1].t == decomposed
      return string.format("%s %d %s %s %s", isNew, #state.tags, state.letter == decomposed, first, state.words[2].t)
      """#
    #expect(try await run(code) == "true 2 true true f")
    let error = await failure(#"state.letter = "e\u{300}""#)
    #expect(error.hasPrefix("x.letter: expected"))
  }
}
