import Foundation

/// The beginning of a SQLite file, which is read without SQLite: that would make files beside it.
///
/// The numbers are where the file format of SQLite has them, the most significant byte first.
package struct StateFileHeader {
  private static let magic = Array("SQLite format 3\0".utf8)
  /// How many bytes it has.
  static let size = 100

  private let bytes: [UInt8]

  /// Nil for the beginning of something else.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: Self.magic) else { return nil }
    self.bytes = bytes
  }

  /// Reads the header of a file, which this process doesn't have open; nil for an empty file.
  init?(path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw JournalError.unreadable(path, reason: SystemFailure.reason)
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.size)
    let count = read(descriptor, &bytes, Self.size)
    guard count >= 0 else { throw JournalError.unreadable(path, reason: SystemFailure.reason) }
    guard count > 0 else { return nil }
    self.bytes = Array(bytes[..<count])
  }

  /// Whether a file is a SQLite database of any program; also where that can't be told, as it can't be read.
  package static func isDatabase(_ path: String) -> Bool {
    do {
      return try StateFileHeader(path: path)?.bytes.starts(with: magic) ?? false
    } catch {
      return true
    }
  }

  /// Refuses what isn't a file of ours, or is one of a newer format.
  func check(path: String, _ program: Program) throws {
    guard bytes.starts(with: Self.magic), let application = number(at: 68) else {
      throw JournalError.foreign(
        path, program: program.name, reason: "it isn't a SQLite database")
    }
    guard application == Int(program.fileIdentifier) else {
      throw JournalError.foreign(
        path, program: program.name, reason: "it is the database of another program")
    }
    if let format = number(at: 60) { try StateFileFormat.check(format, path: path) }
  }

  /// How long the file is by its own account, in bytes.
  var fileSize: Int? {
    guard let pages = number(at: 28), let pageSize else { return nil }
    return pages * pageSize
  }

  /// How many bytes each page has.
  var pageSize: Int? {
    guard bytes.count >= 18 else { return nil }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    // As two bytes can't say 65,536.
    return size == 1 ? 65_536 : size
  }

  /// SQLite's number of the schema.
  var schema: Int64? { number(at: 40).map(Int64.init) }

  private func number(at offset: Int) -> Int? {
    guard bytes.count >= offset + 4 else { return nil }
    return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}
