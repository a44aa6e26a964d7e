import Foundation
import Platform
import Synchronization

/// The file that keeps the history of all prompts.
///
/// Its first line is `# history 1`. Each other line is an entry, in which `\n` is a newline and `\\` a backslash. A line
/// with another escape is damaged, and is skipped. A file without the first line has one entry a line, as it stands; it
/// is converted when it is loaded.
///
/// Several prompts can use the file at once: entries are appended under the file's lock, and the file is rewritten,
/// under the same lock and in place, only to convert it or to drop what is superfluous: repeated entries, and the oldest.
package final class HistoryFile: Sendable {
  private let path: String
  private let capacity: Int
  private let isUsable = Mutex(true)

  private static let header = Array("# history 1\n".utf8)
  /// The most bytes of an entry that is kept; a larger one would slow down every start.
  private static let entryLimit = 1 << 20

  /// Names the file, which need not exist.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - capacity: The number of newest entries that are never dropped.
  package init(path: String, capacity: Int = 100_000) {
    (self.path, self.capacity) = (path, capacity)
  }

  /// Whether there is something at the path.
  package var exists: Bool { path.withSystemBytes { access($0, F_OK) } == 0 }

  /// Reads the entries, the oldest first, each once; creates the file if it is missing.
  ///
  /// - Throws: `HistoryFileError`; nothing is written from then on.
  package func load() throws(HistoryFileError) -> [String] {
    try withLockedFile { descriptor throws(SystemCallError) in
      let content = Content(try FileDescriptor.readAll(descriptor), capacity: capacity)
      if content.needsRewriting { try Self.rewrite(content.entries, to: descriptor) }
      return content.entries
    }
  }

  /// Appends entries to the file.
  ///
  /// - Throws: `HistoryFileError` the first time; nothing is written from then on.
  package func append(_ entries: [String]) throws(HistoryFileError) {
    let lines = Self.lines(of: entries)
    guard !lines.isEmpty, isUsable.withLock({ $0 }) else { return }
    try withLockedFile { descriptor throws(SystemCallError) in
      let size = lseek(descriptor, 0, SEEK_END)
      // What isn't a regular file, such as /dev/null, has no size.
      guard size > 0 else {
        return try FileDescriptor.write(Self.header + lines, to: descriptor)
      }
      // A crash or a full disk may have left a line without its end.
      var last: UInt8 = 0x0A
      guard pread(descriptor, &last, 1, size - 1) >= 0 else { throw SystemCallError("pread") }
      do throws(SystemCallError) {
        try FileDescriptor.write((last == 0x0A ? [] : [0x0A]) + lines, to: descriptor)
      } catch {
        ftruncate(descriptor, size)
        throw error
      }
    }
  }

  /// Removes entries from the file.
  ///
  /// - Throws: `HistoryFileError` the first time; nothing is written from then on.
  package func remove(_ removed: Set<String>) throws(HistoryFileError) {
    guard isUsable.withLock({ $0 }) else { return }
    try withLockedFile { descriptor throws(SystemCallError) in
      let content = Content(try FileDescriptor.readAll(descriptor), capacity: .max)
      try Self.rewrite(content.entries.filter { !removed.contains($0) }, to: descriptor)
    }
  }

  /// Takes over a file with one entry a line, as older versions wrote it; its entries come before those here.
  ///
  /// - Parameter oldPath: The path of the file, which is only read; it need not exist.
  /// - Returns: The number of its entries.
  /// - Throws: `HistoryFileError`, which names the file that can't be used.
  @discardableResult
  package func adopt(linesOf oldPath: String) throws(HistoryFileError) -> Int {
    let oldEntries: [String]
    do throws(SystemCallError) {
      oldEntries = try Self.lines(ofFileAt: oldPath)
    } catch {
      throw HistoryFileError(path: oldPath, reason: error.reason, isOwnFile: false)
    }
    guard !oldEntries.isEmpty else { return 0 }
    try withLockedFile { descriptor throws(SystemCallError) in
      let content = Content(try FileDescriptor.readAll(descriptor), capacity: .max)
      try Self.rewrite(newest(capacity, of: oldEntries + content.entries), to: descriptor)
    }
    return oldEntries.count
  }

  private static func lines(ofFileAt path: String) throws(SystemCallError) -> [String] {
    let descriptor = path.withSystemBytes { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      if errno == ENOENT { return [] }
      throw SystemCallError("open")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemCallError("fstat") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw SystemCallError("open", reason: "not a regular file")
    }
    return try FileDescriptor.readAll(descriptor).split(separator: 0x0A)
      .map { String(systemBytes: $0) }
  }

  // MARK: - Format

  /// What a file holds.
  private struct Content {
    /// The newest entries, each once, the oldest first.
    let entries: [String]
    /// Whether it isn't in the format, or has many superfluous lines.
    let needsRewriting: Bool

    init(_ bytes: [UInt8], capacity: Int) {
      let isCurrent = bytes.starts(with: header)
      // Most files are UTF-8 throughout, and have no private-use scalar, which begins with 0xF4.
      let isPlain = !bytes.contains(0xF4) && String(validating: bytes, as: UTF8.self) != nil
      var (read, lineCount) = ([String](), 0)
      bytes.withUnsafeBufferPointer { bytes in
        var rest = bytes[(isCurrent ? header.count : 0)...]
        while !rest.isEmpty {
          let line = UnsafeBufferPointer(rebasing: rest.prefix { $0 != 0x0A })
          rest = rest.dropFirst(line.count + 1)
          guard !line.isEmpty else { continue }
          lineCount += 1
          if isCurrent, line.contains(backslash) {
            guard let entry = HistoryFile.unescaped(line) else { continue }
            read.append(String(systemBytes: entry))
          } else {
            read.append(
              isPlain ? String(decoding: line, as: UTF8.self) : String(systemBytes: line))
          }
        }
      }
      entries = newest(capacity, of: read)
      let superfluous = lineCount - entries.count
      needsRewriting =
        !isCurrent && !bytes.isEmpty || superfluous > max(entries.count / 4, 100)
    }
  }

  private static let backslash = UInt8(ascii: "\\")

  /// The bytes of an entry; nil if its line is damaged.
  private static func unescaped(_ line: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var entry: [UInt8] = []
    var isEscaped = false
    for byte in line {
      switch (isEscaped, byte) {
      case (false, backslash): isEscaped = true
      case (false, _): entry.append(byte)
      case (true, backslash), (true, UInt8(ascii: "n")):
        entry.append(byte == backslash ? backslash : 0x0A)
        isEscaped = false
      case (true, _): return nil
      }
    }
    return isEscaped ? nil : entry
  }

  private static func lines(of entries: [String]) -> [UInt8] {
    var lines: [UInt8] = []
    for entry in entries {
      let bytes = entry.systemBytes
      guard !bytes.isEmpty, bytes.count <= entryLimit else { continue }
      for byte in bytes {
        switch byte {
        case backslash: lines += [byte, byte]
        case 0x0A: lines += Array("\\n".utf8)
        default: lines.append(byte)
        }
      }
      lines.append(0x0A)
    }
    return lines
  }

  /// Overwrites the file.
  ///
  /// What is superfluous is cut off last, so that a full disk or a crash can't lose all entries.
  private static func rewrite(
    _ entries: [String], to descriptor: Int32
  ) throws(SystemCallError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw SystemCallError("lseek") }
    try FileDescriptor.write(header + lines(of: entries), to: descriptor)
    guard ftruncate(descriptor, lseek(descriptor, 0, SEEK_CUR)) == 0 else {
      throw SystemCallError("ftruncate")
    }
  }

  // MARK: - Lock

  /// Opens the file, creating it and its folder if need be, and holds its lock meanwhile.
  private func withLockedFile<Result>(
    _ body: (Int32) throws(SystemCallError) -> Result
  ) throws(HistoryFileError) -> Result {
    do throws(SystemCallError) {
      try Self.createFolder(FilePath.folder(of: path))
      // O_NONBLOCK: opening a pipe must not wait.
      let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK
      let descriptor = path.withSystemBytes { open($0, flags, 0o600) }
      guard descriptor >= 0 else { throw SystemCallError("open") }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw SystemCallError("fstat") }
      guard status.st_mode & S_IFMT == S_IFREG || path == "/dev/null" else {
        throw SystemCallError("open", reason: "not a regular file")
      }
      while flock(descriptor, LOCK_EX) != 0 {
        guard errno == EINTR else { throw SystemCallError("flock") }
      }
      return try body(descriptor)
    } catch {
      isUsable.withLock { $0 = false }
      throw HistoryFileError(path: path, reason: error.reason)
    }
  }

  /// Creates a folder and its parents, readable only by their owner.
  private static func createFolder(_ folder: String) throws(SystemCallError) {
    guard folder.withSystemBytes({ access($0, F_OK) }) != 0 else { return }
    if errno == ENOENT { try createFolder(FilePath.folder(of: folder)) }
    // Another prompt may have created it meanwhile.
    guard folder.withSystemBytes({ mkdir($0, 0o700) }) == 0 || errno == EEXIST else {
      throw SystemCallError("mkdir")
    }
  }
}

/// The newest texts in their order, each at its last place.
private func newest(_ count: Int, of texts: [String]) -> [String] {
  var seen = Set<String>(minimumCapacity: min(texts.count, count))
  var newest: [String] = []
  newest.reserveCapacity(min(texts.count, count))
  for text in texts.reversed() where newest.count < count && seen.insert(text).inserted {
    newest.append(text)
  }
  return newest.reversed()
}

/// A file of the history can't be used.
package struct HistoryFileError: Error, Equatable, CustomStringConvertible {
  package let path: String
  package let reason: String
  /// Whether it is the file that entries are written to: they are kept in memory only from now on.
  var isOwnFile = true

  package var description: String {
    "cannot use the history \(path.shownSystemText): \(reason)"
      + (isOwnFile ? "; new entries won't be saved" : "")
  }
}
