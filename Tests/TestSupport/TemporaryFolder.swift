package import Foundation

/// An empty folder that is removed with its last reference.
package final class TemporaryFolder: Sendable {
  /// The folder's path.
  package let path: String

  /// Makes a folder with a unique name.
  package init() throws {
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

  /// The folder's URL.
  package var url: URL { URL(fileURLWithPath: path) }

  /// The path of a file in it.
  package func path(of name: String) -> String {
    path + "/" + name
  }

  /// Makes a folder in it, with those that it is in, and returns its path.
  @discardableResult
  package func makeFolder(_ name: String) throws -> String {
    let path = path(of: name)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  /// Writes a file in it, and returns its path.
  package func write(_ text: String, to name: String) throws -> String {
    let path = path(of: name)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Writes a shell script in it, and returns its path.
  package func script(_ body: String, name: String = "script") throws -> String {
    let path = try write("#!/bin/sh\n\(body)\n", to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  /// The paths of everything in a folder in it; empty if there is no such folder.
  package func files(_ folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: path(of: folder))?.compactMap {
      $0 as? String
    }
    return (names ?? []).sorted()
  }

  /// Reads a file in it.
  package func read(_ name: String) throws -> String {
    try String(contentsOfFile: path(of: name), encoding: .utf8)
  }
}
