import Lua
import Testing
import TestSupport

@testable import Scripting

@MainActor
@Suite("Functions that write texts")
struct TextFunctionTests {
  private let app: DeclaredFixture

  init() throws { app = try DeclaredFixture(DeclaredFixture.cart) }

  @Test(
    "fill a template with values by their paths",
    arguments: [
      ("'Dear {name},'", "{ name = 'Ann' }", "Dear Ann,"),
      (
        "'{price.net:%.2f} of {list.2}'", "{ price = { net = 1.5 }, list = { 'a', 'b' } }",
        "1.50 of b"
      ),
      ("'{n} {n:%03d} {flag}'", "{ n = 7, flag = false }", "7 007 false"),
      ("'{} { {{a}'", "{ a = 1 }", "{} { {1"),
      ("'{items.1.name} for {total}'", "cart", "pen for 120"),
      ("'no values'", "{}", "no values"),
      ("'{y.2026} {y.1}'", "{ y = { ['2026'] = 'a', 'b' } }", "a b"),
    ])
  func templates(_ text: String, _ values: String, _ expected: String) async throws {
    #expect(
      try await app.run("cart.add('pen', 120, 1) return template(\(text), \(values))") == expected)
  }

  @Test(
    "say what a template lacks",
    arguments: LuaCase.pairs(
      """
      template('{a.b}', { a = {} }) --> test:1: template: there is no 'a.b'
      template('{a.b.c}', {}) --> test:1: template: there is no 'a.b.c'
      template(nil, {}) --> test:1: bad argument #1 to 'template' (text: string expected, got nil)
      template('{a:%d}', { a = 1.5 }) --> test:1: template: {a:%d} doesn't fit its value, 1.5
      template('{a:%d}', {}) --> test:1: template: there is no 'a'
      template('{a.b}', { a = 5 }) --> test:1: template: there is no 'a.b'
      template('{a}') --> test:1: template: there is no 'a'
      template('{counter}', cart) --> cart has no field 'counter'
      """))
  func mistakes(_ call: String, _ problem: String) async {
    #expect(await app.failure(call).contains(problem))
  }

  @Test("show values as inspect does where there is no prompt, or as the host does")
  func show() async throws {
    var shown: [[LuaValue]] = []
    app.scripted.showing = { values in
      shown.append(values)
      return ""
    }
    try await app.run("show(1, nil, 'a') show()")
    #expect(shown == [[.integer(1), .nil, .string("a")], []])
  }
}
