/// Why a journal can't be read or written.
public enum JournalError: CodedError, Equatable {
  /// Others have written since.
  case conflict(head: Int)
  /// The entries that are asked for were replaced by a checkpoint.
  case gone(since: Int)
  /// What an entry says was done can't be done again; the reason says why.
  case inapplicable(entry: Int, reason: String)
  /// Another process holds the journal for too long.
  case busy(String)
  /// The file isn't a state file; the reason says what it is.
  case foreign(String, program: String, reason: String)
  /// The file was written by a newer version of this program.
  case newer(String, format: Int)
  /// The file is damaged; the reason says where, and what was kept.
  case damaged(String, reason: String)
  /// The file can't be read; the reason says why.
  case unreadable(String, reason: String)
  /// The file can't be written; the reason says why.
  case unwritable(String, reason: String)

  /// The stable word for the kind of error.
  public var code: String {
    switch self {
    case .conflict: "journal_conflict"
    case .gone: "journal_gone"
    case .inapplicable: "journal_inapplicable"
    case .busy: "state_busy"
    case .foreign: "state_foreign"
    case .newer: "state_newer"
    case .damaged: "state_damaged"
    case .unreadable: "state_unreadable"
    case .unwritable: "state_unwritable"
    }
  }

  /// What was wrong and what to do.
  public var message: String {
    switch self {
    case .conflict(let head):
      "Others have written to the journal, up to entry \(head): reload it first."
    case .gone(let head):
      "The journal has no entries from \(head) on any more: load it as a whole."
    case .inapplicable(let number, let reason):
      "Entry \(number) of the session can't be done again (\(reason)): it was written by another version, or by hand. "
        + "Nothing was changed; use that version, or another file."
    case .busy(let path):
      "\(path): another process is writing to it: try again."
    case .foreign(let path, let program, let reason):
      "\(path): not a state file of \(program): \(reason). Nothing was changed; name another file."
    case .newer(let path, let format):
      "\(path): written by a newer version (format \(format)): use that one, or another file."
    case .damaged(let path, let reason):
      "\(path): damaged: \(reason)."
    case .unreadable(let path, let reason):
      "\(path): can't be read: \(reason)"
    case .unwritable(let path, let reason):
      "\(path): can't be written: \(reason): make room, or name a file that can be written."
    }
  }
}
