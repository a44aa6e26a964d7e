import Lua
import Testing

@testable import Scripting

@MainActor
@Suite("Tables in the definitions for editors")
struct TableDefinitionTests {
  /// The definitions for modules, each with a property of a type.
  private func definitions(_ properties: (module: String, name: String, type: LuaValueType)...)
    -> String
  {
    let modules = properties.map { property in
      let module = LuaModule(property.module, help: "")
      module.property(
        LuaMember(
          property: property.name, type: property.type, isWritable: false, help: "", example: ""),
        get: { 1 }, assign: nil)
      return module
    }
    let reference = Reference(modules: modules, storeModuleCount: modules.count) { [:] }
    return LanguageServerDefinitions(program: "test", reference).text
  }

  @Test("are classes, also those in lists in other tables")
  func nested() {
    let place = LuaValueType.table(
      name: "cart.place", fields: [LuaParameter(name: "x", type: Int.luaType)])
    let text = definitions(
      (
        "cart", "address",
        .table(
          name: "cart.address",
          fields: [
            LuaParameter(name: "street", type: String.luaType, help: "The street."),
            LuaParameter(name: "places", type: .list(of: place)),
          ])
      ))
    #expect(text.contains("---@field address cart.address\n"))
    #expect(
      text.contains(
        "---@class cart.address\n---@field street string The street.\n---@field places cart.place[]"
      ))
    #expect(text.contains("---@class cart.place\n---@field x integer"))
  }

  @Test("of one name and different fields are kept apart")
  func sameName() {
    let tables = ["total", "lock"].map { field in
      LuaValueType.table(name: "alert", fields: [LuaParameter(name: field, type: Int.luaType)])
    }
    let text = definitions(("cart", "alert", tables[0]), ("safe", "alert", tables[1]))
    #expect(text.contains("---@class cart.alert\n---@field total integer"))
    #expect(text.contains("---@class safe.alert\n---@field lock integer"))
  }
}
