import Lua
import StateStore
import Testing

@testable import Scripting

@MainActor
@Suite("A history that is repeated with changed declarations")
struct ReloadTests {
  private func source(
    state: String = "items = list { name = '', price = 0, quantity = editable(1) }",
    action: String = "add", limit: Int = 0, factor: Int = 1, more: String = ""
  ) -> String {
    """
    feature "cart" {
      state = { \(state) },
      derived = {
        total = function(state)
          local sum = 0
          for _, item in ipairs(state.items) do sum = sum + item.price * item.quantity end
          return sum * \(factor)
        end,
      },
      actions = {
        \(action) = action { "name: string", "price: integer", function(state, name, price)
          if price < \(limit) then fail("bad_price", "A price is \(limit) or more.") end
          return state.items:append { name = name, price = price }
        end },
      },
      requests = {
        pay = request { "card: secret",
          ask = function(cart, card) task.sleep(0) return card end,
          done = function(state, answer) state.items:clear() end,
        },
      },
      \(more)
    }
    """
  }

  /// The schema of a changed file, with its modules.
  private func schema(_ source: String) throws -> (StoreSchema, [ScriptModule]) {
    let fixture = try DeclaredFixture(source)
    return (fixture.store.schema, fixture.app.modules)
  }

  private func reload(_ shop: DeclaredFixture, _ source: String) throws -> ReloadedHistory {
    let (schema, modules) = try schema(source)
    let reloaded = try shop.store.reloaded(with: schema)
    shop.store.use(reloaded)
    try shop.scripted.use(shop.scripted.reloadedModules(modules))
    return reloaded
  }

  @Test("gives the states of the new reducers, and undo goes on in it")
  func reducers() async throws {
    let shop = try DeclaredFixture(source())
    try await shop.run("cart.add('pen', 120); cart.items[1].quantity = 2; cart.add('ink', 5)")
    let reloaded = try reload(shop, source(factor: 10))
    #expect(reloaded.refusals.isEmpty)
    #expect(try await shop.run("return cart.total, store.position") == "2450 3")
    #expect(try await shop.run("store.undo(2); return cart.total, #cart.items") == "1200 1")
    #expect(try await shop.run("store.redo(2); return cart.total, cart.items[2].id") == "2450 2")
    #expect(try await shop.run("return cart.add('cap', 1).id") == "3")
  }

  @Test("is without the actions that are refused, and the undone ones can still be redone")
  func refusals() async throws {
    let shop = try DeclaredFixture(source())
    try await shop.run(
      "cart.add('pen', 120); cart.add('ink', 5); cart.add('cap', 50); store.undo()")
    let reloaded = try shop.store.reloaded(with: schema(source(limit: 10)).0)
    #expect(reloaded.refusals.map(\.number) == [2])
    #expect("\(reloaded.refusals[0].reason)" == "A price is 10 or more.")
    #expect(try await shop.run("return cart.total") == "125")
    #expect(try reload(shop, source(limit: 10)).refusals.count == 1)
    #expect(try await shop.run("return cart.total, store.position") == "120 1")
    #expect(try await shop.run("store.redo(); return cart.total") == "170")
  }

  @Test("gives new fields and parts their defaults, and loses none of the others")
  func fields() async throws {
    let shop = try DeclaredFixture(source())
    try await shop.run("cart.add('pen', 120)")
    _ = try reload(
      shop,
      source(
        state: "note = 'new', items = list { name = '', color = 'red', price = 0, quantity = 1 }"))
    #expect(
      try await shop.run("local pen = cart.items[1]; return cart.note, pen.color, pen.price")
        == "new red 120")
  }

  @Test("of a field of another type says that it needs a version, and migrate converts it")
  func types() async throws {
    let state = "items = list { name = '', price = '', quantity = 1 }"
    let shop = try DeclaredFixture(source(state: "label = 5, " + state.replacing("''", with: "0")))
    let changed = "label = 'x', items = list { name = '', price = 0, quantity = 1 }"
    #expect {
      _ = try shop.store.reloaded(with: schema(source(state: changed)).0)
    } throws: {
      "\($0)"
        == "label: expected string, found 5; a field whose type changes needs version = 2 and migrate = function(state, from) ... end"
    }
    _ = try reload(
      shop,
      source(
        state: changed,
        more: "version = 2, migrate = function(state, from) state.label = 'was ' .. state.label end"
      ))
    #expect(try await shop.run("return cart.label") == "was 5")
  }

  @Test("refuses a renamed action by its name")
  func renamed() async throws {
    let shop = try DeclaredFixture(source())
    try await shop.run("cart.add('pen', 120)")
    let reloaded = try shop.store.reloaded(with: schema(source(action: "put")).0)
    #expect(
      "\(reloaded.refusals[0].reason)".hasPrefix("cart has no action \"add\" in this version;"))
  }

  @Test("reports to observers what is different, also of paths that are new")
  func observers() async throws {
    let shop = try DeclaredFixture(source())
    try await shop.run(
      """
      seen = {}
      cart.add('pen', 120)
      store.subscribe("cart.total", function(new, old) seen[#seen + 1] = old .. "->" .. new end)
      store.subscribe("cart.items", function(edits) seen[#seen + 1] = "items" end)
      store.subscribe("", function() seen[#seen + 1] = "all" end)
      """)
    _ = try reload(shop, source(factor: 3))
    #expect(try await shop.run("return table.concat(seen, ' ')") == "120->360 all")
    try await shop.run("cart.add('ink', 1)")
    #expect(
      try await shop.run("return table.concat(seen, ' ')") == "120->360 all 360->363 items all")
  }

  @Test("answers a request that was asked before")
  func pending() async throws {
    let shop = try DeclaredFixture(source())
    try await shop.run("cart.add('pen', 120); t = task.spawn(cart.pay, 'Zx9pay')")
    _ = try reload(shop, source(factor: 2))
    #expect(
      try await shop.run(
        "local old = cart.pay_pending; t:await(); return old, cart.pay_pending, #cart.items")
        == "true false 0")
  }

  @Test("makes earlier modules and records say that they were reloaded")
  func earlier() async throws {
    let shop = try DeclaredFixture(source())
    try await shop.run("pen = cart.add('pen', 120); old = cart")
    _ = try reload(shop, source())
    let message =
      "This belongs to cart as it was before its file was reloaded: get it from cart again."
    #expect(await shop.failure("return pen.name") == message)
    #expect(await shop.failure("old.add('x', 1)") == message)
    #expect(try await shop.run("return cart.items[1].name, app.cart == cart") == "pen true")
  }
}
