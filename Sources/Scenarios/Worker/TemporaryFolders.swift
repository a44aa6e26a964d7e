import PrimereplFoundation
import PrimereplPlatform
import StateStore

/// The folders that a scenario made for its files.
///
/// All are in one folder of the run, which the runner removes at the end: a process that crashed can't remove its own.
final class TemporaryFolders {
  private let parent: String
  private var paths: [String] = []

  /// - Parameter parent: The folder of the run, which is made when it is needed.
  init(in parent: String) { self.parent = parent }

  /// A path for the folder of a run, where no folder is yet.
  static func pathForRun() -> String {
    let number = String(UInt64.random(in: .min ... .max), radix: 16)
    return "\(FileManager.default.temporaryDirectory.path)/scenarios-\(number)"
  }

  /// Removes a folder with what is in it, if it is there; returns why it can't be removed.
  static func remove(_ path: String) -> String? {
    guard FileSystem.canAccess(path) else { return nil }
    do {
      try FileManager.default.removeItem(atPath: path)
      return nil
    } catch {
      return "The folder \(path) can't be removed: \(error.localizedMessage ?? "\(error)")."
    }
  }

  /// Makes an empty folder, and returns its path.
  func make() throws(TemporaryFolderError) -> String {
    var template = Array("\(parent)/scenario-XXXXXX".utf8CString)
    do throws(SystemCallError) {
      try FileSystem.makeFolder(parent, mode: 0o700)
      guard mkdtemp(&template) != nil else { throw SystemCallError("mkdtemp") }
    } catch {
      throw .notMade(in: FilePath.folder(of: parent), reason: error.reason)
    }
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    paths.append(path)
    return path
  }

  /// Removes the folders with what is in them; returns why some can't be removed.
  func removeAll() -> [String] {
    defer { paths = [] }
    return paths.compactMap(Self.remove)
  }
}

typealias TemporaryFolderError = PlainError<TemporaryFolders>

extension TemporaryFolderError {
  static func notMade(in parent: String, reason: String) -> Self {
    Self("folder_not_made", "No folder can be made in \(parent): \(reason).")
  }
}
