import Foundation
import GRDB
import Platform

/// The log beside a state file, up to where SQLite would copy it into the file.
///
/// It is read without SQLite, which would do so. The offsets follow SQLite's "WAL-mode file format".
struct WriteAheadLog {
  /// The marks of the commits in the log, in order.
  private(set) var marks: [CommitMark] = []

  private(set) var hasCommits = false

  /// Whether the first commit is one of ours, before which no other program has written to the log.
  private(set) var beginsWithMark = false

  private static let headerSize = 32
  private static let frameHeaderSize = 24

  private var checksum: Checksum
  private let salts: ArraySlice<UInt8>

  /// Reads a log up to its last complete commit; nil if there is none, or it isn't a log.
  ///
  /// - Throws: `JournalError.unreadable`.
  /// - Complexity: O(size of the log).
  init?(path: String) throws {
    try self.init(path: path, readsFrames: true)
  }

  private init?(path: String, readsFrames: Bool) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw JournalError.unreadable(path, reason: SystemFailure.reason)
    }
    // SQLite has no locks on this file that closing it would release.
    defer { close(descriptor) }
    let header = Self.read(Self.headerSize, from: descriptor)
    guard header.count == Self.headerSize, let magic = header.bigEndian(at: 0),
      magic & ~1 == 0x377F_0682, let pageSize = header.bigEndian(at: 8),
      (512...65_536).contains(pageSize)
    else { return nil }
    checksum = Checksum(isBigEndian: magic & 1 == 1)
    salts = header[16..<24]
    checksum.add(header[..<24])
    guard checksum.matches(header[24...]) else { return nil }
    if readsFrames { readFrames(from: descriptor, pageSize: pageSize) }
  }

  /// Whether the log at a path is still this one, perhaps with additions.
  func isStillThere(at path: String) throws -> Bool {
    try WriteAheadLog(path: path, readsFrames: false)?.salts == salts
  }

  private mutating func readFrames(from descriptor: Int32, pageSize: Int) {
    var mark: CommitMark?
    while true {
      let frame = Self.read(Self.frameHeaderSize + pageSize, from: descriptor)
      guard frame.count == Self.frameHeaderSize + pageSize, frame[8..<16] == salts,
        let size = frame.bigEndian(at: 4)
      else { return }
      checksum.add(frame[..<8])
      checksum.add(frame[Self.frameHeaderSize...])
      guard checksum.matches(frame[16..<24]) else { return }
      if let page = BTreePage(frame[Self.frameHeaderSize...]), let found = CommitMark(page) {
        mark = found
      }
      // Only the last frame of a commit gives the size of the file, in pages.
      guard size > 0 else { continue }
      if !hasCommits { beginsWithMark = mark != nil }
      hasCommits = true
      if let mark, mark != marks.last { marks.append(mark) }
      mark = nil
    }
  }

  /// Reads a number of bytes, or fewer at the end.
  private static func read(_ count: Int, from descriptor: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var total = 0
    while total < count {
      let read = bytes.withUnsafeMutableBytes { buffer in
        Foundation.read(
          descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[total...]).baseAddress,
          count - total)
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { break }
      total += read
    }
    return Array(bytes[..<total])
  }
}

/// SQLite's checksum of a log, which continues from frame to frame.
private struct Checksum {
  let isBigEndian: Bool
  private var sums: (UInt32, UInt32) = (0, 0)

  init(isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
  }

  /// Adds bytes, whose number is a multiple of 8.
  mutating func add(_ bytes: ArraySlice<UInt8>) {
    var (first, second) = sums
    let isBigEndian = isBigEndian
    bytes.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
        let words = (
          bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self),
          bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        )
        first &+= (isBigEndian ? words.0.bigEndian : words.0.littleEndian) &+ second
        second &+= (isBigEndian ? words.1.bigEndian : words.1.littleEndian) &+ first
      }
    }
    sums = (first, second)
  }

  func matches(_ bytes: ArraySlice<UInt8>) -> Bool {
    let bytes = Array(bytes)
    return bytes.bigEndian(at: 0) == Int(sums.0) && bytes.bigEndian(at: 4) == Int(sums.1)
  }
}

extension [UInt8] {
  /// Four bytes as a big-endian number.
  fileprivate func bigEndian(at offset: Int) -> Int? {
    guard count >= offset + 4 else { return nil }
    return self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}

/// Tells whether the log beside a state file belongs to it.
///
/// After a crash it does, and contains the last commits. If another file, such as a backup, has replaced one in use,
/// it doesn't: see `CommitMark`.
struct LogCheck {
  /// The path of the state file.
  let path: String

  /// How a log relates to a file.
  enum Verdict {
    /// There is no log, or it contains no commit.
    case empty
    /// The log continues this file.
    case belongs
    /// The log continues another file.
    case foreign
    /// Unknown, because the file or the log isn't one of ours, or is of an older version.
    case unknown
  }

  /// The number of attempts while others change the file.
  static let attempts = 100

  /// The contents of a file itself, without its log.
  struct Content: Equatable {
    /// The last mark; nil if there is none.
    var mark: CommitMark?
    /// SQLite's schema version; 0 if there is no table for marks.
    var schema: Int64 = 0

    init() {}

    /// Reads the contents of a file; nil if they can't be read.
    ///
    /// The tables are listed on the first page, or on those directly below it: there are few.
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

  /// How the log relates to the file.
  ///
  /// Others may write to both meanwhile, so only what is the same before and after counts. Before a log restarts, all
  /// of it is in the file, with its last mark.
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
    // The same contents, but in another file, which has replaced the one that this log belongs to.
    let isSameLog = FileIdentity(path: path + StateFile.log)?.number == last.log
    let isSameFile = FileIdentity(path: path)?.number == last.file
    return isSameLog && !isSameFile ? .foreign : .belongs
  }

  /// The contents of the file itself; nil if they can't be read.
  func content() -> Content? {
    // SQLite has no tables in an empty file.
    guard StateFile.hasContent(path) else { return Content() }
    guard let file = BareFile(path: path) else { return nil }
    return Content(file)
  }

  func isInOrderWithoutLog() -> Bool {
    do {
      return try withoutLog { try StateDatabase.damage(of: path, $0) == nil }
    } catch {
      return false
    }
  }

  /// Reads the file as an immutable one: SQLite ignores everything beside it, and takes no locks.
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

  /// Renames a log that belongs to another file, so that SQLite doesn't copy it into this one.
  ///
  /// - Returns: The log's new path; nil if it stays.
  /// - Throws: `JournalError`.
  func setAsideForeignLog(timeout: TimeInterval) throws -> SQLiteJournal.SetAsideLog? {
    guard try verdict() == .foreign else { return nil }
    return try StateFile.whileFolderIsLocked(of: path, timeout: timeout) {
      // Another process may have just done so.
      try verdict() == .foreign ? try setAside() : nil
    }
  }

  /// Renames the log; the folder must be locked.
  func setAside() throws -> SQLiteJournal.SetAsideLog {
    let kept = StateFile.unusedPath(beside: path, for: "log")
    guard rename(path + StateFile.log, kept) == 0 else {
      throw JournalError.unwritable(
        path,
        reason:
          "the log beside it belongs to another file, and can't be moved: \(SystemFailure.reason)")
    }
    // The index of that log; connections that have the other file open still have it.
    unlink(path + "-shm")
    return SQLiteJournal.SetAsideLog(path: path, kept: kept)
  }
}

extension SQLiteJournal {
  /// A log that lay beside a file and belongs to another one.
  public struct SetAsideLog: Equatable, Sendable {
    /// The file.
    public let path: String
    /// The log's new path.
    public let kept: String

    /// What happened, in a few plain sentences.
    public var message: String {
      "\(path): the log beside it belongs to another file, which this one replaced. "
        + "The file is used, and the log is kept as \(kept)."
    }
  }
}
