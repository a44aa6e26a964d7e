import PrimereplFoundation
import PrimereplPlatform
import StateStore

/// The scenario files that the command line names.
struct ScenarioPaths {
  /// The files, in a stable order, each once.
  private(set) var files: [String] = []
  /// The lines of the scenarios that run, for the files that were named only with lines.
  private(set) var lines: [String: Set<Int>] = [:]
  private(set) var problems: [FileProblem] = []

  init(_ options: RunOptions) {
    self.init(options.runsDefaultProperties ? [] : options.paths)
    if options.runsDefaultProperties { files.append(ScenarioFile.defaultProperties) }
  }

  /// Finds the files among paths, whatever their names, and in the folders those named `*.scenario.lua`.
  ///
  /// Hidden folders are left out.
  init(_ paths: [String]) {
    // The paths of files as they were first given, by their identities.
    var known: [String: String] = [:]
    var complete: Set<String> = []
    for path in paths {
      let (path, line) = Self.parse(path)
      for found in files(at: path) {
        let identity = Self.identity(of: found)
        let file = known[identity] ?? found
        if known.updateValue(file, forKey: identity) == nil { files.append(file) }
        if let line { lines[file, default: []].insert(line) } else { complete.insert(file) }
      }
    }
    for file in complete { lines[file] = nil }
  }

  /// A text that is the same for all paths of a file, but not for a link in another folder, where modules are others.
  private static func identity(of path: String) -> String {
    let (folder, name) = (FilePath.folder(of: path), FilePath.name(of: path))
    return FilePath.path(of: name, in: FileSystem.realPath(of: folder) ?? folder)
  }

  /// Splits a path from the line after it, if the path with it isn't a file.
  private static func parse(_ text: String) -> (path: String, line: Int?) {
    guard !FileSystem.canAccess(text), let colon = text.lastIndex(of: ":"),
      let line = Int(text[text.index(after: colon)...]), line > 0
    else { return (text, nil) }
    return (String(text[..<colon]), line)
  }

  private mutating func files(at path: String) -> [String] {
    do throws(SystemCallError) {
      switch FileSystem.Kind(try FileSystem.status(of: path)) {
      case .file: return [path]
      case .special: addProblem("it is neither a file nor a folder", path)
      case .folder:
        let found = scenarioFiles(in: path)
        if found.isEmpty {
          addProblem("the folder has no file named *\(ScenarioRecording.fileNameEnd)", path)
        }
        return found
      }
    } catch {
      addProblem(
        error.errorNumber == ENOENT
          ? "there is no such file or folder" : "it can't be read: \(error.reason)", path)
    }
    return []
  }

  private mutating func addProblem(_ problem: String, _ path: String) {
    problems.append(FileProblem(file: FilePath.shown(path), message: problem))
  }

  private mutating func scenarioFiles(in folder: String) -> [String] {
    let names: [String]
    do throws(SystemCallError) {
      names = try FileSystem.names(in: folder)
    } catch {
      addProblem("the folder can't be read: \(error.reason)", folder)
      return []
    }
    let prefix = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    return names.flatMap { name -> [String] in
      guard !name.hasPrefix(".") else { return [] }
      let path = prefix + name
      switch FileSystem.kind(of: path) {
      // A link to a folder isn't followed: it may lead in a circle.
      case .folder: return FileSystem.isLink(path) ? [] : scenarioFiles(in: path)
      case .file: return name.hasSuffix(ScenarioRecording.fileNameEnd) ? [path] : []
      case .special, nil: return []
      }
    }
  }
}
