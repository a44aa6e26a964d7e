import Foundation
import StateStore
import Platform

/// Watches scenario files and the modules that they require, so that changed ones run again.
@MainActor
package final class ScenarioWatcher {
  private let paths: [String]
  /// The files that each scenario file depends on, itself included, as known from its last run.
  private var dependencies: [String: Set<String>] = [:]
  private var versions: [String: FileVersion] = [:]
  private var isStopped = false

  /// A file changed if one of these did.
  private struct FileVersion: Equatable {
    var modified = timespec().inNanoseconds
    var size: off_t = 0

    /// The version of a file that doesn't exist.
    init() {}

    init(of path: String) {
      do throws(SystemCallError) {
        let status = try FileSystem.status(of: path)
        #if os(Linux)
          modified = status.st_mtim.inNanoseconds
        #else
          modified = status.st_mtimespec.inNanoseconds
        #endif
        size = status.st_size
      } catch {
        // It doesn't exist.
      }
    }
  }

  /// Called when files have changed, before `changedFiles` returns: a run in progress is outdated.
  package var onChange: () -> Void = {}

  /// Watches files and folders from now on.
  package init(_ paths: [String]) {
    self.paths = paths
    for file in ScenarioPaths(paths).files { add(file) }
  }

  private func add(_ file: String) {
    dependencies[file] = [file]
    versions[file] = FileVersion(of: file)
  }

  /// Ends the watching: `changedFiles` then returns nil.
  package func stop() { isStopped = true }

  /// Notes the dependencies of a run.
  ///
  /// - Parameters:
  ///   - modules: The scenario files, each with the files of the modules that it requires.
  ///   - start: When the run began: files modified later have changed.
  func note(_ modules: [String: Set<String>], since start: Date) {
    for (file, required) in modules { dependencies[file] = required.union([file]) }
    for path in Set(dependencies.values.joined()) where versions[path] == nil {
      let version = FileVersion(of: path)
      let isNewer = Double(version.modified) / 1e9 > start.timeIntervalSince1970
      versions[path] = isNewer ? FileVersion() : version
    }
  }

  /// Waits until files change.
  ///
  /// - Returns: The scenario files that depend on them, and new ones, each with the line that the command line names if
  ///   there is one; nil if stopped.
  package func changedFiles() async throws -> [String]? {
    while !isStopped {
      let changed = takeChanges()
      if !changed.isEmpty {
        onChange()
        return changed
      }
      try await Task.sleep(for: .milliseconds(300))
    }
    return nil
  }

  private func takeChanges() -> [String] {
    var changedPaths: Set<String> = []
    for (path, version) in versions {
      let now = FileVersion(of: path)
      guard now != version else { continue }
      versions[path] = now
      changedPaths.insert(path)
    }
    let found = ScenarioPaths(paths)
    dependencies = dependencies.filter { found.files.contains($0.key) }
    let changed = found.files.filter { file in
      guard let needed = dependencies[file] else {
        add(file)
        return true
      }
      return !needed.isDisjoint(with: changedPaths)
    }
    return changed.flatMap { file in
      found.lines[file].map { lines in lines.sorted().map { "\(file):\($0)" } } ?? [file]
    }
  }
}

extension timespec {
  fileprivate var inNanoseconds: Int { tv_sec * 1_000_000_000 + tv_nsec }
}
