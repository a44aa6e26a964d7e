import Lua
import StateStore
import Testing
import TestSupport

@testable import Scripting

@MainActor
@Suite("Records of features that are declared in Lua")
struct DeclaredRecordTests {
  private let shop: DeclaredFixture

  init() throws {
    shop = try DeclaredFixture(
      """
      feature "cart" {
        state = {
          items = list { name = "", price = 0, quantity = editable(1), size = editable(record { w = 1, h = optional "integer" }) },
          wishes = list { name = editable "", quantity = editable(1), box = record { w = 1 } },
          address = editable(record { city = "Bonn", deep = record { a = 1 } }),
          home = record { city = "Oslo" },
          seen = set "integer",
        },
        derived = {
          total = function(state)
            local sum = 0
            for _, item in ipairs(state.items) do sum = sum + item.price * item.quantity end
            return sum
          end,
          names = function(state)
            local names = {}
            for i, item in ipairs(state.items) do names[i] = item.name end
            return names
          end,
        },
        actions = {
          add = action {
            "name: string", "price: integer", "[quantity: integer]", "[tag: any]",
            function(state, name, price, quantity)
              return state.items:append { name = name, price = price, quantity = quantity }
            end,
          },
          wish = function(state, name) return state.wishes:append { name = name } end,
          see = function(state, n) state.seen:add(n) end,
          remove = function(state, id) state.items:remove(id) end,
          tidy = function(state) if #state.items > 1 then return #state.items end return nil end,
        },
        requests = {
          checkout = request { ask = function(cart) task.sleep(0) return #cart.items end },
        },
        functions = {
          add_all = function(cart, names) for _, n in ipairs(names) do cart.add(n, 1) end return #cart.items end,
          nap = function(cart) task.sleep(0) return "woken" end,
        },
      }
      """)
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- have ids from 1 in each list, which aren't reused
      local a, b = cart.add("a", 1), cart.add("b", 1)
      cart.remove(b.id)
      local c, w = cart.add("c", 1), cart.wish("w")
      return a.id, b.id, c.id, w.id, #cart.items, cart.items[2] == c --> 1 2 3 1 2 true
      cart.add("a", 1)
      local b = cart.add("b", 1)
      store.undo()
      local c = cart.add("c", 1)
      return b.id, c.id, #cart.items, cart.items[2].name, pcall(function() return b.name end)
      --> 2 3 2 c false No record has the id 2…
      -- are assigned where they are editable, by the list's own actions
      cart.add('a', 2) cart.wish('w') cart.wish('v')
      cart.items[1].quantity = 3 cart.wishes[2].quantity = 5 cart.wishes[2].name = 'x'
      local position = store.position
      cart.wishes[2].name = 'x'
      local v = cart.wishes[2]
      return cart.items[1].quantity, cart.wishes[1].quantity, v.quantity, v.name, cart.total,
        store.history(1)[1].action, store.position - position
      --> 3 1 5 x 6 cart.wishes:get(2).name = "x" 0
      cart.add('a', 2).quantity = 'x' --> cart.items[1].quantity: expected integer, found "x"
      cart.add('a', 2).quantity = nil --> cart.items[1].quantity: expected integer, found nil
      cart.add('a', 2).price = 5 --> cart.item.price can't be assigned; cart is changed by cart…
      cart.add('a', 2).prcie = 5 --> cart.item has no field 'prcie'; did you mean 'price'?…
      cart.items = {} --> …can't be assigned…
      cart.add('a', 2) cart.items[1] = {} --> …can't be assigned…
      cart.total = 5 --> …can't be assigned…
      -- contain records, whose parts are assigned with them
      local size = cart.add('a', 1).size
      cart.address.city = 'Pisa' cart.address.deep.a = 2 size.h = 4
      return json.encode(cart.address), size.w, size.h, store.history(1)[1].action
      --> {"city":"Pisa","deep":{"a":2}} 1 4 cart.items:get(1).size = {h = 4, w = 1}
      cart.address = cart.address return cart.address --> cart.address
      cart.address.deep.a = 'x' --> cart.address.deep.a: expected integer, found "x"
      cart.address.ctiy = 'x' --> …did you mean 'city'?…
      cart.home.city = 'x' --> cart.home can't be assigned; cart is changed by…
      cart.wish('w').box.w = 5 --> cart.wish.box can't be assigned…
      return cart.wish('w').box.w --> 1
      -- of an app made by store.new are that app's
      local a, b = store.new(), store.new()
      local one, other = a.cart.add("a", 1), b.cart.add("b", 2)
      one.quantity = 9
      return one.id, other.id, one == other, b.cart.items[1].quantity, #cart.items,
        a.cart.items[1] == one, a.cart.add_all { "x", "y" }, a.cart.checkout(), b.cart.total,
        a.cart.nap(), store.position --> 1 1 false 1 0 true 3 3 2 woken 0
      local c = store.new().cart collectgarbage() collectgarbage()
      return c.add_all { 'x' }, c.checkout() --> 1 1
      -- of many apps are freed with them
      local function measure()
        for i = 1, 50 do
          local a = store.new()
          a.cart.add("a", 1).quantity = 2; a.cart.add_all { "b" }; a.cart.address.city = "x"
        end
        for i = 1, 4 do collectgarbage() end
        return collectgarbage("count")
      end
      measure()
      local first = measure()
      for i = 1, 4 do measure() end
      return (measure() - first) / 300 * 1024 < 100 --> true
      -- have actions that refuse arguments of other types
      cart.add('a', 'b') --> bad argument #2 to 'cart.add' (price: integer expected, got string)
      cart:add('a', 1) --> …call it with a dot, not a colon: cart.add(...)
      cart.wish(print)
      --> bad argument #1 to 'cart.wish' (name: the value can't be written as JSON: it is a
      --> function)
      cart.wish({})
      --> …cart.wishes[1].name: expected string, found a table, in cart.wish: its parameter name
      --> takes any value; declare its type: wish = action { "name: string", function(state, ...) ... end }
      pcall(cart.add, 'a', 'b') pcall(cart.wish, {}) return store.position --> 0
      """))
  func scripts(example: LuaCase) async throws {
    try await shop.check(example)
    #expect(try shop.store.differencesWhenReopened() == [])
  }

  @Test("are in the history as calls that give the same state again")
  func history() async throws {
    try await shop.run(
      """
      cart.add("pen", 120, nil, { 1, "a", { b = true } }); cart.add("ink", 5, 2); cart.items[2].quantity = 7
      cart.see(5); cart.see(2); cart.wish("w"); cart.wishes[1].name = 'it\\'s "x"\\n'; cart.address.city = "Pisa"
      cart.items[1].size = { w = 3 }; cart.remove(1); cart.checkout()
      """)
    let texts = try shop.store.history(last: 100).map {
      shop.scripted.texts.text(of: $0.recorded.action)
    }
    #expect(texts[0] == #"cart.add("pen", 120, nil, {1, "a", {b = true}})"#)
    let again = try DeclaredFixture.like(shop)
    // The last one is the request's answer.
    for text in texts.dropLast() { try await again.run(text) }
    #expect(again.store.snapshot["cart"] == shop.store.snapshot["cart"])
  }

  @Test("are in the history as they were typed, also when the scripts' state is closed")
  func historyOfClosedState() async throws {
    let calls = [
      #"cart.add("pen", 120)"#, "cart.items:get(1).quantity = 2", "cart.checkout()",
      "cart.remove(1)",
    ]
    for call in calls { try await shop.run(call) }
    shop.state.close()
    let texts = try shop.store.history(last: 100).map {
      shop.scripted.texts.text(of: $0.recorded.action)
    }
    #expect(texts.filter { !$0.contains("-->") } == calls)
  }

  @Test(
    "are observed on every path",
    arguments: [
      ("cart.items", "cart.add('b', 1)", "table nil"),
      ("cart.items[1].quantity", "cart.items[1].quantity = 4", "4 1"),
      ("cart.items[2].name", "cart.add('b', 1)", "b nil"),
      ("cart.total", "cart.items[1].quantity = 4", "4 1"),
      ("cart.seen", "cart.see(4)", "table nil"), ("cart", "cart.see(4)", "table nil"),
      ("cart.address.deep.a", "cart.address.deep.a = 7", "7 1"),
      ("cart.checkout_pending", "cart.checkout()", "true false, false true"),
      ("cart.wishes", "cart.add('b', 1)", ""),
    ])
  func subscriptions(path: String, code: String, expected: String) async throws {
    try await shop.run("cart.add('a', 1)")
    let seen = try await shop.run(
      """
      local seen = {}
      local function text(v) return type(v) == "table" and "table" or tostring(v) end
      store.subscribe("\(path)", function(new, old) seen[#seen + 1] = text(new) .. " " .. text(old) end)
      \(code)
      return table.concat(seen, ", ")
      """)
    #expect(seen == expected)
  }

  @Test("are in documents, with the derived values")
  func documents() async throws {
    try await shop.run("cart.add('a', 2); cart.see(4); cart.address.city = 'Rome'")
    let (json, lua) = (shop.folder.path(of: "a.json"), shop.folder.path(of: "a.lua"))
    try await shop.run("store.export('\(json)'); store.export('\(lua)')")
    #expect(try shop.folder.read("a.json").contains("\"total\": 2"))
    #expect(
      try await shop.run(
        """
        local a = store.new()
        a.store.import("\(json)")
        return a.cart.items[1].name, a.cart.seen[1], a.cart.address.city, a.cart.total, a.cart.add("b", 1).id
        """) == "a 4 Rome 2 2")
    try await shop.run("store.reset(); dofile('\(lua)')")
    #expect(try await shop.run("return cart.items[1].name, cart.seen[1], cart.total") == "a 4 2")
  }

  @Test("results of actions are documented")
  func results() throws {
    let members = try #require(shop.scripted.modules.first { $0.name == "cart" }).documentation
    func signature(_ name: String) -> String? { members.first { $0.name == name }?.signature }
    #expect(
      signature("add")
        == "add(name: string, price: integer, [quantity: integer], [tag: any]): cart.item")
    #expect(signature("wish") == "wish([name: any]): cart.wish")
    #expect(signature("see") == "see([n: any])")
    #expect(signature("tidy") == "tidy(): any")
    #expect(signature("total") == "total: any")
  }
}
