import StateStore

extension DeclaredCodeError {
  /// The error with the call that led to it, if an action failed on the type of an argument whose parameter has none.
  ///
  /// - Parameters:
  ///   - call: The action.
  ///   - arguments: The values of its parameters.
  ///   - feature: The name of the feature.
  /// - Returns: The error; with the parameter to declare, if one is at fault.
  func naming(
    _ call: DeclaredFeature.Call, _ arguments: [StateValue], of feature: String
  ) -> DeclaredCodeError {
    let untyped = zip(call.parameters.parts, arguments).filter { $0.0.type.required == .any }
    guard !untyped.isEmpty, let type = neededType else { return self }
    let culprit =
      untyped.first { message.contains("(local '\($0.0.name)')") }
      ?? untyped.first { $0.1.names.contains(where: message.contains) }
    guard let culprit else { return self }
    let name = culprit.0.name
    let literals = arguments.map {
      JSONValue($0, showing: \.bullets).luaLiteral.shortenedForMessage
    }
    return DeclaredCodeError(
      code: code,
      message: "\(message), in \(feature).\(call.name)(\(literals.joined(separator: ", "))): "
        + "its parameter \(name) has no type; declare it: "
        + "\(call.name) = action { \("\(name): \(type)".luaLiteral), function(state, ...) ... end }"
    )
  }

  /// The type of the value that the code needed; nil if the error isn't about that.
  private var neededType: Substring? {
    // A message of the code itself may be very long.
    let start = String(message.prefix(1000))
    if let type = start.firstMatch(of: /: expected (\w+), found/)?.1 { return type }
    guard let operation = start.firstMatch(of: /attempt to (\w+)/)?.1 else { return nil }
    switch operation {
    case "perform", "add", "sub", "mul", "div", "mod", "pow", "unm", "idiv", "compare":
      return "number"
    case "concatenate": return "string"
    default: return nil
    }
  }
}

extension StateValue {
  /// The names that messages about the type of a value have for it.
  fileprivate var names: [String] {
    switch self {
    // Any value that is missing is nil.
    case .none: []
    case .boolean(let value): ["a boolean value", "'boolean'", "found \(value)"]
    case .integer(let value): ["found \(value)"]
    case .number(let value): ["found \(value)"]
    case .text(let text):
      ["a string value", "'string'", "with string", "found \"\(text)\"", "found a string"]
    case .secret: []
    case .list, .record: ["a table value", "'table'", "with table", "found a table"]
    }
  }
}
