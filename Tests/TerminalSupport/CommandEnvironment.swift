package import Subprocess

/// The environment that the command is tested in.
package enum CommandEnvironment {
  /// The tests' environment with another home, and without variables that configure the command.
  ///
  /// - Parameters:
  ///   - home: The folder used as the user's home.
  ///   - changes: What to set besides; nil unsets a variable.
  /// - Returns: The environment for a run.
  package static func make(home: String, changes: [String: String?]) -> Environment {
    var values: [Environment.Key: String?] = [
      "HOME": home, "XDG_DATA_HOME": home + "/data", "XDG_CONFIG_HOME": home + "/config",
      "XDG_STATE_HOME": home + "/state", "XDG_CACHE_HOME": home + "/cache",
      "TERM": "xterm", "LC_ALL": "C.UTF-8",
    ]
    for name in unset { values.updateValue(nil, forKey: name) }
    for (name, value) in changes {
      if let key = Environment.Key(rawValue: name) { values.updateValue(value, forKey: key) }
    }
    return .inherit.updating(values)
  }

  /// Variables that may be set for the command, for Lua, or for the line editor.
  private static let unset: [Environment.Key] = [
    "PRIMEREPL_APP", "PRIMEREPL_STATE", "PRIMEREPL_HISTORY", "PRIMEREPL_WOLFRAM_URL",
    "WOLFRAM_APP_ID", "NO_COLOR", "LUA_INIT", "LUA_INIT_5_4", "LUA_PATH", "LUA_PATH_5_4",
    "LUA_CPATH", "LUA_CPATH_5_4", "EDITRC", "EDITOR", "VISUAL", "PAGER", "LINES", "COLUMNS",
  ]
}
