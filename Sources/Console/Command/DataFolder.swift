/// The folder for what the command remembers of its user (XDG Base Directory Specification).
enum DataFolder {
  /// The path of a file in it.
  ///
  /// - Throws: `CommandError` where nothing says which folder that is.
  static func path(
    of name: String, in environment: [String: String]
  ) throws(CommandError) -> String {
    // A relative XDG_DATA_HOME is to be ignored.
    if let data = environment["XDG_DATA_HOME"], data.utf8.first == UInt8(ascii: "/") {
      return try CommandError.path("\(data)/\(Console.current.name)/\(name)")
    }
    return try CommandError.path("~/.local/share/\(Console.current.name)/\(name)")
  }
}
