import Lua
import StateStore
import Testing
import TestSupport

@testable import Scripting

@MainActor
@Suite("Maps of features that are declared in Lua")
struct MapTests {
  private let app: DeclaredFixture

  init() throws {
    app = try DeclaredFixture(
      """
      feature "shop" {
        state = {
          stock = map("string", "integer"),
          days = map("date", decimal(2)),
          places = map("integer", record { city = "", zip = 0 }),
          owners = map("string", reference { "people", on_remove = "clear" }),
          people = list { name = "" },
          pins = map("string", secret),
        },
        derived = {
          total = sum("stock", function(e) return e.value end),
          first = function(state) for key, value in pairs(state.stock) do return key .. "=" .. value end end,
          pens = function(state) return state.stock.pen end,
        },
        actions = {
          put = action { "key: any", "[value: any]", function(state, key, value) state.stock[key] = value end },
          count = function(state) return #state.stock end,
          day = action { "key: string", "[value: number]", function(state, key, value) state.days[key] = value end },
          place = action { "key: integer", "city: string", function(state, key, city)
            if state.places[key] then state.places[key].city = city else state.places[key] = { city = city } end
          end },
          own = action { "key: string", "name: string", function(state, key, name)
            state.owners[key] = state.people:append { name = name }
          end },
          leave = action { "id: integer", function(state, id) state.people:remove(id) end },
          double = function(state) for key, value in pairs(state.stock) do state.stock[key] = value * 2 end end,
          pin = action { "key: string", "pin: secret", function(state, key, pin) state.pins[key] = pin end },
          give = function(state) return state.stock end,
          drop_all = function(state) for key in pairs(state.stock) do state.stock[key] = nil end end,
          fill = action { "n: integer", function(state, n)
            for i = 1, n do state.stock["k" .. i * 7919 % 1000003] = i end
          end },
        },
      }
      """)
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- have a value for each key, which nil removes
      shop.put("pen", 3) shop.put("ink", 2) shop.put("pen", 4) shop.put("ink") shop.put("ink")
      return shop.stock.pen, shop.stock["ink"], #shop.stock, shop.count(), shop.total, shop.pens
      --> 4 nil 1 1 4 4
      -- go in the order of their keys
      for _, key in ipairs { "b", "c", "", "a", "é" } do shop.put(key, #key) end
      local keys = {}
      for key, value in pairs(shop.stock) do keys[#keys + 1] = key .. value end
      shop.double()
      return table.concat(keys, " "), shop.first, shop.total --> 0 a1 b1 c1 é2 =0 10
      -- are undone, one change at a time
      shop.put("a", 1) shop.put("a", 2) shop.put("a") shop.put("b", 3) shop.drop_all()
      local seen = {}
      for i = 1, 5 do store.undo() seen[i] = json.encode(shop.stock) end
      store.redo(2)
      return table.concat(seen, " "), shop.stock.a, shop.total --> {"b":3} {} {"a":2} {"a":1} {} 2 2
      -- have values of any type of a record's field
      shop.day("2026-11-26", 0.1 + 0.2) shop.place(7, "Bonn") shop.place(7, "Köln") shop.own("car", "Ann")
      local owner = shop.owners.car.name
      shop.leave(1)
      return shop.days["2026-11-26"], shop.places[7].city, shop.places[7].zip, owner, shop.owners.car, #shop.owners
      --> 0.3 Köln 0 Ann nil 0
      -- are objects in JSON, and tables of keys and values in snapshots
      shop.place(1, "Bonn") shop.own("car", "Ann") shop.put("a", 1)
      return json.encode(shop.places), json.encode(shop.owners), store.state().shop.stock[1].key
      --> {"1":{"city":"Bonn","zip":0}} {"car":1} a
      -- show bullets for secrets
      shop.pin('door', '1234') return shop.pins.door, json.encode(shop.pins)
      --> •••• {"door":"••••"}
      -- take as long for a key among many as among few
      shop.fill(20000) shop.put('k7919', 0) return #shop.stock, shop.stock.k7919, shop.stock.k15838
      --> 20000 0 2
      -- aren't results of actions, as other drafts
      shop.give() --> …returns its draft…
      -- refuse other keys and values
      shop.put(1, 1) --> …shop.stock, the key: expected string, found 1…
      shop.put(true, 1) --> …shop.stock, the key: expected string, found true…
      shop.put('a', 'b') --> …shop.stock["a"]: expected integer, found "b"…
      shop.day('x', 1) --> …shop.days, the key: expected a date such as "2026-11-26", found "x"…
      shop.day('2026-01-01', 0.123) --> …expected a number with 2 decimal places, found 0.123…
      return shop.stock[1] --> …shop.stock, the key: expected string, found 1…
      shop.stock.a = 1 --> …shop.stock can't be assigned; shop is changed by shop.put…
      shop.stock = {} --> …read-only…
      """))
  func scripts(example: LuaCase) async throws { try await app.check(example) }

  @Test("of documents have different keys")
  func repeatedKeys() async throws {
    let path = try app.folder.write(
      #"{"shop": {"stock": [{"id": 1, "key": "a", "value": 1}, {"id": 2, "key": "a", "value": 2}]}}"#,
      to: "state.json")
    let failure = await app.failure("store.import('\(path)')")
    #expect(failure.contains("shop.stock: two values have the key \"a\""), "\(failure)")
  }

  @Test(
    "are declared with types",
    arguments: [
      ("map('boolean', 'integer')", #"a map has keys of the type "string", "integer" or "date""#),
      ("map('string')", "its type is missing"),
      ("map('string', 'nothing')", #""nothing" is no type"#),
      ("map('string', 'table')", "is a type of parameters"),
      ("map('string', list { a = 1 })", "a list is a field of the state itself"),
      ("map('string', editable(1))", "only actions change a map"),
      ("editable(map('string', 'integer'))", "a map is a field of the state itself"),
    ])
  func declaration(type: String, problem: String) {
    let found = DeclaredFixture.problem("feature \"cart\" { state = { x = \(type) } }")
    #expect(found.contains(problem), "\(found)")
  }

  @Test("have queries with one value")
  func queries() {
    let found = DeclaredFixture.problem(
      """
      feature "cart" {
        state = { x = map("string", "integer") }, derived = { y = where("x", function(e) return e.value > 1 end) },
      }
      """)
    #expect(
      found.contains("cart.derived.y: of a map there are sum, count, min and max"), "\(found)")
  }
}
