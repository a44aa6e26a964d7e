import Foundation

/// Where the prompt's lines are remembered.
enum HistoryLocation {
  /// PRIMEREPL_HISTORY, or a file in the user's data folder; an empty PRIMEREPL_HISTORY means nowhere.
  static func path(in environment: [String: String]) -> String? {
    if let path = environment["PRIMEREPL_HISTORY"] { return path.isEmpty ? nil : path }
    // A relative XDG_DATA_HOME is to be ignored (XDG Base Directory Specification).
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return data + "/primerepl/history"
    }
    // HOME says where, as to any program; NSHomeDirectory asks the user database, whatever HOME says.
    return (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share/primerepl/history"
  }
}
