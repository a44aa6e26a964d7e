import Lua
import StateStore
import Testing
import TestSupport

@testable import Scripting

@MainActor
@Suite("Decimal numbers and texts with patterns of features that are declared in Lua")
struct NarrowTypeTests {
  private let app: DeclaredFixture

  init() throws {
    app = try DeclaredFixture(
      """
      feature "shop" {
        state = {
          price = editable(decimal(2)),
          rate = editable(decimal { places = 1, min = 0, max = 10, default = 2.5 }),
          code = editable(text { pattern = "%u%u%d+", max = 5, default = "AB1" }),
          name = editable(text { max = 3 }),
          plain = editable(text),
          price_text = editable(text { pattern = "^%d%$$" }),
          items = list { price = decimal(2), code = text { pattern = "%d+" } },
          exact = editable(decimal(9)),
          twice = editable(text { pattern = "(%a)%1" }),
        },
        derived = { total = sum("items", function(item) return item.price end) },
        actions = {
          add = action { "price: decimal(2)", function(state, price) return state.items:append { price = price } end },
        },
      }
      """)
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- decimals are the nearest numbers, so that equal amounts are equal
      shop.price = 0.1 + 0.2
      local sum = shop.price == 0.3
      shop.price = 19.99 * 3
      local product = shop.price == 59.97
      shop.price = 90
      return sum, product, shop.price, math.type(shop.price), shop.rate --> true true 90.0 float 2.5
      -- decimals have up to 15 digits, of which each counts
      for _, amount in ipairs { 136219954.67, 655956849.95, 8123456789012.35 } do
        shop.price = amount
        if shop.price ~= amount then return amount end
      end
      shop.exact = 67.326307349
      return shop.exact, pcall(function() shop.price = 80000000000000.01 end)
      --> 67.326307349 false…
      -- sums of decimals are exact
      for i = 1, 1000 do shop.add(0.1) end return shop.total == 100 --> true
      -- decimals refuse other numbers
      shop.price = 90.005 --> …shop.price: expected a number with 2 decimal places, found 90.005…
      shop.price = 1/3 --> …expected a number with 2 decimal places…
      shop.price = 1e300 --> …expected a number with 2 decimal places…
      shop.price = '1' --> …expected a number with 2 decimal places, found "1"…
      shop.price = 0/0 --> …not a number…
      shop.rate = 10.1 --> …expected a number from 0 to 10 with 1 decimal place, found 10.1…
      shop.add(1.234) --> …(price: a number with 2 decimal places expected, got 1.234)…
      -- texts match their pattern as a whole, and are no longer than their limit
      local code = shop.code
      shop.code = "XY123" shop.name = "äöü" shop.plain = "anything" shop.price_text = "5$"
      return code, shop.code, shop.name, shop.plain, shop.price_text --> AB1 XY123 äöü anything 5$
      -- texts can have back references, and are empty unless there is a default
      shop.twice = "aa"
      local is_refused = not pcall(function() shop.twice = "ab" end)
      local twice = shop.twice
      shop.twice = ""
      shop.add(1)
      return is_refused, twice, shop.twice, shop.items[1].code, pcall(function() shop.code = "" end)
      --> true aa   false…
      -- texts refuse others
      shop.code = 'xy1'
      --> …expected a string of at most 5 characters that matches "%u%u%d+", found "xy1"…
      shop.code = 'XY12 ' --> …that matches…
      shop.code = ' XY12' --> …that matches…
      shop.code = 'XY1234' --> …of at most 5 characters…
      shop.name = 'abcd' --> …expected a string of at most 3 characters, found "abcd"…
      shop.code = 1 --> …found 1…
      """))
  func scripts(example: LuaCase) async throws { try await app.check(example) }

  @Test("have examples that they accept")
  func examples() async throws {
    let module = try #require(app.scripted.modules.first { $0.name == "shop" })
    let fields = module.documentation.filter { $0.kind == .property(isWritable: true) }
    #expect(fields.count == 8)
    for field in fields { try await app.run(field.example) }
  }

  @Test(
    "are declared with possible options",
    arguments: [
      ("decimal(10)", "there are 0 to 9 decimal places"),
      ("decimal { min = 1 }", "it must be the number of decimal places"),
      ("decimal { places = 2, default = 0.001 }", "expected a number with 2 decimal places"),
      ("decimal { places = 2, most = 1 }", "there is no such part"),
      ("text { pattern = 'a%' }", "malformed pattern (ends with '%')"),
      ("text { pattern = '(a)%2' }", "invalid capture index %2"),
      ("text { pattern = '\(String(repeating: "()", count: 33))' }", "too many captures"),
      ("text { pattern = 'a(b' }", "unfinished capture"),
      ("text { pattern = 'a%bx' }", "missing arguments to '%b'"),
      ("text { pattern = 'a%fx' }", "missing '[' after '%f'"),
      ("text { max = 0 }", "it must be a number of characters from 1"),
      ("text { pattern = '%d', default = 'x' }", "its initial value: expected a string"),
      ("text { min = 3 }", "there is no such part"),
      ("decimal", "or call the word, as in decimal(2)"),
    ])
  func declaration(type: String, problem: String) {
    let found = DeclaredFixture.problem("feature \"cart\" { state = { x = \(type) } }")
    #expect(found.contains(problem), "\(found)")
  }
}
