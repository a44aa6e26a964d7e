internal import Foundation

/// A folder for files of a benchmark, which goes away with this.
final class TemporaryFolder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("primerepl-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: url)
    } catch {
      print("Left behind: \(url.path): \(error)")
    }
  }

  /// The path of a file in the folder, whether or not there is one.
  func path(of name: String) -> String { url.appendingPathComponent(name).path }
}
