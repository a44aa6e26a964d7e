import Lua
import StateStore
import Testing

@testable import Scripting

@MainActor
@Suite("A session whose declarations have changed")
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

  /// The history as text.
  private func history(_ shop: DeclaredFixture) throws -> [String] {
    try shop.store.history().map { shop.scripted.texts.text(of: $0.recorded.action) }
  }

  private func reload(_ shop: DeclaredFixture, _ source: String) throws {
    shop.store.describe = { [texts = shop.scripted.texts] in texts.savedText(of: $0) }
    let (schema, modules) = try schema(source)
    shop.store.adopt(try shop.store.reloaded(with: schema))
    try shop.scripted.adopt(shop.scripted.reloadedModules(modules))
  }

  // MARK: - The past

  @Test("has its state and its history, in which undo goes on, and derives by the new code")
  func past() async throws {
    let shop = try DeclaredFixture(source())
    try await shop.run("cart.add('pen', 120); cart.items[1].quantity = 2; cart.add('ink', 5)")
    let earlier = try history(shop)
    try reload(shop, source(factor: 10))
    #expect(try history(shop) == earlier)
    #expect(try await shop.run("return cart.total, store.position") == "2450 3")
    #expect(try await shop.run("store.undo(2); return cart.total, #cart.items") == "1200 1")
    #expect(try await shop.run("store.redo(2); return cart.total, cart.items[2].id") == "2450 2")
    #expect(try await shop.run("return cart.add('cap', 1).id") == "3")
  }

  @Test("keeps what actions did that the new code refuses, done and undone")
  func refused() async throws {
    let shop = try DeclaredFixture(source())
    try await shop.run("cart.add('ink', 5); cart.add('tip', 1); store.undo()")
    try reload(shop, source(limit: 10))
    #expect(try await shop.run("return cart.total, store.position") == "5 1")
    #expect(try await shop.run("store.redo(); return cart.total") == "6")
    #expect(await shop.failure("cart.add('cap', 2)").contains("A price is 10 or more."))
  }

  @Test("shows an action by its text that isn't declared any more, and undoes it")
  func renamed() async throws {
    let shop = try DeclaredFixture(source())
    try await shop.run("cart.add('pen', 120); cart.items[1].quantity = 2")
    try reload(shop, source(action: "put"))
    let texts = [#"cart.add("pen", 120)"#, "cart.items:get(1).quantity = 2"]
    #expect(try history(shop) == texts)
    #expect(try await shop.run("store.undo(2); return #cart.items") == "0")
    #expect(try await shop.run("store.redo(2); return cart.total") == "240")
    try reload(shop, source())
    #expect(try history(shop) == texts)
  }

  @Test("keeps a feature that isn't declared any more, whose actions are undone as well")
  func removedFeature() async throws {
    let shop = try DeclaredFixture(source())
    try await shop.run("cart.add('pen', 120); cart.add('ink', 5); cart.items[1].quantity = 2")
    let earlier = try history(shop)
    try reload(shop, "feature 'other' { state = { n = editable(0) } }")
    #expect(try history(shop) == earlier)
    #expect(try await shop.run("other.n = 7; store.undo(3); return store.position") == "1")
    try reload(shop, source())
    #expect(try await shop.run("return cart.total, cart.items[1].quantity") == "120 1")
    #expect(try await shop.run("store.redo(2); return cart.total") == "245")
  }

  // MARK: - Replaying

  @Test("tells what the new code makes of its history, and stays as it is")
  func replaying() async throws {
    let shop = try DeclaredFixture(source())
    try await shop.run(
      "cart.add('pen', 120); cart.add('ink', 5); cart.add('cap', 50); store.undo()")
    try reload(shop, source(limit: 10))
    let replayed = try shop.store.replayed()
    #expect(replayed.count == 2)
    #expect(replayed.refusals.map(\.number) == [2])
    #expect("\(replayed.refusals[0].reason)" == "A price is 10 or more.")
    #expect(try await shop.run("return cart.total, store.position") == "125 2")
    try shop.store.send(.restore(replayed.states, source: nil))
    #expect(try await shop.run("return cart.total, store.position") == "120 3")
    #expect(try await shop.run("store.undo(); return cart.total") == "125")
  }

  @Test("can't replay an action that isn't declared any more")
  func replayingRenamed() async throws {
    let shop = try DeclaredFixture(source())
    try await shop.run("cart.add('pen', 120)")
    try reload(shop, source(action: "put"))
    let reason = try #require(shop.store.replayed().refusals.first?.reason)
    #expect("\(reason)" == "The app doesn't have this action of cart any more.")
  }

  // MARK: - Other fields

  @Test("gives new fields and parts their defaults, and loses none of the others")
  func fields() async throws {
    let shop = try DeclaredFixture(source())
    try await shop.run("cart.add('pen', 120)")
    try reload(
      shop,
      source(
        state: "note = 'new', items = list { name = '', color = 'red', price = 0, quantity = 1 }"))
    #expect(
      try await shop.run("local pen = cart.items[1]; return cart.note, pen.color, pen.price")
        == "new red 120")
  }

  private let numbered = "label = 5, items = list { name = '', price = 0, quantity = 1 }"
  private let named = "label = 'x', items = list { name = '', price = 0, quantity = 1 }"

  @Test(
    "says of a field of another type that it needs a version, and changes nothing",
    arguments: [
      ("x = 5", "x = ''", "an integer and is a text"),
      ("x = list { key = '', value = 0 }", "x = map('string', 'integer')", "a list and is a map"),
      (
        "a = list { n = 0 }, b = list { n = 0 }, x = reference 'a'",
        "a = list { n = 0 }, b = list { n = 0 }, x = reference 'b'",
        "a reference to a or nothing and is a reference to b or nothing"
      ),
    ])
  func types(old: String, new: String, change: String) throws {
    let shop = try DeclaredFixture("feature 'cart' { state = { \(old) } }")
    let before = shop.store.states
    #expect {
      _ = try shop.store.reloaded(with: schema("feature 'cart' { state = { \(new) } }").0)
    } throws: {
      "\($0)" == "cart.x was \(change) now: declare version = 2 and migrate"
    }
    #expect(shop.store.states == before)
  }

  @Test("is converted by migrate once, as an action before which undo doesn't go")
  func migration() async throws {
    let shop = try DeclaredFixture(source(state: numbered))
    try await shop.run("cart.add('pen', 120)")
    let converting = """
      version = 2, migrate = function(state, from)
        state.label = 'was ' .. state.label .. ' in ' .. from
        state.items[1].quantity = 3
      end
      """
    for _ in 1...2 {
      try reload(shop, source(state: named, more: converting))
      #expect(try await shop.run("return cart.label, cart.total") == "was 5 in 1 360")
      #expect(shop.store.reachable == 2...2)
    }
    #expect(try await shop.run("cart.add('ink', 5); store.undo(); return #cart.items") == "1")
    #expect(await shop.failure("store.undo()") != "no error: ")
  }

  @Test(
    "stays as it is if migrate fails, makes no state, or the version is an older one",
    arguments: [
      ("migrate = function() error('never', 0) end", 2, "failed_migration"),
      ("migrate = function() return 7 end", 2, "failed_migration"),
      ("migrate = function(state) state.label = {} end", 2, "failed_migration"),
      ("migrate = nil", 1, "newer_version"),
    ])
  func failedMigration(migrate: String, version: Int, code: String) async throws {
    let isOlder = version == 1
    let shop = try DeclaredFixture(
      source(state: numbered, more: isOlder ? "version = 2" : "version = 1"))
    try await shop.run("cart.add('pen', 120)")
    let changed = source(
      state: isOlder ? numbered : named, more: "version = \(version), \(migrate)")
    #expect {
      _ = try shop.store.reloaded(with: schema(changed).0)
    } throws: {
      ($0 as? any CodedError)?.code == code
    }
    #expect(try await shop.run("return cart.label, cart.total") == "5 120")
  }

  // MARK: - The running program

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
    try reload(shop, source(factor: 3))
    #expect(try await shop.run("return table.concat(seen, ' ')") == "120->360 all")
    try await shop.run("cart.add('ink', 1)")
    #expect(
      try await shop.run("return table.concat(seen, ' ')") == "120->360 all 360->363 items all")
  }

  @Test("answers a request that was asked before")
  func pending() async throws {
    let shop = try DeclaredFixture(source())
    try await shop.run("cart.add('pen', 120); t = task.spawn(cart.pay, 'Zx9pay')")
    try reload(shop, source(factor: 2))
    #expect(
      try await shop.run(
        "local old = cart.pay_pending; t:await(); return old, cart.pay_pending, #cart.items")
        == "true false 0")
  }

  @Test("ends a request whose answer came while the app didn't have it")
  func lostAnswer() async throws {
    let shop = try DeclaredFixture(source())
    try await shop.run("cart.add('pen', 120); t = task.spawn(cart.pay, 'Zx9pay')")
    try reload(shop, source().replacing("pay = request", with: "other = request"))
    #expect(
      await shop.failure("t:await()")
        == "The app doesn't have the request cart.pay any more: its answer is lost.")
    #expect(try await shop.run("return select(2, pcall(t.await, t)).code") == "gone_request")
    try reload(shop, source())
    #expect(try await shop.run("return cart.pay_pending") == "true")
    try shop.store.endLostRequests()
    #expect(try await shop.run("return cart.pay_pending") == "false")
  }

  @Test("makes earlier modules and records say that they were reloaded")
  func earlier() async throws {
    let shop = try DeclaredFixture(source())
    try await shop.run("pen = cart.add('pen', 120); old = cart")
    try reload(shop, source())
    let message =
      "This belongs to cart as it was before its file was reloaded: get it from cart again."
    #expect(await shop.failure("return pen.name") == message)
    #expect(await shop.failure("return tostring(pen)") == message)
    #expect(await shop.failure("old.add('x', 1)") == message)
    #expect(try await shop.run("return cart.items[1].name, app.cart == cart") == "pen true")
  }
}
