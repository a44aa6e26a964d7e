import PrimereplFoundation
import PrimereplPlatform

/// The file that keeps the history of all prompts.
///
/// Its first line is `# history 1`. Each other line is an entry, in which `\n` is a newline and `\\` a backslash. A line
/// with another escape is damaged, and is skipped.
///
/// Several prompts can use the file at once: entries are appended under the file's lock, and the file is rewritten,
/// under the same lock and in place, only to drop repeated entries and the oldest ones.
package struct HistoryFile: Sendable {
  private let path: String
  private let capacity: Int

  private static let header = Array("# history 1\n".utf8)
  /// The maximum number of bytes of an entry; a larger one would slow down every start.
  private static let entryLimit = 1 << 20

  /// Names a file, which need not exist, and whose `capacity` newest entries are never dropped.
  package init(path: String, capacity: Int = 100_000) {
    (self.path, self.capacity) = (path, capacity)
  }

  /// Reads the entries, the oldest first, each once; creates the file if it is missing.
  ///
  /// - Throws: `HistoryFileError`.
  package func load() throws(HistoryFileError) -> [String] {
    try withLockedFile { descriptor throws(SystemCallError) in
      let content = Content(try FileDescriptor.readAll(descriptor), capacity: capacity)
      if content.shouldBeRewritten { try Self.rewrite(content.entries, to: descriptor) }
      return content.entries
    }
  }

  /// - Throws: `HistoryFileError`.
  package func append(_ entries: [String]) throws(HistoryFileError) {
    let lines = Self.lines(of: entries)
    guard !lines.isEmpty else { return }
    try withLockedFile { descriptor throws(SystemCallError) in
      let size = lseek(descriptor, 0, SEEK_END)
      // A device such as /dev/null has no size.
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

  /// - Throws: `HistoryFileError`.
  package func remove(_ removed: Set<String>) throws(HistoryFileError) {
    try withLockedFile { descriptor throws(SystemCallError) in
      let content = Content(try FileDescriptor.readAll(descriptor), capacity: .max)
      try Self.rewrite(content.entries.filter { !removed.contains($0) }, to: descriptor)
    }
  }

  // MARK: - Format

  private struct Content {
    /// The newest entries, each once, the oldest first.
    let entries: [String]
    /// Whether it has many superfluous lines.
    let shouldBeRewritten: Bool

    init(_ bytes: [UInt8], capacity: Int) {
      var lines = bytes.split(separator: 0x0A)
      if bytes.starts(with: header.dropLast() + [0x0D, 0x0A]) {
        // The file was converted to lines that end in CR LF.
        lines = lines.map { $0.last == 0x0D ? $0.dropLast() : $0 }.filter { !$0.isEmpty }
      }
      if lines.first.map({ header.dropLast().elementsEqual($0) }) == true { lines.removeFirst() }
      entries = newest(capacity, of: lines.compactMap(HistoryFile.entry))
      shouldBeRewritten = lines.count - entries.count > max(entries.count / 4, 100)
    }
  }

  private static let backslash = UInt8(ascii: "\\")

  /// Nil if the line is damaged.
  private static func entry(of line: ArraySlice<UInt8>) -> String? {
    guard line.contains(backslash) else { return String(systemBytes: line) }
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
    return isEscaped ? nil : String(systemBytes: entry)
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

  /// The superfluous end is cut off last, so that a full disk or a crash can't lose all entries.
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
      try FileSystem.makeFolder(FilePath.folder(of: path), mode: 0o700)
      // O_NONBLOCK: opening a pipe must not wait.
      let descriptor = try FileSystem.open(path, O_RDWR | O_CREAT | O_NONBLOCK, mode: 0o600)
      defer { close(descriptor) }
      let isRegular = try FileSystem.status(of: descriptor).st_mode & S_IFMT == S_IFREG
      guard isRegular || path == "/dev/null" else { throw .notRegularFile }
      while flock(descriptor, LOCK_EX) != 0 {
        guard errno == EINTR else { throw SystemCallError("flock") }
      }
      return try body(descriptor)
    } catch {
      throw HistoryFileError(path: path, reason: error.reason)
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

package struct HistoryFileError: Error, Equatable, CustomStringConvertible {
  package let path: String
  package let reason: String

  package var description: String {
    "cannot use the history \(path): \(reason); new entries won't be saved"
  }
}
