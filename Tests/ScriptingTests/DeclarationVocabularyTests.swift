import Lua
import Testing

@testable import Scripting

@Suite("The vocabulary of files that declare features")
struct DeclarationVocabularyTests {
  @Test("is defined for editors")
  func definitions() throws {
    let state = try LuaState()
    let code = """
      local text = ...
      defined = setmetatable({}, { __index = _ENV })
      assert(load(text, "=definitions", "t", defined))()
      setmetatable(defined, nil)
      """
    try state.load(code, name: .text("test"))
      .call(DeclarationVocabulary.signatures.definitions, as: Void.self)
    let defined = try state.global("defined", as: LuaTable.self)
    let names = try defined.entries().compactMap { key, _ in
      if case .string(let name) = key { name.text } else { nil }
    }
    #expect(
      names.sorted() == [
        "action", "count", "decimal", "derived", "editable", "enum", "fail", "feature", "field",
        "func",
        "group",
        "integer", "list", "map", "max", "min", "number", "optional", "record", "reference",
        "request", "secret", "set",
        "sorted", "sum", "text", "time", "where",
      ])
  }

  @Test("has advice on the one that other code uses")
  func advice() {
    #expect(
      DeclarationVocabulary.advice(onGlobal: "feature")
        == "features are declared in a file for --app")
    #expect(DeclarationVocabulary.advice(onGlobal: "list") == nil)
  }
}
