import PrimereplFoundation
import PrimereplPlatform

/// A folder into which the command writes files, without replacing the user's own.
struct ProjectFolder {
  enum Outcome { case written, updated, kept }

  /// The path that the user typed.
  let name: String
  let path: String

  /// The folder at a path that a user typed; it is made with its first file.
  init(_ name: String) throws(CommandError) {
    guard !name.isEmpty else { throw CommandError(description: "the folder's name is empty") }
    self.name = name
    path = try UserFiles.expanding(name)
    if let kind = FileSystem.kind(of: path), kind != .folder {
      throw CommandError(description: "\(name) is a file, not a folder")
    }
  }

  func contains(_ file: String) -> Bool {
    let path = FilePath.path(of: file, in: path)
    return FileSystem.isLink(path) || FileSystem.canAccess(path)
  }

  /// Writes a file, unless there is one that isn't generated.
  func add(_ file: ProjectFile) throws(CommandError) -> Outcome {
    let isThere = contains(file.path)
    if isThere && !file.isGenerated { return .kept }
    let shown = FilePath.path(of: file.path, in: name)
    guard FileSystem.isWithoutLinks(file.path, in: path) else {
      throw CommandError(
        description:
          "cannot write \(shown): it is a symbolic link, or in a folder that is one; remove the link"
      )
    }
    let path = FilePath.path(of: file.path, in: path)
    do throws(SystemCallError) {
      try FileSystem.makeFolder(FilePath.folder(of: path))
      try FileSystem.replace(
        path, with: Array(file.content.utf8), mode: file.isExecutable ? 0o755 : 0o644)
    } catch {
      throw CommandError(description: "cannot write \(shown): \(error.reason)")
    }
    return isThere ? .updated : .written
  }
}

extension ProjectFolder {
  /// Calls a function that adds files; if it throws, none of them stays, nor a folder that was made for them.
  ///
  /// None of the files is there yet.
  func addAll(_ files: [String], by add: () throws -> Void) throws {
    let paths = files.map { FilePath.path(of: $0, in: path) }
    var folders: [String] = []
    for path in paths {
      var folder = FilePath.folder(of: path)
      while FileSystem.kind(of: folder) == nil, !folders.contains(folder) {
        folders.append(folder)
        folder = FilePath.folder(of: folder)
      }
    }
    do {
      try add()
    } catch {
      for path in paths { _ = path.withSystemBytes { unlink($0) } }
      // Those in other ones come first.
      for folder in folders.sorted(by: { $0.utf8.count > $1.utf8.count }) {
        _ = folder.withSystemBytes { rmdir($0) }
      }
      throw error
    }
  }
}
