import Foundation
import LineEditing
import Platform
import Scenarios
import Scripting

/// The inputs of earlier prompts, in memory and in the user's file.
@MainActor
final class PromptHistory {
  let inputs: InputHistory

  /// Nil if the user wants none, or it can't be used.
  private var file: HistoryFile?
  private let files: UserFiles
  private let secrets: SessionSecrets
  /// The number of secrets that the session had when an input was last added.
  private var secretCount: Int
  /// The inputs that were added by this prompt.
  private var added: [String] = []

  /// Opens the history, and reports if its file can't be used; inputs that contain a secret are kept nowhere.
  init(in files: UserFiles, without secrets: SessionSecrets) {
    (self.files, self.secrets) = (files, secrets)
    secretCount = secrets.count
    inputs = InputHistory { $0.mayShowPassword || secrets.areContained(in: $0) }
    do {
      file = try files.inputHistory.map { HistoryFile(path: $0) }
      try inputs.reload(file?.load() ?? [])
    } catch {
      report(error)
    }
  }

  /// Adds an input that has run, unless it is one that isn't kept.
  ///
  /// If the session has a secret since, earlier inputs that contain it are removed.
  func add(_ text: String) {
    let last = inputs.entries.last
    do {
      if secrets.count > secretCount { try removeSecrets() }
      guard let entry = inputs.add(text), entry != last else { return }
      added.append(entry)
      try file?.append([entry])
    } catch {
      report(error)
    }
  }

  private func removeSecrets() throws(HistoryFileError) {
    secretCount = secrets.count
    let removed = Set(added.filter(secrets.areContained))
    guard !removed.isEmpty else { return }
    inputs.remove(removed)
    try file?.remove(removed)
  }

  private func report(_ error: any Error) {
    Diagnostics.note("\(error). \(files.historyVariable) names another file.")
  }
}

/// The keys of the line editor: its own, or those of the user's `.editrc`.
@MainActor
enum KeyBindings {
  /// Reads the user's file, if there is one, and reports what is wrong with it.
  static func load(from files: UserFiles) -> KeyMap {
    var keyMap = KeyMap.emacs
    do {
      let path = try files.keyBindings
      guard FileSystem.canAccess(path, R_OK) else { return keyMap }
      let text = String(systemBytes: try FileSystem.contents(of: path))
      let problems = EditrcFile.apply(text, program: CurrentProcess.name, to: &keyMap)
      for problem in problems {
        Diagnostics.note("\(path):\(problem.line): \(problem.message)")
      }
    } catch {
      Diagnostics.report(error)
    }
    return keyMap
  }
}
