internal import Foundation

/// The release build of this repository's program, which `make bench` makes first.
enum ReleaseProgram {
  static let path = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../../.build/release/primerepl").standardized.path

  /// - Throws: `BenchmarkError.skipped` where the program isn't built.
  static func requireBuilt() throws {
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw BenchmarkError.skipped(reason: "there is no \(path): make build makes it")
    }
  }
}
