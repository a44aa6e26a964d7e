import Foundation

/// What can go wrong with the prompt's input and its history file.
struct LineEditorError: Error, Equatable, CustomStringConvertible {
  /// A stable word for the kind of error, in snake case.
  let code: String
  /// What was wrong, and what to do about it.
  let message: String

  var description: String { message }

  private init(_ code: String, _ message: String) {
    self.code = code
    self.message = message
  }

  static let terminalUnusable = Self(
    "terminal_unusable",
    "The line editor can't use this terminal. Check TERM, or pipe the input.")

  /// The system refused something the editor needs, such as a pipe.
  static func systemCallFailed(name: String, errorNumber: Int32) -> Self {
    Self("system_call_failed", "The line editor couldn't start: \(name): \(text(errorNumber)).")
  }

  static func inputUnreadable(errorNumber: Int32) -> Self {
    Self("input_unreadable", "Standard input can't be read: \(text(errorNumber)).")
  }

  static func historyUnreadable(path: String, errorNumber: Int32) -> Self {
    Self("history_unreadable", history(path, "can't be read", errorNumber))
  }

  static func historyUnwritable(path: String, errorNumber: Int32) -> Self {
    Self("history_unwritable", history(path, "can't be written", errorNumber))
  }

  private static func history(_ path: String, _ problem: String, _ errorNumber: Int32) -> String {
    "The history \(path) \(problem) (\(text(errorNumber))), so this session's history won't be "
      + "saved. Correct it, or name another file with \(Console.current.variable("HISTORY"))."
  }

  static func historyNotAFile(path: String) -> Self {
    Self(
      "history_not_a_file",
      "The history \(path) isn't a file, so this session's history won't be saved. "
        + "Name another one with \(Console.current.variable("HISTORY")).")
  }

  private static func text(_ errorNumber: Int32) -> String {
    String(cString: strerror(errorNumber))
  }
}
