public import StateStore

/// Why a document can't be written to a file.
public typealias ExportError = PlainError<DocumentAccess>

extension ExportError {
  static func badPath(_ path: String) -> Self {
    Self("export_bad_path", "\(path): not a file's path: name a file to write to")
  }

  static func notAllowed(_ path: String) -> Self {
    Self("export_not_allowed", "\(path): files can't be written here")
  }

  static func isDatabase(_ path: String) -> Self {
    Self(
      "export_onto_database",
      "\(path): a database, or belongs to one, which an export would replace: name another file")
  }

  static func unwritable(_ path: String, reason: String) -> Self {
    Self(
      "export_unwritable",
      "\(path): can't be written: \(reason): change that, or name another file")
  }
}
