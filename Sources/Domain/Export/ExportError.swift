public import StateStore
/// Why a state can't be written to a file.
public enum ExportError: CodedError, Equatable {
  /// The text can't be a file's path.
  case badPath(String)
  /// Nothing may be written here.
  case notAllowed(String)
  /// The file is a database, such as that of a session.
  case isDatabase(String)
  /// A script loads some records from a file that it writes, which would be larger than can be loaded.
  case tooLargeForScript
  /// The file can't be written; the reason says why.
  case unwritable(String, reason: String)

  /// The stable word for the kind of error.
  public var code: String {
    switch self {
    case .badPath: "export_bad_path"
    case .notAllowed: "export_not_allowed"
    case .isDatabase: "export_onto_database"
    case .tooLargeForScript: "export_too_large_for_script"
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
    case .tooLargeForScript:
      "The state has more records of a file than a script can load: export it as JSON."
    case .unwritable(let path, let reason):
      "\(path): can't be written: \(reason): change that, or name another file"
    }
  }
}
