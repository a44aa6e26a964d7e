import Foundation

/// The log beside a state file, as SQLite would take it in; it is read without SQLite, which would do so.
///
/// The numbers are where SQLite's "WAL-mode file format" has them.
struct WriteAheadLog {
  /// The marks of the commits in the log, in order.
  private(set) var marks: [CommitMark] = []

  /// Whether there is a commit in it.
  private(set) var hasCommits = false

  /// Whether the first commit is one of ours, before which nobody else has written to the log.
  private(set) var beginsWithMark = false

  private static let headerSize = 32
  private static let frameHeaderSize = 24

  private var checksum: Checksum
  private let salts: ArraySlice<UInt8>

  /// Reads a log up to the last commit that is whole; nil where there is none, or what is there is no log.
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
    // SQLite has no locks on this file, which closing it would end.
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

  /// Whether what was read is what is there, but for what was added.
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
      // Only the last frame of a commit says how many pages the file has then.
      guard size > 0 else { continue }
      if !hasCommits { beginsWithMark = mark != nil }
      hasCommits = true
      if let mark, mark != marks.last { marks.append(mark) }
      mark = nil
    }
  }

  /// Reads so many bytes, or fewer at the end.
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

/// SQLite's checksum of a log, which goes on from frame to frame.
private struct Checksum {
  let isBigEndian: Bool
  private var sums: (UInt32, UInt32) = (0, 0)

  init(isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
  }

  /// Adds bytes, whose count is a multiple of 8.
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
  /// Four bytes as a number, the most significant first.
  fileprivate func bigEndian(at offset: Int) -> Int? {
    guard count >= offset + 4 else { return nil }
    return self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}
