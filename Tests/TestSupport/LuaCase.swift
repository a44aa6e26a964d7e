/// A titled case of a test: code of Lua, and the text of its results.
package struct LuaCase: Sendable, CustomStringConvertible {
  /// The title.
  package let description: String
  package let code: String
  package let result: String

  package init(_ title: String, _ code: String, _ result: String) {
    (description, self.code, self.result) = (title, code, result)
  }
}
