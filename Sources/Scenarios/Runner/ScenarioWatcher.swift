import PrimereplFoundation
import PrimereplPlatform
import StateStore

/// Watches scenario files and the modules that they require, so that changed ones run again.
@MainActor
package final class ScenarioWatcher {
  private let paths: [String]
  /// The files that each scenario file depends on, itself included, as known from its last run.
  private var dependencies: [String: Set<String>] = [:]
  private var versions: [String: FileVersion] = [:]
  private var isStopped = false

  /// Called when files have changed, before `changedFiles` returns: a run in progress is outdated.
  package var onChange: () -> Void = {}

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

  /// Takes the modules' files of each scenario file after a run; files modified since its start have changed.
  func updateDependencies(_ modules: [String: Set<String>], since start: Date) {
    for (file, required) in modules { dependencies[file] = required.union([file]) }
    for path in Set(dependencies.values.joined()) where versions[path] == nil {
      let version = FileVersion(of: path)
      let isNewer = Double(version.modified) / 1e9 > start.timeIntervalSince1970
      versions[path] = isNewer ? .missing : version
    }
  }

  package enum Event: Equatable, Sendable {
    /// The scenario files that depend on changed files, and new ones, each with the line that the command line names if
    /// there is one.
    case changed([String])
    case command(WatchCommand)
    case stopped
  }

  /// Waits until files change, or the user asks for something: `command` is called a few times per second.
  package func next(command: () -> WatchCommand?) async throws -> Event {
    while !isStopped {
      let changed = takeChanges()
      if !changed.isEmpty {
        onChange()
        return .changed(changed)
      }
      if let command = command() { return .command(command) }
      try await Task.sleep(for: .milliseconds(200))
    }
    return .stopped
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

/// What the user of `--watch` can ask for.
package enum WatchCommand: Equatable, Sendable {
  case runAll
  case runFailed
  /// Run those whose names contain a text; all for an empty one.
  case filter(String)
  case quit
}
