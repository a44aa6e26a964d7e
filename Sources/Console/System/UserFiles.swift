import StateStore
import Platform

/// The paths of the files that the command keeps for its user.
enum UserFiles {
  /// The prompt's session.
  static func session(in environment: [String: String]) throws(CommandError) -> String {
    try path(of: "session.sqlite", in: environment)
  }

  /// The prompt's input history; nil if the user wants none.
  static func inputHistory(in environment: [String: String]) throws(CommandError) -> String? {
    guard let path = environment[Console.current.variable("HISTORY")] else {
      return try statePath(of: "history", in: environment)
    }
    return path.isEmpty ? nil : try expanding(path)
  }

  /// The input history of versions up to 0.1, which had one line of an input in each line.
  static func oldInputHistory(in environment: [String: String]) throws(CommandError) -> String {
    try path(of: "history", in: environment)
  }

  /// The Lua file that runs before the first prompt.
  static func startupFile(in environment: [String: String]) throws(CommandError) -> String {
    let folder = folder("XDG_CONFIG_HOME", in: environment)
    return try expanding("\(folder ?? "~/.config")/\(Console.current.name)/init.lua")
  }

  /// The file that rebinds the editor's keys (editrc(5)).
  static func keyBindings(in environment: [String: String]) throws(CommandError) -> String {
    let path = environment["EDITRC"].flatMap { $0.isEmpty ? nil : $0 }
    return try expanding(path ?? "~/.editrc")
  }

  /// The folder of the records of scenarios that failed.
  static func runRecords(in environment: [String: String]) throws(CommandError) -> String {
    try statePath(of: "scenarios", in: environment)
  }

  /// The path of a file that isn't worth a backup (XDG_STATE_HOME of the XDG Base Directory Specification).
  private static func statePath(
    of name: String, in environment: [String: String]
  ) throws(CommandError) -> String {
    let folder = folder("XDG_STATE_HOME", in: environment)
    return try expanding("\(folder ?? "~/.local/state")/\(Console.current.name)/\(name)")
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
