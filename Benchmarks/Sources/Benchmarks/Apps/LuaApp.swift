internal import Foundation

/// A file of Lua that declares a feature of the benchmarks.
enum LuaApp: String {
  /// The feature `cart`.
  case shop
  /// The feature `ledger`, which has queries.
  case ledger

  var path: String {
    URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../Apps/\(rawValue).lua").standardized.path
  }

  /// The options with which the command has the app.
  var arguments: [String] { ["--app", path] }
}
