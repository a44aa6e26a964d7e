import Lua
public import StateStore

/// Why a file's declaration of a feature can't be used.
public typealias DeclarationError = PlainError<DeclaredApp>

extension DeclarationError {
  /// A mistake at a path such as "cart.state.items"; the problem says what to do, too.
  static func bad(_ path: String, _ problem: String) -> Self {
    Self(
      "bad_declaration",
      "\(path.shorteningLongWords(separatedBy: ".")): \(problem.shorteningLongWords(separatedBy: " "))"
    )
  }
}

/// An error that code of a declaration raises by `fail`, whose message is for the app's user.
package struct DeclaredFailure: CodedError, Equatable {
  package let code: String
  package let message: String
}

/// An error in the code of a declaration, with the line of its file.
struct DeclaredCodeError: CodedError, Equatable {
  let code: String
  let message: String

  /// The code of a declaration that ran.
  enum Place: String {
    case actions = "actions, which only change the state"
    case derivedValues = "derived values, which only read the state"
    case migrations = "migrate, which only changes the state"
  }

  /// The error that scripts get for one that the code of a declaration raised.
  ///
  /// - Parameters:
  ///   - error: The error as the state of the rules reports it.
  ///   - value: The value that the code raised; nil if it raised none.
  ///   - name: The path of what ran.
  ///   - place: What ran, for names that only scripts have.
  ///   - modules: Paths of the modules that only scripts have.
  /// - Returns: The error that `fail` raised; a stop as it is; any other error with its line.
  static func describing(
    _ error: LuaError, raising value: LuaValue?, of name: String, in place: Place,
    modules: some Sequence<String>
  ) -> any Error {
    if error.isStop { return error }
    switch error.underlying {
    case let failure as DeclaredFailure: return failure
    case let inner as DeclaredCodeError: return inner
    default: break
    }
    if let unplaced = Self(of: error, raising: value, in: name) { return unplaced }
    var message = "\(error)"
    // A message of the code itself may be very long.
    let start = String(message.prefix(1000))
    if let name = start.firstMatch(of: /global '(\w+)'/)?.1,
      impureNames.contains(String(name)) || modules.contains(where: { $0.hasPrefix("\(name).") })
    {
      message +=
        "; \(name) isn't available in \(place.rawValue): pass what it gives as an argument"
    } else if let name = start.firstMatch(of: /field '(random|randomseed)'/)?.1 {
      message +=
        "; math.\(name) isn't available in \(place.rawValue): pass a random number as an argument"
    } else if let advice = MessageAdvice.loop(in: start) {
      message += advice
    }
    // A text has a place if its author wants one.
    let isText = if case .string? = value { true } else { value == nil }
    if !isText, let location = error.location, !message.hasPrefix("\(location): ") {
      message = "\(location): \(message)"
    }
    // Errors of drafts have codes of their own.
    let code = (error.underlying as? any CodedError)?.code ?? error.code.rawValue
    return Self(code: code, message: message)
  }

  /// The globals that scripts have, and code that changes or computes state hasn't.
  private static let impureNames: Set<String> = [
    "io", "os", "store", "task", "clock", "http", "json", "app", "help", "inspect", "package",
    "dofile", "loadfile", "debug", "collectgarbage",
  ]
}

extension DeclaredCodeError {
  /// Makes the error for one whose message in Lua has no place; nil for any other.
  ///
  /// That is an error object, such as `error { code = "late", message = "Too late." }`, whose own message and code count,
  /// and a `coroutine.yield` outside of a coroutine.
  init?(of error: LuaError, raising value: LuaValue?, in name: String) {
    let problem: String
    var code = error.code.rawValue
    if let kind = error.message.wholeMatch(of: /\(error object is an? (\w+) value\)/)?.1 {
      problem =
        value?.text(named: "message")
        ?? "\(name) raised \(kind == "nil" ? "" : "a ")\(kind) instead of a message; "
        + "write error(\"message\") or fail(\"code\", \"message\")"
      if let own = value?.text(named: "code"), StatePath.isName(own) { code = own }
    } else if error.message.hasPrefix("attempt to yield ") {
      problem = error.message
    } else {
      return nil
    }
    let place = error.location?.description ?? name
    let isPlaced = problem.hasPrefix("\(place): ") || problem.hasPrefix("\(place) ")
    self.init(code: code, message: isPlaced ? problem : "\(place): \(problem)")
  }
}

extension DeclaredCodeError {
  /// The error with the parameter to declare, if an action failed on the type of an argument whose parameter takes any.
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
        "\(message), in \(feature).\(call.name): its parameter \(name) takes any value; "
        + "declare its type: \(call.name) = action { \("\(name): \(type)".luaLiteral), "
        + "function(state, ...) ... end }")
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

extension LuaValue {
  /// The text of a table's field, without metamethods; nil if there is none.
  fileprivate func text(named name: String) -> String? {
    guard case .table(let table) = self, case .string(let text)? = try? table.rawGet(name) else {
      return nil
    }
    return text.description
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
