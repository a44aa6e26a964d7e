import Lua
public import StateStore

/// Why a file's declaration of a feature can't be used.
public typealias DeclarationError = PlainError<DeclaredApp>

extension DeclarationError {
  /// - Parameters:
  ///   - path: The place in the declaration, such as "cart.state.items".
  ///   - problem: What is wrong there, and what to do.
  /// - Returns: The error.
  static func bad(_ path: String, _ problem: String) -> Self {
    Self("bad_declaration", "\(path): \(problem)")
  }
}

/// An error that code of a declaration raises by `fail`.
struct DeclaredFailure: CodedError, Equatable {
  let code: String
  let message: String
}

/// An error in the code of a declaration, with the line of its file.
struct DeclaredCodeError: CodedError, Equatable {
  let code: String
  let message: String

  /// The error that scripts get for one that the code of a declaration raised.
  ///
  /// - Parameters:
  ///   - error: The error as the state of the rules reports it.
  ///   - place: What ran, for names that only scripts have: "actions".
  /// - Returns: The error that `fail` raised; a stop as it is; any other error with its line.
  static func describing(_ error: LuaError, in place: String) -> any Error {
    if error.isStop { return error }
    switch error.underlying {
    case let failure as DeclaredFailure: return failure
    case let inner as DeclaredCodeError: return inner
    default: break
    }
    var message = "\(error)"
    if let name = message.firstMatch(of: /global '(\w+)'/)?.1, impureNames.contains(String(name)) {
      message +=
        "; \(name) isn't available in \(place), which only change the state: pass what it gives as an argument"
    }
    return Self(code: error.code.rawValue, message: message)
  }

  /// The globals that scripts have, and code that changes or computes state hasn't.
  private static let impureNames: Set<String> = [
    "io", "os", "store", "task", "clock", "http", "app", "dofile", "loadfile", "debug",
  ]
}
