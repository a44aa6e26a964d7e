import Foundation
import GRDB

/// Tells whether the log that lies beside a state file belongs to it.
///
/// After a crash it does, and has what was committed last. Where another file, such as a backup, was put in the place of one
/// in use, it doesn't: see `CommitMark`.
struct LogCheck {
  /// The state file.
  let path: String

  /// What a log is to a file.
  enum Verdict {
    /// There is no log, or nothing is committed in it.
    case empty
    /// The log goes on from what is in the file.
    case belongs
    /// The log goes on from what is in another file.
    case foreign
    /// That can't be told, as the file or the log isn't one of ours, or of an older version.
    case unknown
  }

  /// How often it is looked again where somebody else changes the file meanwhile.
  static let attempts = 100

  /// What a file has by itself, without its log.
  struct Content: Equatable {
    /// The last mark; nil where there is none.
    var mark: CommitMark?
    /// SQLite's number of the schema; 0 where there is no table for marks.
    var schema: Int64 = 0

    /// What an empty file has.
    init() {}

    /// Reads what a file has; nil where it can't be read.
    ///
    /// The tables are listed in the first page, or in those right below it: there are few.
    init?(_ file: borrowing BareFile) {
      guard let first = file.page(1) else { return nil }
      var pages = [first]
      for number in first.children {
        guard let page = file.page(number) else { return nil }
        pages.append(page)
      }
      for row in pages.flatMap(\.rows)
      where row.starts(with: [.text("table"), .text("identifiers")]) {
        guard case .number(let root)? = row.dropFirst(3).first, let page = file.page(Int(root)),
          page.kind == .indexLeaf
        else { return nil }
        mark = CommitMark(page)
        schema = file.schema
      }
    }
  }

  /// What the log is to the file.
  ///
  /// Others may write to both meanwhile, so only what is the same before and after counts. Before a log begins again, all of
  /// it is in the file, with its last mark.
  func verdict() throws -> Verdict {
    for _ in 0..<Self.attempts {
      let content = content()
      let logPath = path + StateFile.log
      guard let log = try WriteAheadLog(path: logPath), log.hasCommits else { return .empty }
      let verdict = verdict(on: log, for: content)
      if verdict == .belongs { return verdict }
      if self.content() == content, try log.isStillThere(at: logPath) { return verdict }
    }
    return .unknown
  }

  private func verdict(on log: WriteAheadLog, for content: Content?) -> Verdict {
    guard let content, let first = log.marks.first, let last = log.marks.last else {
      return .unknown
    }
    guard let mark = content.mark else { return first.previous == 0 ? .unknown : .foreign }
    guard mark.commit == first.previous || log.marks.contains(where: { $0.commit == mark.commit })
    else { return .foreign }
    if log.beginsWithMark, !log.marks.contains(where: { $0.schema == content.schema }) {
      return .foreign
    }
    // The same contents, but of another file, that was put in the place of the one whose log this still is.
    let isSameLog = FileIdentity(path: path + StateFile.log)?.number == last.log
    let isSameFile = FileIdentity(path: path)?.number == last.file
    return isSameLog && !isSameFile ? .foreign : .belongs
  }

  /// What is in the file by itself; nil where that can't be read.
  func content() -> Content? {
    // SQLite has no tables in an empty file.
    guard StateFile.hasContent(path) else { return Content() }
    guard let file = BareFile(path: path) else { return nil }
    return Content(file)
  }

  /// Whether the file is in order by itself.
  func isInOrderWithoutLog() -> Bool {
    do {
      return try withoutLog { try StateDatabase.damage(of: path, $0) == nil }
    } catch {
      return false
    }
  }

  /// Reads the file as one that nobody can write to: SQLite looks at nothing beside it, and has no locks.
  private func withoutLog<Result>(_ body: (Database) throws -> Result) throws -> Result {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(
      path: path.databaseAddress + "?immutable=1", configuration: configuration)
    let result = try queue.inDatabase(body)
    try queue.close()
    return result
  }

  // MARK: - Setting aside

  /// Gives a log another name that belongs to another file, so that SQLite doesn't take it in.
  ///
  /// - Returns: The log's path then; nil where it stays.
  /// - Throws: `JournalError`.
  func setAsideForeignLog(timeout: TimeInterval) throws -> SQLiteJournal.SetAsideLog? {
    guard try verdict() == .foreign else { return nil }
    return try StateFile.whileFolderIsLocked(of: path, timeout: timeout) {
      // Another process may have done so just now.
      try verdict() == .foreign ? try setAside() : nil
    }
  }

  /// Gives the log another name; only while the folder is locked.
  func setAside() throws -> SQLiteJournal.SetAsideLog {
    let kept = StateFile.unusedPath(beside: path, for: "log")
    guard rename(path + StateFile.log, kept) == 0 else {
      throw JournalError.unwritable(
        path,
        reason: "the log beside it is another file's, and can't be moved: \(SystemFailure.reason)")
    }
    // The index of that log, which whoever has the other file open still has.
    unlink(path + "-shm")
    return SQLiteJournal.SetAsideLog(path: path, kept: kept)
  }
}

extension SQLiteJournal {
  /// A log that lay beside a file and belongs to another one.
  public struct SetAsideLog: Equatable, Sendable {
    /// The file.
    public let path: String
    /// Where the log is now.
    public let kept: String

    /// What happened, in a few plain sentences.
    public var message: String {
      "\(path): the log beside it belongs to another file, in whose place this one is. "
        + "The file is used as it is, and the log is kept as \(kept)."
    }
  }
}
