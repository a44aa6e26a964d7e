import StateStore
import Testing

@testable import Scripting

@MainActor
@Suite("The code of declared features")
struct DeclaredLifetimeTests {
  private let source = """
    kept = {}
    feature "cart" {
      state = {
        items = list { name = "", size = record { width = 1 } }, note = "", place = record { city = "Bonn" },
      },
      derived = {
        count = function(state) return #state.items end,
        summary = function(state, app)
          kept = { state, app, state.place }
          setmetatable({}, { __gc = function()
            print(pcall(function() return kept[1].count end))
            print(pcall(function() return kept[2].cart end))
            print(pcall(function() return kept[3].city end))
          end })
          return app.cart.count
        end,
      },
      actions = { add = function(state, name) return state.items:append { name = name } end },
    }
    """

  @Test("is freed with the last store that has them, though finalizers use what the code kept")
  func lifetime() async throws {
    weak var runtime: DeclaredRuntime?
    do {
      let shop = try DeclaredFixture(source)
      runtime = shop.app.runtime
      #expect(try await shop.run("cart.add('pen') return cart.summary") == "1")
      #expect(runtime != nil)
    }
    #expect(runtime == nil)
  }

  @Test("is freed when changed code replaces it")
  func reloading() async throws {
    let shop = try DeclaredFixture(source)
    weak var runtime: DeclaredRuntime?
    do {
      let earlier = try DeclaredFixture(source)
      runtime = earlier.app.runtime
      try await earlier.run("cart.add('pen') return cart.summary")
      shop.store.adopt(try earlier.store.reloaded(with: shop.store.schema))
    }
    #expect(runtime == nil)
    #expect(try await shop.run("return cart.summary") == "1")
  }
}
