import PrimereplPlatform
import StateStore

/// The paths of the files that the command keeps for its user, by the XDG Base Directory Specification.
struct UserFiles {
  private let console: Console
  private let environment: [String: String]

  init(of console: Console, in environment: [String: String]) {
    (self.console, self.environment) = (console, environment)
  }

  /// The prompt's session; each app of files has one.
  var session: String {
    get throws(CommandError) { try session(of: console.appFiles?.key) }
  }

  /// The session that earlier versions kept for all apps of files with one name; nil if there is none, or the app has
  /// its own by now.
  var earlierSession: String? {
    get throws(CommandError) {
      guard let name = console.appFiles?.name, !FileSystem.canAccess(try session) else {
        return nil
      }
      let path = try session(of: name)
      return FileSystem.canAccess(path) ? path : nil
    }
  }

  private func session(of app: String?) throws(CommandError) -> String {
    let name = "session.sqlite"
    return try path(app.map { "\($0)/\(name)" } ?? name, "XDG_DATA_HOME", "~/.local/share")
  }

  /// The prompt's input history, which each app of files has, too; nil if the user wants none.
  var inputHistory: String? {
    get throws(CommandError) {
      guard let path = environment[historyVariable] else {
        return try path(
          console.appFiles.map { "\($0.key).history" } ?? "history", "XDG_STATE_HOME",
          "~/.local/state")
      }
      return path.isEmpty ? nil : try Self.expanding(path)
    }
  }

  var historyVariable: String { console.variable("HISTORY") }

  /// The Lua file that runs before the first prompt.
  var startupFile: String {
    get throws(CommandError) { try path("init.lua", "XDG_CONFIG_HOME", "~/.config") }
  }

  /// The file that rebinds the editor's keys (editrc(5)).
  var keyBindings: String {
    get throws(CommandError) {
      let path = environment["EDITRC"].flatMap { $0.isEmpty ? nil : $0 }
      return try Self.expanding(path ?? "~/.editrc")
    }
  }

  /// The folder of the records of failed scenarios.
  var runRecords: String {
    get throws(CommandError) { try path("scenarios", "XDG_STATE_HOME", "~/.local/state") }
  }

  /// A path in the app's folder, which is in the folder that a variable names.
  private func path(
    _ name: String, _ variable: String, _ defaultFolder: String
  ) throws(CommandError) -> String {
    // The specification says to ignore a relative path.
    let folder = environment[variable].flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
    return try Self.expanding("\(folder ?? defaultFolder)/\(console.name)/\(name)")
  }

  /// The path that a user typed, with `~` expanded.
  static func expanding(_ path: String) throws(CommandError) -> String {
    do throws(FilePath.Problem) {
      return try FilePath.expanding(path)
    } catch {
      throw .badPath(path, error)
    }
  }
}
