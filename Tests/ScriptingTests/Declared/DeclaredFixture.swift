import Foundation
import Lua
import Scripting
import StateStore
import Testing
import TestSupport

@testable import Scripting

/// An app whose features are declared by a file of Lua.
@MainActor
struct DeclaredFixture {
  let folder: TemporaryFolder
  let app: DeclaredApp
  let store: Store
  let state: LuaState
  let scripted: ScriptedApp
  private let source: String

  /// Another app of the same file.
  static func like(_ other: DeclaredFixture) throws -> DeclaredFixture {
    try DeclaredFixture(other.source)
  }

  init(
    _ source: String, modules: [String: String] = [:], environment: ScriptEnvironment? = nil
  ) throws {
    self.source = source
    folder = try TemporaryFolder()
    for (name, text) in modules {
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: name).deletingLastPathComponent(),
        withIntermediateDirectories: true)
      _ = try folder.write(text, to: name)
    }
    app = try DeclaredApp(files: [try folder.write(source, to: "shop.lua")])
    let schema = try StoreSchema(features: [], declared: app.features, derived: [])
    try app.connect(to: schema)
    store = Store(schema)
    state = try LuaState()
    scripted = try ScriptedApp(
      in: state, store: store, modules: app.modules,
      environment: environment ?? ScriptEnvironment())
  }

  /// The results of code, as text.
  @discardableResult
  func run(_ code: String) async throws -> String { try await state.textOfResults(of: code) }

  /// The message of the error that code raises.
  func failure(_ code: String) async -> String {
    do {
      return "no error: \(try await run(code))"
    } catch let error as LuaError {
      return error.message
    } catch {
      return "\(error)"
    }
  }

  /// Checks what code gives: its results, or the message of its error.
  func check(_ example: LuaCase) async throws {
    let outcome: String
    do {
      outcome = try await run(example.code)
    } catch let error as LuaError {
      outcome = error.message
    }
    #expect(example.allows(outcome), "\(example.code) gives \(outcome)")
  }

  /// The text of the last action.
  func lastAction() throws -> String {
    guard let entry = try store.history(last: 1).first else { return "" }
    return scripted.texts.text(of: entry.recorded.action)
  }

  /// The error of loading a file.
  static func problem(_ source: String) -> String {
    do {
      _ = try DeclaredFixture(source)
      return "no problem"
    } catch {
      let text = "\(error)"
      return text.range(of: "shop.lua").map { String(text[$0.lowerBound...]) } ?? text
    }
  }

  static let cart = """
    feature "cart" {
      help = "A shopping cart.",
      state = {
        items    = list { name = "", price = 0, quantity = editable(1) },
        coupon   = optional "string",
        note     = editable "",
        size     = editable(enum { "small", "large" }),
        seen     = set "integer",
        address  = record { city = "Bonn", zip = 0 },
        receipts = list { text = "" },
      },
      derived = {
        total = function(state)
          local sum = 0
          for _, item in ipairs(state.items) do sum = sum + item.price * item.quantity end
          return sum
        end,
        count = function(state) return #state.items end,
        summary = function(state, app) return app.cart.count .. " for " .. state.total end,
      },
      actions = {
        add = action {
          "name: string", "price: integer", "[quantity: integer]",
          help = "Adds an item and returns it.", example = 'cart.add("pen", 120)',
          function(state, name, price, quantity)
            if price < 0 then fail("bad_price", "A price is 0 or more, not " .. price .. ".") end
            return state.items:append { name = name, price = price, quantity = quantity }
          end,
        },
        clear = function(state) state.items:clear() end,
        move_to = function(state, city) state.address.city = city end,
        see = function(state, n) return state.seen:add(n) end,
        run = function(state, code) return load(code, "code", "t", { state = state, ipairs = ipairs })() end,
      },
      requests = {
        checkout = request {
          "card: secret", help = "Pays, and empties the cart.",
          ask = function(cart, card) task.sleep(0) return { receipt = card .. " " .. cart.total } end,
          done = function(state, answer)
            state.receipts:append { text = answer.receipt }
            state.items:clear()
          end,
        },
      },
      functions = {
        add_all = function(cart, names)
          for _, name in ipairs(names) do cart.add(name, 100) end
          return #cart.items
        end,
      },
    }
    """
}
