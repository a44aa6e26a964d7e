import Foundation

/// What can go wrong with the prompt's input and its history file.
enum LineEditorError: Error, Sendable, Equatable, CustomStringConvertible {
  /// libedit can't use the terminal.
  case terminalUnusable

  /// The system refused something the editor needs, such as a pipe.
  case systemCallFailed(name: String, errorNumber: Int32)

  /// Reading what is typed failed.
  case inputUnreadable(errorNumber: Int32)

  /// The history file can't be read; this session's history is kept in memory only.
  case historyUnreadable(path: String, errorNumber: Int32)

  /// The history file can't be written; this session's history is kept in memory only.
  case historyUnwritable(path: String, errorNumber: Int32)

  /// The history's path names something that isn't a file.
  case historyNotAFile(path: String)

  /// A stable word for the kind of error, in snake case.
  var code: String {
    switch self {
    case .terminalUnusable: "terminal_unusable"
    case .systemCallFailed: "system_call_failed"
    case .inputUnreadable: "input_unreadable"
    case .historyUnreadable: "history_unreadable"
    case .historyUnwritable: "history_unwritable"
    case .historyNotAFile: "history_not_a_file"
    }
  }

  /// What was wrong, and what to do about it.
  var message: String {
    switch self {
    case .terminalUnusable:
      "The line editor can't use this terminal. Check TERM, or pipe the input."
    case .systemCallFailed(let name, let number):
      "The line editor couldn't start: \(name): \(Self.text(number))."
    case .inputUnreadable(let number):
      "Standard input can't be read: \(Self.text(number))."
    case .historyUnreadable(let path, let number):
      "The history \(path) can't be read (\(Self.text(number))), so this session's history won't be "
        + "saved. Correct it, or name another file with \(Console.current.variable("HISTORY"))."
    case .historyUnwritable(let path, let number):
      "The history \(path) can't be written (\(Self.text(number))), so this session's history won't "
        + "be saved. Correct it, or name another file with \(Console.current.variable("HISTORY"))."
    case .historyNotAFile(let path):
      "The history \(path) isn't a file, so this session's history won't be saved. "
        + "Name another one with \(Console.current.variable("HISTORY"))."
    }
  }

  /// The message.
  var description: String { message }

  private static func text(_ errorNumber: Int32) -> String {
    String(cString: strerror(errorNumber))
  }
}
