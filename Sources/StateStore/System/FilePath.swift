import Foundation

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
      case .tooLong: "longer than a path can be, which is \(FilePath.maximumLength) bytes"
      case .hasZero: "a path can't have a zero byte"
      case .noHome: "HOME isn't set, so there is no folder ~: set HOME, or write the path in full"
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
