import StateStore
import Lua

/// Writes the values of an expression for the prompt.
struct ResultFormatter {
  // Taken when the prompt opens, so that scripts that change the globals don't change it.
  private let inspect: LuaFunction
  private let tostring: LuaFunction

  init(state: LuaState) throws(LuaError) {
    inspect = try state.global("inspect")
    tostring = try state.global("tostring")
  }

  /// The values on one line with tabs between, as `print` writes them, but tables with their contents.
  ///
  /// - Returns: The text, as `String.init(systemBytes:)` has it, since strings of Lua are any bytes.
  /// - Throws: what a value's `__tostring` or `__pairs` raised.
  func text(of values: [LuaValue]) throws(LuaError) -> String {
    let texts = try values.map { value throws(LuaError) in
      let written =
        switch value {
        case .table, .object: try inspect.call(value)
        default: try tostring.call(value)
        }
      guard case .string(let text) = written.first else { return "" }
      return String(systemBytes: text.bytes)
    }
    return texts.joined(separator: "\t")
  }
}
