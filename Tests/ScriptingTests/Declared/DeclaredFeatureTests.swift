import Lua
import StateStore
import Testing
import TestSupport

@testable import Scripting

@MainActor
@Suite("Features that are declared in Lua")
struct DeclaredFeatureTests {
  let shop: DeclaredFixture

  init() throws {
    shop = try DeclaredFixture(
      """
      \(DeclaredFixture.cart)
      local hits = 0
      feature "odd" {
        state = { count = 0, seen = set "integer", items = list { n = 0 } },
        actions = {
          hit = function(state)
            hits = hits + 1
            state.count = hits
            state.seen:add(hits)
            state.items:append { n = hits }
          end,
        },
      }
      """)
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- an action changes the state and returns a live record
      local pen = cart.add('pen', 120, 2)
      return pen.name, pen.id, #cart.items, cart.total, cart.items[1] == pen,
        store.history(1)[1].action --> pen 1 1 240 true cart.add("pen", 120, 2)
      -- assigning an editable part sends an action, whose text is the assignment
      cart.add('pen', 120).quantity = 3
      cart.note = 'fast'
      local total, note, last = cart.total, cart.note, store.history(1)[1].action
      store.undo()
      return total, note, last, cart.note == "", store.history(1)[1].action
      --> 360 fast cart.note = "fast" true cart.note = "fast"
      cart.add('pen', 120).name = 'x'
      --> cart.item.name can't be assigned; cart is changed by cart.add, cart.clear, cart.move_to,
      --> cart.see, cart.run, ...
      -- an error of an action changes nothing, and has the code of fail or the file's line
      local ok, err = pcall(cart.add, 'pen', -1) return err.code, err, store.position
      --> bad_price A price is 0 or more, not -1. 0
      cart.run('state.items:append { nme = 1 }')
      --> …cart.items[1] has no field 'nme'; it has name, price, quantity
      -- actions that are refused, one after the other, use up no id
      for _ = 1, 3 do
        pcall(cart.run, "state.items:append { name = 'a' } state.items:append {} error('no')")
      end
      return cart.add('pen', 1).id, cart.add('ink', 1).id --> 1 2
      -- a request is pending until its answer, and redo repeats the answer
      cart.add('pen', 120)
      local t = task.spawn(cart.checkout, "4111 1111")
      local asked = cart.checkout_pending
      local receipt = t:await().receipt
      local answered = cart.checkout_pending
      store.undo()
      local undone = cart.checkout_pending
      assert(#cart.items == 1 and #cart.receipts == 0)
      store.redo()
      return asked, receipt, answered, undone, #cart.items, cart.receipts[1].text
      --> true •••••• 120 false true 0 •••••• 120
      -- actions are undone and redone without running again, so whatever they would do now
      for i = 1, 150 do odd.hit() end
      store.undo(149)
      local count, size = odd.count, #odd.items
      store.redo(149)
      store.jump(120)
      return count, size, odd.count, #odd.seen, odd.items[120].n --> 1 1 120 120 120
      """))
  func scripts(example: LuaCase) async throws { try await shop.check(example) }

  @Test("the state is the same when its history is reopened")
  func reopened() async throws {
    try await shop.run(
      """
      cart.add('pen', 120); cart.add('ink', 5, 2); cart.items[2].quantity = 7; cart.see(4)
      cart.checkout("4111 1111"); cart.add('cap', 1); store.undo(2); cart.size = "large"
      """)
    #expect(try shop.store.differencesWhenReopened() == [])
  }

  @Test(
    "an error takes back all changes of its action",
    arguments: [
      "state.note = 'x' state.note = 'y' state.size = 'large' state.address.city = 'Rome'",
      "state.items:append { name = 'new' }",
      "state.items[1].price = 7 state.items[1].price = 8 state.items[3].quantity = 9",
      "state.items:insert(1, { name = 'new' }) state.items:append { name = 'last' }",
      "state.items:append { name = 'new' } state.items:remove(2) state.items[1].name = 'x'",
      "state.items:append { name = 'new' } state.items:move(1, 4) state.items[4].price = 1",
      "state.items:append { name = 'new' } state.items:clear() state.items:append { name = 'other' }",
      "state.seen:add(9) state.seen:remove(1) state.seen:clear() state.seen:add(2)",
      "for i = 1, 300 do state.items:append { name = 'n' .. i } end state.items[1].price = 5",
      "for i = 1, 300 do state.items[i % 3 + 1].price = i state.note = 'n' .. i end state.items:remove(1)",
    ])
  func takenBack(code: String) async throws {
    try await shop.run(
      "cart.add('pen', 120) cart.add('ink', 5, 2) cart.add('cap', 1) cart.see(1) cart.note = 'fast'"
    )
    let before = shop.store.states
    for observation in ["", "store.subscribe('cart', function() end)"] {
      try await shop.run(observation)
      #expect(await shop.failure("cart.run(\"\(code) state.note = 5\")").hasSuffix("found 5"))
      #expect(shop.store.states == before)
      #expect(shop.store.changes(since: before).isEmpty)
    }
    try await shop.run("cart.add('more', 3) cart.run(\"\(code)\") store.undo() store.redo()")
    #expect(try shop.store.differencesWhenReopened() == [])
    try await shop.run("store.undo(2)")
    #expect(shop.store.states == before)
  }

  @Test("keep 0.0 in place of -0.0, also as initial values")
  func zeros() async throws {
    let app = try DeclaredFixture(
      """
      feature "z" {
        state = {
          x = editable(-0.0), place = record { y = -0.0 }, n = number { default = -0.0 }, list = list { v = -0.0 },
        },
        actions = {
          add = action { "v: number", function(s, v) s.list:append {} s.list:append { v = v } s.x = v end },
        },
      }
      """)
    #expect(try await app.run("return z.x, z.place.y, z.n") == "0.0 0.0 0.0")
    #expect(
      try await app.run("z.add(-0.0) return z.x, z.list[1].v, z.list[2].v") == "0.0 0.0 0.0")
  }
}
