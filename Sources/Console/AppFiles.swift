import PrimereplPlatform
import Scenarios

/// The files of Lua that declare features of an app.
struct AppFiles: Sendable {
  /// At least one.
  let paths: [String]
  /// Whether the app has only the files' features.
  let isBare: Bool

  /// The app's name, which a folder can have: that of the first file, without `.lua`.
  var name: String {
    let name = FilePath.name(of: paths[0])
    let stem = name.hasSuffix(".lua") ? String(name.dropLast(4)) : name
    return ["", ".", ".."].contains(stem) ? name : stem
  }

  /// The name of the files that the command keeps for the app's user: apps in several folders may have one name, so it has
  /// a hash of the first file's path.
  var key: String {
    let hash = FileSystem.resolved(paths[0]).systemBytes.shortStableHash
    return "\(name)-\(String(hash, radix: 16))"
  }

  /// The options that give a command the same app.
  var arguments: [String] { arguments(paths) }

  /// The options for commands in a folder: files outside of it have absolute paths.
  func arguments(in folder: String) -> [String] {
    let folder = FileSystem.resolved(folder) + "/"
    return arguments(
      paths.map { path in
        let path = FileSystem.resolved(path)
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
      })
  }

  private func arguments(_ paths: [String]) -> [String] {
    paths.flatMap { $0.hasPrefix("-") ? ["--app=\($0)"] : ["--app", $0] }
      + (isBare ? ["--bare"] : [])
  }

  /// Checks that the files can be read, and aren't scenarios.
  func check() throws(CommandError) {
    for path in paths {
      if FileSystem.kind(of: path) == .file, path.hasSuffix(ScenarioRecording.fileNameEnd) {
        throw CommandError(
          description:
            "\(path) has scenarios, not features: run \(CurrentProcess.name) test \(path)")
      }
      _ = try ScriptFile.readRegular(path)
    }
  }
}
