import Lua
import StateStore
import Testing
import TestSupport

@testable import Scripting

@MainActor
@Suite("Functions of an app in Lua")
struct DeclaredFunctionTests {
  private let app: DeclaredFixture

  init() throws {
    app = try DeclaredFixture(
      """
      feature "cart" {
        state = {
          items = field { list { name = "" }, help = "What is bought." },
          rate = field { editable(90), help = "The price of an hour." },
        },
        actions = {
          add = action { "name: string", function(state, name)
            if name == "" then fail("no_name", "A name isn't empty.") end
            return state.items:append { name = name }
          end },
          count_up = function(state, n, text) state.rate = state.rate + n end,
          scale = action { "n: any", function(state, n) state.rate = state.rate * n end },
          join = function(state, text) state.items:append { name = "a" .. text } end,
          rename = function(state, name) state.items[1].name = name end,
        },
        functions = {
          two = func {
            "first: string", "[second: string]", help = "Adds two.", example = 'cart.two("a")',
            function(cart, first, second) cart.add(first) cart.add(second or "x") return #cart.items end,
          },
          each = func { "fn", "[secret: secret]", function(cart, fn, secret) return fn(cart.two), secret end },
          apart = func { group = false, function(cart) cart.add("a") cart.add("b") store.undo() end },
          wait = function(cart, name)
            cart.add(name) cart.add(name)
            task.sleep(0.01)
            cart.add(name) cart.add(name)
          end,
          nested = function(cart)
            cart.two("a", "b")
            local ok, problem = pcall(cart.two, "c", "")
            cart.two("d", "e")
            return ok, problem.code
          end,
          undo = function(cart) cart.add("a") store.undo() end,
          fail_late = function(cart, name) cart.add("a") cart.add("b") error("late") end,
          plain = function(cart, name, ...) return name, ... end,
          forever = function(cart) cart.add("a") while true do end end,
        },
      }
      """)
    try app.state.load(
      """
      function state()
        local names = table.concat(cart.items:map(function(item) return item.name end))
        return names == "" and "nothing" or names, store.position
      end
      """
    ).call()
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- check their arguments as actions do, and complete missing ones with nil
      local two, four = cart.two('a', 'b'), cart.two('c') return two, four, state() --> 2 4 abcx 2
      cart.two(5) --> bad argument #1 to 'cart.two' (first: string expected, got number)
      cart.two() --> bad argument #1 to 'cart.two' (first: string expected, got no value)
      cart:two('a') --> …call it with a dot…
      -- get values that no action could keep, and secrets as texts
      return cart.each(function(f) return type(f) end, 'pin') --> function pin
      return cart.plain(1, 2, nil, 3) --> 1 2 nil 3
      -- are one step of undo
      cart.two('a', 'b') cart.two('c', 'd')
      local last = store.history(1)[1].action
      store.undo()
      local undone = state()
      store.redo()
      return last, undone, state() --> cart.add("c"); cart.add("d") ab abcd 2
      -- change nothing if they fail
      cart.two('a', '') --> A name isn't empty.
      cart.fail_late() --> …late…
      pcall(cart.two, 'a', '') pcall(cart.fail_late) return state() --> nothing 0
      -- that call others are one step, without those that failed
      local ok, code = cart.nested() return ok, code, state() --> false no_name abde 1
      -- that wait are one step for each part, between which others can act
      local one, two = task.spawn(cart.wait, "a"), task.spawn(cart.wait, "b")
      cart.add("m")
      one:await() two:await()
      return state() --> aabbm… 5
      -- are one step with a task that they start, until it waits
      cart.each(function() task.spawn(cart.wait, 'c') cart.add('d') end)
      return store.position, store.history(1)[1].action --> 1 …cart.add("c"); cart.add("d")
      -- change nothing if they raise nil or false
      pcall(cart.each, function() cart.add('a') cart.add('b') error(nil) end) return state()
      --> nothing 0
      pcall(cart.each, function() cart.add('a') cart.add('b') error(false) end) return state()
      --> nothing 0
      -- that call themselves cost as much as their actions, also if they fail
      local function down(n, fails)
        cart.each(function()
          cart.add("a")
          if n > 1 then down(n - 1, fails) end
          if fails then error("x") end
        end)
      end
      pcall(down, 60, true)
      local failed = state()
      down(60)
      return failed, #cart.items, store.position --> nothing 60 1
      -- that travel in the history are no groups
      cart.apart() return state() --> a 1
      cart.apart() cart.undo() --> …write group = false…
      cart.apart() pcall(cart.undo) return state() --> a 1
      -- are reported to observers when they end
      local calls = {}
      store.subscribe("cart.items", function() calls[#calls + 1] = #cart.items end)
      cart.two("a", "b") pcall(cart.two, "c", "") cart.add("d")
      return table.concat(calls, ",") --> 2,3
      -- name the argument of any type on which an action failed
      cart.count_up('x')
      --> …in cart.count_up: its parameter n takes any value…action { "n: number", function(state, ...)
      --> ... end }…
      cart.count_up() --> …in cart.count_up: its parameter n takes any value…action { "n: number", …
      cart.scale('x')
      --> …in cart.scale: its parameter n takes any value…action { "n: number", function(state, …
      cart.join({}) --> …its parameter text takes any value…action { "text: string", function(state, …
      cart.add('a') cart.rename(7)
      --> …in cart.rename: its parameter name takes any value…action { "name: string", function(state,…
      """))
  func scripts(example: LuaCase) async throws { try await app.check(example) }

  /// The names in the cart.
  private var names: String {
    get async throws { try await app.run("return (state())") }
  }

  // MARK: - Parameters

  @Test("and fields are documented by their declarations")
  func help() throws {
    let members = app.scripted.modules.first { $0.name == "cart" }?.documentation ?? []
    let texts = Dictionary(members.map { ($0.name, $0.help) }) { first, _ in first }
    #expect(texts["two"] == "Adds two.")
    #expect(texts["items"] == "What is bought.")
    #expect(texts["rate"] == "The price of an hour.")
  }

  @Test(
    "are refused with a mistake in their declaration",
    arguments: [
      ("func { 'a: string' }", "cart.functions.f: it needs a function(cart, ...)"),
      ("func { function() end, group = 1 }", "cart.functions.f.group: it must be true or false"),
      ("func { function() end, grup = true }", "did you mean 'group'?"),
      ("action { function() end }", "cart.functions.f: it must be a function"),
      ("func { 'a: strng', function() end }", "\"strng\" is no type; did you mean 'string'?"),
    ])
  func mistakes(_ code: String, _ problem: String) {
    #expect(
      DeclaredFixture.problem("feature 'cart' { functions = { f = \(code) } }").contains(problem))
  }

  @Test(
    "and fields are refused with a mistake in a description",
    arguments: [
      "field { 1, 2 }", "field { 1, hlp = '' }", "field { editable(field { 1 }) }", "field {}",
    ])
  func mistakesInFields(_ code: String) {
    #expect(
      DeclaredFixture.problem("feature 'cart' { state = { f = \(code) } }")
        .contains("cart.state.f: "))
  }

  // MARK: - Groups

  @Test("that are stopped change nothing, and leave no group behind")
  func stopped() async throws {
    app.state.limitTime(to: .milliseconds(50))
    _ = await app.failure("cart.forever()")
    _ = await app.failure("pcall(cart.forever)")
    app.state.limitTime(to: nil)
    try await app.run("cart.add('z') store.undo() store.redo()")
    #expect(try await names == "z")
  }

  @Test("are no groups in coroutines of the code's own, which may never go on")
  func coroutines() async throws {
    try await app.run(
      """
      co = coroutine.wrap(function() cart.each(function() cart.add("a") cart.add("b") coroutine.yield() end) end)
      co()
      """)
    #expect(app.store.position == 2)
    #expect(
      await app.failure("co() cart.add('c') cart.two('d', 'e') error('late')").contains("late"))
    #expect(try await names == "abcde")
    #expect(app.store.position == 4)
    // They end in another order than they began.
    let result = try await app.run(
      """
      local first = coroutine.wrap(function() cart.each(function() cart.two("1", "2") coroutine.yield() end) end)
      first()
      local ok = pcall(cart.each, function()
        first()
        coroutine.wrap(function() cart.each(function() cart.add("3") error("x") end) end)()
      end)
      return ok
      """)
    #expect(result == "false")
    #expect(try await names == "abcde12")
  }

  @Test("that fail after a wait keep what they did before it", arguments: ["now", "later"])
  func failureAfterWaiting(request: String) async throws {
    let app = try DeclaredFixture(
      """
      feature "x" {
        state = { n = 0 },
        actions = { add = function(state) state.n = state.n + 1 end },
        requests = {
          now = request { ask = function() return 5 end, done = function(state, answer) state.n = state.n + answer end },
          later = request { ask = function() task.sleep(0.01) return 5 end, done = function(state, answer) state.n = state.n + answer end },
        },
        functions = { f = func { function(x) x.add() x.add() x.\(request)() x.add() x.add() error("late") end } },
      }
      """)
    #expect(await app.failure("x.f()").contains("late"))
    // The part before the request, its question and its answer.
    #expect(app.store.position == 3)
    #expect(try await app.run("return x.n") == "7")
  }

  // MARK: - Actions without types

  @Test("name no argument if several could be at fault, and show none")
  func severalUntyped() async {
    let message = await app.failure("cart.count_up('x', 'password')")
    #expect(!message.contains("takes any value"))
    #expect(!message.contains("password"))
  }
}
