import Foundation

/// An empty folder that is removed when nobody uses it any more.
final class TemporaryFolder: Sendable {
  /// Where it is.
  let path: String

  /// Makes one of its own name.
  init() throws {
    let name = "primerepl-tests-\(UUID().uuidString)"
    path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      print("warning: \(path) couldn't be removed: \(error)")
    }
  }

  /// The path of a file in it.
  func path(of name: String) -> String {
    path + "/" + name
  }

  /// Writes a file in it, and gives its path.
  func write(_ text: String, to name: String) throws -> String {
    let path = path(of: name)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// The names of the files in a folder in it; nothing where there is no such folder.
  func files(_ folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: path(of: folder))?.compactMap {
      $0 as? String
    }
    return (names ?? []).sorted()
  }

  /// Reads a file in it.
  func read(_ name: String) throws -> String {
    try String(contentsOfFile: path(of: name), encoding: .utf8)
  }
}
