import PrimereplFoundation

/// System names in a `String`: paths, arguments and environment variables.
///
/// System names are bytes, which need not be UTF-8. Swift's own conversions replace invalid bytes with U+FFFD, and so
/// name another file. Here an invalid byte becomes a private-use scalar: U+10FE80 for 0x80 to U+10FEFF for 0xFF. If a
/// name contains one of these scalars itself, its bytes are kept one by one in the same way, so that no two names
/// have the same text.
///
/// In this package, every path in a `String` is such a text.
extension String {
  /// Makes the text of a system name.
  ///
  /// - Complexity: O(length).
  package init(systemBytes bytes: some Collection<UInt8>) {
    // Nearly all names are UTF-8, and almost none has a private-use scalar, which begins with this byte.
    if let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0xF4) {
      self = text
      return
    }
    self = String(
      bytes, keeping: { SystemByte($0) == nil }, replacing: { String(SystemByte($0).scalar) })
  }

  /// The bytes of the system name.
  ///
  /// - Complexity: O(length).
  package var systemBytes: [UInt8] {
    guard hasSystemByte else { return Array(utf8) }
    return unicodeScalars.flatMap { scalar in
      SystemByte(scalar).map { [$0.byte] } ?? Array(String(scalar).utf8)
    }
  }

  /// Calls a system function with the name, terminated by a zero.
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

  package var hasSystemByte: Bool {
    utf8.contains(0xF4) && unicodeScalars.contains { SystemByte($0) != nil }
  }
}

/// A byte of a name that isn't UTF-8, and the scalar that stands for it.
package struct SystemByte {
  /// 0x80 or more.
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

  package var scalar: Unicode.Scalar {
    // All scalars in the range are valid.
    Unicode.Scalar(Self.firstScalar + UInt32(byte)) ?? "\u{FFFD}"
  }
}

package enum FilePath {
  /// Why a text can't be a file's path.
  package enum Problem: Error, Equatable {
    case tooLong
    /// The path contains a zero, which ends a path for system functions: they would open another file.
    case hasZero
    /// The path begins with `~`, and HOME isn't set.
    case noHome

    /// The problem, for a message that names the path.
    package var reason: String {
      switch self {
      case .tooLong: "the path is longer than \(FilePath.maximumLength) bytes"
      case .hasZero: "a path can't have a zero byte"
      case .noHome: "HOME isn't set, so ~ has no meaning: set HOME, or write the full path"
      }
    }
  }

  /// In bytes.
  package static let maximumLength = Int(PATH_MAX) - 1

  /// The user's home folder, from HOME.
  package static var home: String? {
    guard let home = getenv("HOME"), home.pointee != 0 else { return nil }
    return String(systemBytes: UnsafeRawBufferPointer(start: home, count: strlen(home)))
  }

  /// Expands a path that a user wrote.
  ///
  /// `~` alone, or at the beginning of `~/folder/file`, is the folder that HOME names. `~name` is a file of that
  /// name: only the shell knows users' folders, and a lookup in the system's database can take any amount of time.
  ///
  /// - Complexity: O(1) for a text that is too long, otherwise O(length).
  package static func expanding(_ text: String, home: String? = home) throws(Problem) -> String {
    guard text.utf8.count <= maximumLength else { throw .tooLong }
    guard !text.utf8.contains(0) else { throw .hasZero }
    guard text == "~" || text.utf8.starts(with: "~/".utf8) else { return text }
    guard let home else { throw .noHome }
    let path = home + text.dropFirst()
    guard path.utf8.count <= maximumLength else { throw .tooLong }
    return path
  }

  /// The path for a message: only its beginning, if it is longer than that of any file.
  package static func shown(_ path: String) -> String {
    path.utf8.count > maximumLength ? path.printable(limit: 200) : path
  }

  /// The folder that contains a file; `.` for a name without a folder.
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

  package static func name(of path: String) -> String {
    let slash = UInt8(ascii: "/")
    let parts = path.utf8
    guard let end = parts.lastIndex(where: { $0 != slash }) else { return path }
    let start = parts[...end].lastIndex(of: slash).map(parts.index(after:)) ?? parts.startIndex
    return String(Substring(parts[start...end]))
  }

  package static func path(of name: String, in folder: String) -> String {
    switch folder {
    case ".": name
    case "/": "/" + name
    default: "\(folder)/\(name)"
    }
  }
}
