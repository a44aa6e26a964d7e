package import Lua
import StateStore

/// Why a text that somebody typed isn't an argument: what was expected.
package struct TypedTextError: Error {
  /// The expectation, such as "integer", or "boolean: write true or false".
  package let expected: String
}

extension LuaParameter {
  /// The argument for what somebody typed where there is no Lua, such as in a shell or a form.
  package func argument(typed text: String) throws(TypedTextError) -> any LuaPushable {
    switch required {
    case .named("integer"):
      guard let number = Int(text) else { throw TypedTextError(expected: "integer") }
      return number
    case .named("boolean"):
      guard ["true", "false"].contains(text) else {
        throw TypedTextError(expected: "boolean: write true or false")
      }
      return text == "true"
    case .named("table"):
      do {
        return try StateValue(json: text)
      } catch {
        throw TypedTextError(expected: "table: write it as JSON")
      }
    case .named("any"):
      // A number, where it is written as one: 0123 is a text.
      if let number = Int(text), String(number) == text { return number }
      if let number = Double(text), String(number) == text { return number }
      return text
    case .named(let name) where name == "number" || DecimalPlaces(typeName: name) != nil:
      guard let number = Double(text), number.isFinite else {
        throw TypedTextError(expected: "number")
      }
      return number
    // A record by its id.
    case .union(_, let types) where types.contains(.named("integer")):
      guard let number = Int(text) else { throw TypedTextError(expected: "id of a record") }
      return number
    default: return text
    }
  }
}
