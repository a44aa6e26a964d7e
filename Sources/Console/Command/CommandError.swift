import StateStore
import Foundation

/// What can go wrong in the command itself.
enum CommandError: Error, CustomStringConvertible {
  /// The script can't be read.
  case scriptUnreadable(_ path: String, errorNumber: Int32)
  /// So many files are open already, or may be open, that the command couldn't work.
  case tooFewDescriptors
  /// A file can't have such a name.
  case badPath(_ path: String, FilePath.Problem)
  /// Ctrl-C came while a script was read.
  case interrupted

  private static let shownLength = 100

  /// The path that a user means by what they wrote.
  static func path(_ text: String) throws(CommandError) -> String {
    do throws(FilePath.Problem) {
      return try FilePath.expanding(text)
    } catch {
      throw .badPath(text, error)
    }
  }

  /// What was wrong.
  var description: String {
    switch self {
    case .scriptUnreadable(let path, let errorNumber):
      "cannot read \(path.shownSystemText): \(String(cString: strerror(errorNumber)))"
    case .tooFewDescriptors:
      "too few files may be open at once: raise the limit (ulimit -n) to 32 or more"
    case .badPath(let path, let problem):
      "\(String(path.unicodeScalars.prefix(Self.shownLength)).shownSystemText): \(problem.reason)"
    case .interrupted:
      "interrupted"
    }
  }
}
