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
      let rows = IndexLeaf(frame[Self.frameHeaderSize...]).numbers(ofPrefix: CommitMark.prefix)
      if let found = CommitMark(rows: rows) { mark = found }
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

/// A page of SQLite's that has the rows of a small table without row ids, such as `identifiers`.
///
/// What isn't such a page has no rows. Every position is checked, as the page may be anything.
private struct IndexLeaf {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// The numbers in the second column, by the texts in the first one that begin in some way.
  func numbers(ofPrefix prefix: String) -> [String: Int64] {
    guard byte(0) == 0x0A, let high = byte(3), let low = byte(4) else { return [:] }
    var numbers: [String: Int64] = [:]
    for cell in 0..<(high << 8 | low) {
      guard let high = byte(8 + 2 * cell), let low = byte(9 + 2 * cell) else { return [:] }
      if let (text, number) = row(at: high << 8 | low), text.hasPrefix(prefix) {
        numbers[text] = number
      }
    }
    return numbers
  }

  private func row(at position: Int) -> (String, Int64)? {
    var position = position
    guard varint(&position) != nil else { return nil }
    let header = position
    guard let headerSize = varint(&position), let textType = varint(&position),
      let numberType = varint(&position), position == header + headerSize,
      textType >= 13, textType % 2 == 1
    else { return nil }
    let textSize = (textType - 13) / 2
    guard textSize < 64, let text = slice(position, count: textSize) else { return nil }
    position += textSize
    guard let number = number(ofType: numberType, at: position) else { return nil }
    return (String(decoding: text, as: UTF8.self), number)
  }

  private func number(ofType type: Int, at position: Int) -> Int64? {
    if type == 8 || type == 9 { return Int64(type - 8) }
    let sizes = [1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8]
    guard let size = sizes[type], let digits = slice(position, count: size),
      let first = digits.first
    else { return nil }
    let sign: Int64 = first & 0x80 == 0 ? 0 : -1
    return digits.reduce(sign) { $0 << 8 | Int64($1) }
  }

  /// Reads a number of up to 9 bytes; greater ones than fit here don't occur.
  private func varint(_ position: inout Int) -> Int? {
    var value = 0
    for _ in 0..<4 {
      guard let next = byte(position) else { return nil }
      position += 1
      value = value << 7 | next & 0x7F
      if next & 0x80 == 0 { return value }
    }
    return nil
  }

  private func byte(_ offset: Int) -> Int? {
    slice(offset, count: 1)?.first.map(Int.init)
  }

  private func slice(_ offset: Int, count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count >= 0, offset + count <= bytes.count else { return nil }
    return bytes[bytes.startIndex + offset..<bytes.startIndex + offset + count]
  }
}

extension [UInt8] {
  /// Four bytes as a number, the most significant first.
  fileprivate func bigEndian(at offset: Int) -> Int? {
    guard count >= offset + 4 else { return nil }
    return self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}
