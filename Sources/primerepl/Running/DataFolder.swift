import Foundation

/// The folder for what the command remembers of its user (XDG Base Directory Specification).
enum DataFolder {
  /// The path of a file in it.
  static func path(of name: String, in environment: [String: String]) -> String {
    // A relative XDG_DATA_HOME is to be ignored.
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return "\(data)/primerepl/\(name)"
    }
    // HOME says where, as to any program; NSHomeDirectory asks the user database, whatever HOME says.
    let home = environment["HOME"] ?? ""
    return "\(home.isEmpty ? NSHomeDirectory() : home)/.local/share/primerepl/\(name)"
  }
}
