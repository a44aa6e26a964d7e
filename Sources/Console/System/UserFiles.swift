import StateStore
import Platform

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

  /// The folder of the records of scenarios that failed (XDG_STATE_HOME of the XDG Base Directory Specification).
  static func runRecords(in environment: [String: String]) throws(CommandError) -> String {
    try expanding(
      "\(folder("XDG_STATE_HOME", in: environment) ?? "~/.local/state")/\(Console.current.name)/scenarios"
    )
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
    let data = folder("XDG_DATA_HOME", in: environment)
    return try expanding("\(data ?? "~/.local/share")/\(Console.current.name)/\(name)")
  }

  /// The folder that a variable names; the specification says to ignore a relative one.
  private static func folder(_ variable: String, in environment: [String: String]) -> String? {
    environment[variable].flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
  }
}
