import Foundation

/// What can go wrong in the command itself.
enum CommandError: Error, CustomStringConvertible {
  /// The script can't be read.
  case scriptUnreadable(_ path: String, errorNumber: Int32)
  /// Ctrl-C came while a script was read.
  case interrupted

  /// What was wrong.
  var description: String {
    switch self {
    case .scriptUnreadable(let path, let errorNumber):
      "cannot read \(path): \(String(cString: strerror(errorNumber)))"
    case .interrupted:
      "interrupted"
    }
  }
}
