/// Why a state can't be read from a file.
public enum ImportError: CodedError, Equatable {
  /// The text can't be a file's path.
  case badPath(String, reason: String)
  /// Nothing may be read here.
  case notAllowed(String)
  /// The file can't be read; the reason says why.
  case unreadable(String, reason: String)
  /// What is in the file is no document of the app's; the reason says what is wrong, and where.
  case wrongShape(String, reason: String)

  /// The stable word for the kind of error.
  public var code: String {
    switch self {
    case .badPath: "import_bad_path"
    case .notAllowed: "import_not_allowed"
    case .unreadable: "import_unreadable"
    case .wrongShape: "import_wrong_shape"
    }
  }

  /// What was wrong and what to do.
  public var message: String {
    switch self {
    case .badPath(let path, let reason): "\(path): \(reason)"
    case .notAllowed(let path): "\(path): files can't be read here"
    case .unreadable(let path, let reason): "\(path): can't be read: \(reason)"
    case .wrongShape(let path, let reason): "\(path): \(reason)"
    }
  }
}
