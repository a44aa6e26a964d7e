/// Why a state can't be read from a file.
package typealias ImportError = PlainError<StateDocument>

extension ImportError {
  package static func badPath(_ path: String, reason: String) -> Self {
    Self("import_bad_path", "\(path): \(reason)")
  }

  package static func notAllowed(_ path: String) -> Self {
    Self("import_not_allowed", "\(path): files can't be read here")
  }

  package static func unreadable(_ path: String, reason: String) -> Self {
    Self("import_unreadable", "\(path): can't be read: \(reason)")
  }

  package static func wrongShape(_ path: String, reason: String) -> Self {
    Self("import_wrong_shape", "\(path): \(reason)")
  }
}
