import Testing

/// Code of Lua, and the text of its results.
struct LuaCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let code: String
  let result: String

  init(_ title: String, _ code: String, _ result: String) {
    (testDescription, self.code, self.result) = (title, code, result)
  }
}
