internal import Foundation

/// The file of Lua that declares the feature `cart` of the benchmarks.
enum ShopFile {
  static let path = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../Apps/shop.lua").standardized.path

  /// The options with which the command has the app.
  static var arguments: [String] { ["--app", path] }
}
