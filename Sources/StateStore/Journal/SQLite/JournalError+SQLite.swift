import Foundation
import GRDB

extension JournalError {
  /// What a failure of SQLite means for a journal.
  init(_ error: DatabaseError, path: String, isWriting: Bool) {
    let message = error.words
    switch error.resultCode {
    case _ where error.isOfLocks:
      self = .busy(path)
    case .SQLITE_READONLY, .SQLITE_FULL:
      self = .unwritable(path, reason: message)
    case _ where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
      self = .unwritable(path, reason: "the disk is full")
    case .SQLITE_CANTOPEN where access(path, R_OK) == 0:
      // SQLite would have to make files beside it.
      self = .unwritable(path, reason: message)
    case .SQLITE_ERROR:
      // Our statements are right where the tables are.
      self = .damaged(path, reason: "\(message). Nothing was changed; \(SQLiteJournal.advice)")
    case _ where error.isOfDamage:
      self = .damaged(path, reason: "\(message). It is repaired when it is opened anew")
    default:
      self = isWriting ? .unwritable(path, reason: message) : .unreadable(path, reason: message)
    }
  }
}

extension DatabaseError {
  /// What SQLite says.
  var words: String { message.map(ExternalText.quoted) ?? "SQLite can't read or write it" }

  /// Whether the file isn't as SQLite made it.
  var isOfDamage: Bool { resultCode == .SQLITE_CORRUPT || resultCode == .SQLITE_NOTADB }
}
