import Foundation

/// Names of the system in a `String`: paths, arguments and variables of the environment.
///
/// The system's names are bytes, which need not be UTF-8. Swift's own conversions replace what isn't by U+FFFD, and so name
/// another file. Here such a byte becomes a scalar for private use, U+10FE80 for 0x80 to U+10FEFF for 0xFF. Where a name has
/// one of these scalars itself, its bytes are kept one by one in the same way, so that no two names have the same text.
///
/// In this package a path is such a text, wherever it is a `String`.
extension String {
  /// Makes the text of a name.
  ///
  /// - Complexity: O(length).
  package init(systemBytes bytes: some Collection<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    // Nearly all names are UTF-8, and nearly none has a scalar for private use, which begins with this byte.
    if text.utf8.elementsEqual(bytes), !text.utf8.contains(0xF4) {
      self = text
      return
    }
    let bytes = Array(bytes)
    var scalars = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var input = bytes.makeIterator()
    var position = 0
    while true {
      let length: Int
      switch parser.parseScalar(from: &input) {
      case .emptyInput:
        self = String(scalars)
        return
      case .valid(let sequence):
        let scalar = UTF8.decode(sequence)
        length = sequence.count
        if SystemByte(scalar) == nil {
          scalars.append(scalar)
          position += length
          continue
        }
      case .error(let count):
        length = count
      }
      scalars += bytes[position..<position + length].map { SystemByte($0).scalar }
      position += length
    }
  }

  /// The bytes of the name whose text this is.
  ///
  /// - Complexity: O(length).
  package var systemBytes: [UInt8] {
    guard hasSystemByte else { return Array(utf8) }
    return unicodeScalars.flatMap { scalar in
      SystemByte(scalar).map { [$0.byte] } ?? Array(String(scalar).utf8)
    }
  }

  /// The name as messages show it: `\xff` for a byte that isn't UTF-8.
  package var shownSystemText: String {
    guard hasSystemByte else { return self }
    // Bytes: to append to a view of a text takes time by the text's length.
    let shown = unicodeScalars.flatMap { scalar in
      Array((SystemByte(scalar)?.escape ?? String(scalar)).utf8)
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Calls a function of the system with the name, ended by a zero.
  package func withSystemBytes<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows
    -> Result
  {
    guard hasSystemByte else { return try withCString(body) }
    return try (systemBytes + [0]).withUnsafeBufferPointer { buffer in
      try buffer.withMemoryRebound(to: CChar.self) { buffer in
        guard let start = buffer.baseAddress else { return try withCString(body) }
        return try body(start)
      }
    }
  }

  /// Whether some of it stands for a byte.
  package var hasSystemByte: Bool {
    utf8.contains(0xF4) && unicodeScalars.contains { SystemByte($0) != nil }
  }
}

/// A byte of a name that isn't UTF-8, and the scalar that stands for it.
package struct SystemByte {
  /// The byte, 0x80 or more.
  package let byte: UInt8

  private static let firstScalar: UInt32 = 0x10FE00

  init(_ byte: UInt8) { self.byte = byte }

  /// The byte that a scalar stands for; nil for any other scalar.
  package init?(_ scalar: Unicode.Scalar) {
    guard (Self.firstScalar + 0x80...Self.firstScalar + 0xFF).contains(scalar.value) else {
      return nil
    }
    byte = UInt8(scalar.value - Self.firstScalar)
  }

  /// The scalar that stands for the byte.
  package var scalar: Unicode.Scalar {
    // All scalars of the range are valid.
    Unicode.Scalar(Self.firstScalar + UInt32(byte)) ?? "\u{FFFD}"
  }

  /// The byte as an escape of Lua's.
  var escape: String { "\\x" + String(byte, radix: 16) }
}

/// What is done with paths as texts.
package enum FilePath {
  /// Why a text can't be a file's path.
  package enum Problem: Error, Equatable {
    /// It is longer than any path.
    case tooLong
    /// It has a zero, at which the system's functions end a path: they would open another file.
    case hasZero
    /// It begins with `~`, and HOME doesn't say which folder that is.
    case noHome

    /// What is wrong, for a message that says which path.
    package var reason: String {
      switch self {
      case .tooLong: "the path is longer than \(FilePath.maximumLength) bytes"
      case .hasZero: "a path can't have a zero byte"
      case .noHome: "HOME isn't set, so ~ has no meaning: set HOME, or write the full path"
      }
    }
  }

  /// The length in bytes of the longest path.
  package static let maximumLength = Int(PATH_MAX) - 1

  /// The user's own folder, as the environment has it.
  package static var home: String? {
    guard let home = getenv("HOME"), home.pointee != 0 else { return nil }
    return String(systemBytes: UnsafeRawBufferPointer(start: home, count: strlen(home)))
  }

  /// The path that a user means by what they wrote.
  ///
  /// `~` alone and at the beginning of `~/folder/file` is the folder that HOME names. `~name` is a file of that name: only
  /// the shell knows of users' folders, and to look for one in the system's database takes as long as the database likes.
  ///
  /// - Parameters:
  ///   - text: What was written.
  ///   - home: The user's own folder.
  /// - Returns: The path.
  /// - Throws: `Problem`.
  /// - Complexity: O(1) for what is too long, else O(length).
  package static func expanding(_ text: String, home: String? = home) throws(Problem) -> String {
    guard text.utf8.count <= maximumLength else { throw .tooLong }
    guard !text.utf8.contains(0) else { throw .hasZero }
    guard text == "~" || text.utf8.starts(with: "~/".utf8) else { return text }
    guard let home else { throw .noHome }
    let path = home + text.dropFirst()
    guard path.utf8.count <= maximumLength else { throw .tooLong }
    return path
  }

  /// The folder that a file is in: `.` for a name without any.
  ///
  /// - Complexity: O(length).
  package static func folder(of path: String) -> String {
    let slash = UInt8(ascii: "/")
    let parts = path.utf8
    guard let end = parts.lastIndex(where: { $0 != slash }) else {
      return path.isEmpty ? "." : "/"
    }
    guard let separator = parts[...end].lastIndex(of: slash) else { return "." }
    guard let folderEnd = parts[..<separator].lastIndex(where: { $0 != slash }) else { return "/" }
    return String(Substring(parts[...folderEnd]))
  }

  /// The name of a file in its folder.
  package static func name(of path: String) -> String {
    let slash = UInt8(ascii: "/")
    let parts = path.utf8
    guard let end = parts.lastIndex(where: { $0 != slash }) else { return path }
    let start = parts[...end].lastIndex(of: slash).map(parts.index(after:)) ?? parts.startIndex
    return String(Substring(parts[start...end]))
  }

  /// The path of a file in a folder.
  package static func path(of name: String, in folder: String) -> String {
    switch folder {
    case ".": name
    case "/": "/" + name
    default: "\(folder)/\(name)"
    }
  }
}
