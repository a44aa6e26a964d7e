import StateStore

/// The paths of the files that the command keeps for its user.
enum UserFiles {
  /// The prompt's session.
  static func session(in environment: [String: String]) throws(CommandError) -> String {
    try path(of: "session.sqlite", in: environment)
  }

  /// The prompt's line history; nil if the user wants none.
  static func lineHistory(in environment: [String: String]) throws(CommandError) -> String? {
    guard let path = environment[Console.current.variable("HISTORY")] else {
      return try self.path(of: "history", in: environment)
    }
    return path.isEmpty ? nil : try expanding(path)
  }

  /// The path that a user means.
  static func expanding(_ path: String) throws(CommandError) -> String {
    do throws(FilePath.Problem) {
      return try FilePath.expanding(path)
    } catch {
      throw .badPath(path, error)
    }
  }

  /// The path of a file in the data folder (XDG Base Directory Specification).
  private static func path(
    of name: String, in environment: [String: String]
  ) throws(CommandError) -> String {
    // The specification says to ignore a relative XDG_DATA_HOME.
    let data = environment["XDG_DATA_HOME"].flatMap {
      $0.utf8.first == UInt8(ascii: "/") ? $0 : nil
    }
    return try expanding("\(data ?? "~/.local/share")/\(Console.current.name)/\(name)")
  }
}
