import Lua
import Testing

@testable import PrimereplTerminal

/// An object of a class that is made in a test.
private final class Thing: LuaDynamicObject {
  let luaClass: LuaObjectClass

  init(_ luaClass: LuaObjectClass) { self.luaClass = luaClass }

  static var luaTypeName: String { "thing" }
}

@MainActor
@Suite("Language: completion of members that are known at run time")
struct RuntimeClassCompletionTests {
  @Test(
    "offers the members of an object's own class, and the fields of tables",
    arguments: [
      ("cart.items", ["size"]), ("cart.items[1]", ["price", "place"]),
      ("held", ["price", "place"]), ("held.place", ["x", "y"]),
      ("cart.first()", ["price", "place"]),
      ("cart.all()[1]", ["price", "place"]),
    ])
  func members(expression: String, expected: [String]) throws {
    let state = try LuaState()
    let item = LuaObjectClass("cart.item", of: Thing.self) { members in
      members.property("price", help: "The price.", example: "item.price") { _ in 7 }
      let fields = ["x", "y"].map { LuaParameter(name: $0, type: Int.luaType) }
      members.property(
        LuaMember(
          property: "place", type: .table(name: "cart.place", fields: fields), isWritable: false,
          help: "The place.", example: "item.place"), get: { _ in LuaRecord([:]) })
    }
    let items = LuaObjectClass("cart.items", of: Thing.self) { members in
      members.sequence(of: { .object(item) }, count: { _ in 1 }, element: { _, _ in Thing(item) })
      members.property("size", help: "The size.", example: "items.size") { _ in 1 }
    }
    let cart = LuaModule("cart", help: "A cart.")
    cart.property(
      LuaMember(
        property: "items", type: .object(items), isWritable: false,
        help: "The items.", example: "cart.items"), get: { Thing(items) }, assign: nil)
    for (name, type) in [
      ("first", LuaValueType.object(item)), ("all", .list(of: .object(item))),
    ] {
      let member = LuaMember(
        function: name, parameters: [], types: [type], help: "Items.",
        example: "cart.\(name)()")
      cart.function(member) { _ in 0 }
    }
    try state.setGlobal("cart", to: cart)
    try state.setGlobal("held", to: Thing(item))
    let source = SourceTokens(Array(expression.utf8))
    let finder = LuaSubjectFinder(
      state: state, modules: [cart], source: source, scopes: LuaScopes(source))
    let parsed = try #require(source.expression(endingAt: source.tokens.count - 1))
    let subject = try #require(try finder.subject(of: parsed))
    let names = try MemberNames(finder).names(of: subject)
    #expect(names.map { String(decoding: $0, as: UTF8.self) } == expected)
  }
}
