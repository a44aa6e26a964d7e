import Lua
import Testing

@testable import Scripting

/// An object of a class that is made in a test.
private final class Thing: LuaDynamicObject {
  let luaClass: LuaObjectClass

  init(_ luaClass: LuaObjectClass) { self.luaClass = luaClass }

  static var luaTypeName: String { "thing" }
}

@MainActor
@Suite("The documentation of classes that are described at run time")
struct RuntimeClassTests {
  private let state: LuaState
  private let reference: Reference

  init() throws {
    state = try LuaState()
    let item = LuaObjectClass("cart.item", of: Thing.self) { members in
      members.property("price", help: "The price.", example: "item.price") { _ in 7 }
    }
    let items = LuaObjectClass("cart.items", of: Thing.self) { members in
      members.sequence(of: { .object(item) }, count: { _ in 1 }, element: { _, _ in Thing(item) })
    }
    let cart = LuaModule("cart", help: "A cart.")
    cart.property(
      LuaMember(
        property: "items", type: .object(items), isWritable: false,
        help: "The items.", example: "cart.items"), get: { Thing(items) }, assign: nil)
    let address = LuaValueType.table(
      name: "cart.address",
      fields: [
        LuaParameter(name: "street", type: String.luaType, help: "The street."),
        LuaParameter(
          name: "places",
          type: .list(
            of: .table(
              name: "cart.place", fields: [LuaParameter(name: "x", type: Int.luaType)]))),
      ])
    cart.property(
      LuaMember(
        property: "address", type: .optional(address), isWritable: false,
        help: "The address.", example: "cart.address"), get: { LuaRecord([:]) }, assign: nil)
    cart.function(
      LuaMember(
        function: "total", parameters: [LuaParameter(name: "rate", type: Double?.luaType)],
        types: [Double.luaType], help: "The total.", example: "cart.total()")
    ) { _ in 0 }
    reference = Reference(modules: [cart], storeModuleCount: 1) { [:] }
    try state.setGlobal("cart", to: cart)
  }

  @Test("help describes an object by its own class")
  func help() throws {
    let help = try Help(reference, in: state)
    let item = try state.load("return cart.items[1]", name: .text("test")).call()
    #expect(try help.text(on: item[0]).hasPrefix("An object of the kind cart.item:"))
    #expect(try help.text(onName: "cart.items").contains("elements of the type cart.item:"))
    #expect(try help.text(onName: "cart.item.price").contains("The price."))
  }

  @Test("the reference page has the classes")
  func page() {
    #expect(reference.classes.prefix(2).map(\.name) == ["cart.items", "cart.item"])
  }

  @Test(
    "the definitions for editors have the classes, and tables with their fields",
    arguments: [
      "---@class cart.items\n---@field [integer] cart.item",
      "---@class cart.item\n---@field price integer The price.",
      "---@field items cart.items The items.", "---@field address cart.address? The address.",
      "---@class cart.address\n---@field street string The street.\n---@field places cart.place[]",
      "---@class cart.place\n---@field x integer",
      "---@return number\nfunction cart.total(rate) end",
    ])
  func definitions(text: String) {
    #expect(LanguageServerDefinitions(program: "test", reference).text.contains(text))
  }

  @Test("the definitions for editors keep tables of one name and different fields apart")
  func sameName() {
    let modules = [("cart", "total"), ("safe", "lock")].map { name, field in
      let module = LuaModule(name, help: "")
      module.property(
        LuaMember(
          property: "alert",
          type: .table(name: "alert", fields: [LuaParameter(name: field, type: Int.luaType)]),
          isWritable: false, help: "", example: ""), get: { 1 }, assign: nil)
      return module
    }
    let reference = Reference(modules: modules, storeModuleCount: 2) { [:] }
    let text = LanguageServerDefinitions(program: "test", reference).text
    #expect(text.contains("---@class cart.alert\n---@field total integer"))
    #expect(text.contains("---@class safe.alert\n---@field lock integer"))
  }
}
