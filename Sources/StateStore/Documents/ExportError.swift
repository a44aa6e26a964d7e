/// Why a state can't be written to a file.
public enum ExportError: CodedError, Equatable {
  /// The text can't be a file's path.
  case badPath(String)
  /// Nothing may be written here.
  case notAllowed(String)
  /// The file is a database, such as that of a session.
  case isDatabase(String)
  /// The file can't be written; the reason says why.
  case unwritable(String, reason: String)

  /// The stable word for the kind of error.
  public var code: String {
    switch self {
    case .badPath: "export_bad_path"
    case .notAllowed: "export_not_allowed"
    case .isDatabase: "export_onto_database"
    case .unwritable: "export_unwritable"
    }
  }

  /// What was wrong and what to do.
  public var message: String {
    switch self {
    case .badPath(let path): "\(path): not a file's path: name a file to write to"
    case .notAllowed(let path): "\(path): files can't be written here"
    case .isDatabase(let path):
      "\(path): a database, or belongs to one, which an export would replace: name another file"
    case .unwritable(let path, let reason):
      "\(path): can't be written: \(reason): change that, or name another file"
    }
  }
}
