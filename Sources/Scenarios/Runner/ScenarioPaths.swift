import Foundation
import StateStore
import Platform

/// The scenario files that the command line names.
struct ScenarioPaths {
  /// The files, in a stable order, each once.
  private(set) var files: [String] = []
  /// The lines of the scenarios that run, for the files that were named only with lines.
  private(set) var lines: [String: Set<Int>] = [:]
  private(set) var problems: [FileProblem] = []

  /// Finds the files of a run.
  init(_ options: RunOptions) {
    self.init(options.runsDefaultProperties ? [] : options.paths)
    if options.runsDefaultProperties { files.append(ScenarioFile.defaultProperties) }
  }

  /// Finds files.
  ///
  /// - Parameter paths: Files, whatever their names, and folders, in which files named `*.scenario.lua` are found, but
  ///   not in hidden folders.
  init(_ paths: [String]) {
    // The paths of files as they were first given, by what tells the files apart.
    var known: [String: String] = [:]
    var complete: Set<String> = []
    for path in paths {
      let (path, line) = Self.parse(path)
      for found in files(at: path) {
        let identity = Files.identity(of: found)
        let file = known[identity] ?? found
        if known.updateValue(file, forKey: identity) == nil { files.append(file) }
        if let line { lines[file, default: []].insert(line) } else { complete.insert(file) }
      }
    }
    for file in complete { lines[file] = nil }
  }

  /// Splits a path from the line after it, if the path with it isn't a file.
  private static func parse(_ text: String) -> (path: String, line: Int?) {
    guard Files.kind(of: text) == nil, let colon = text.lastIndex(of: ":"),
      let line = Int(text[text.index(after: colon)...]), line > 0
    else { return (text, nil) }
    return (String(text[..<colon]), line)
  }

  private mutating func files(at path: String) -> [String] {
    switch Files.kind(of: path) {
    case .file: return [path]
    case .folder: break
    case .special:
      problems.append(FileProblem(file: path, message: "it is neither a file nor a folder"))
      return []
    case nil:
      let reason =
        errno == ENOENT
        ? "there is no such file or folder" : "it can't be read: \(SystemFailure.reason)"
      problems.append(FileProblem(file: path, message: reason))
      return []
    }
    let found = scenarioFiles(in: path)
    if found.isEmpty {
      problems.append(
        FileProblem(file: path, message: "the folder has no file named *\(ScenarioFile.suffix)"))
    }
    return found
  }

  private mutating func scenarioFiles(in folder: String) -> [String] {
    guard let names = Files.names(in: folder) else {
      problems.append(
        FileProblem(file: folder, message: "the folder can't be read: \(SystemFailure.reason)"))
      return []
    }
    let prefix = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    return names.flatMap { name -> [String] in
      guard !name.hasPrefix(".") else { return [] }
      let path = prefix + name
      switch Files.kind(of: path) {
      // A link to a folder isn't followed: it may lead in a circle.
      case .folder: return Files.isLink(path) ? [] : scenarioFiles(in: path)
      case .file: return name.hasSuffix(ScenarioFile.suffix) ? [path] : []
      case .special, nil: return []
      }
    }
  }
}
