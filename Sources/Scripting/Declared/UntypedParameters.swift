import StateStore

extension DeclaredCodeError {
  /// The error with the parameter to declare, if an action failed on the type of an argument whose parameter has none.
  func naming(
    _ call: DeclaredFeature.Call, _ arguments: [StateValue], of feature: String
  ) -> DeclaredCodeError {
    let untyped = zip(call.parameters.parts, arguments).filter { $0.0.type.required == .any }
    guard !untyped.isEmpty, let type = neededType else { return self }
    let named = untyped.filter { message.contains("(local '\($0.0.name)')") }
    let culprits =
      named.isEmpty ? untyped.filter { $0.1.names.contains(where: message.contains) } : named
    // Where several could be at fault, none is known to be.
    guard culprits.count == 1, let name = culprits.first?.0.name else { return self }
    return DeclaredCodeError(
      code: code,
      message:
        "\(message), in \(feature).\(call.name): its parameter \(name) has no type; declare it: "
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
    let kind: String
    switch self {
    case .boolean: kind = "boolean"
    case .text: kind = "string"
    case .list, .record: kind = "table"
    case .integer, .number: return ["found \(kindPhrase)"]
    // Any value that is missing is nil.
    case .none, .secret: return []
    }
    return ["a \(kind) value", "'\(kind)'", "with \(kind)", "found \(kindPhrase)"]
  }
}
