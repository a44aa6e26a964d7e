import StateStore
import Foundation

/// What can go wrong in the command itself.
struct CommandError: Error, CustomStringConvertible {
  let description: String

  /// The path that a user means by what they wrote.
  static func path(_ text: String) throws(CommandError) -> String {
    do throws(FilePath.Problem) {
      return try FilePath.expanding(text)
    } catch {
      let shown = String(text.unicodeScalars.prefix(shownLength)).shownSystemText
      throw CommandError(description: "\(shown): \(error.reason)")
    }
  }

  private static let shownLength = 100

  static func scriptUnreadable(_ path: String, errorNumber: Int32) -> Self {
    Self(
      description: "cannot read \(path.shownSystemText): \(String(cString: strerror(errorNumber)))")
  }

  /// So many files are open already, or may be open, that the command couldn't work.
  static let tooFewDescriptors = Self(
    description: "too few files may be open at once: raise the limit (ulimit -n) to 32 or more")

  /// Ctrl-C came while a script was read.
  static let interrupted = Self(description: "interrupted")
}
