import Lua
import Scripting
import Testing

@testable import PrimereplTerminal

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
