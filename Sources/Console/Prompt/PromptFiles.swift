import Foundation
import LineEditing
import Platform
import Scripting

/// The inputs of earlier prompts, in memory and in the user's file.
@MainActor
final class PromptHistory {
  let inputs: InputHistory

  /// Nil if the user wants none, or it can't be used.
  private let file: HistoryFile?
  private let secrets: SessionSecrets
  /// The number of secrets that the session had when an input was last added.
  private var secretCount: Int
  /// The inputs that were added by this prompt.
  private var added: [String] = []

  /// Opens the history, and tells the user if its file can't be used.
  ///
  /// - Parameters:
  ///   - environment: The process's environment.
  ///   - secrets: The session's secrets: inputs that contain one are kept nowhere.
  init(in environment: [String: String], without secrets: SessionSecrets) {
    self.secrets = secrets
    secretCount = secrets.count
    inputs = InputHistory { Self.mayShowPassword($0) || secrets.areContained(in: $0) }
    do {
      file = try Self.file(in: environment)
    } catch {
      Self.report(error)
      file = nil
    }
    do {
      try inputs.reload(file?.load() ?? [])
    } catch {
      Self.report(error)
    }
  }

  private static func file(in environment: [String: String]) throws -> HistoryFile? {
    guard let path = try UserFiles.inputHistory(in: environment) else { return nil }
    let file = HistoryFile(path: path)
    if environment[Console.current.variable("HISTORY")] == nil, !file.exists {
      try file.adopt(linesOf: UserFiles.oldInputHistory(in: environment))
    }
    return file
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
      Self.report(error)
    }
  }

  private func removeSecrets() throws(HistoryFileError) {
    secretCount = secrets.count
    let removed = Set(added.filter(secrets.areContained))
    guard !removed.isEmpty else { return }
    inputs.remove(removed)
    try file?.remove(removed)
  }

  private static func report(_ error: any Error) {
    Diagnostics.note("\(error). \(Console.current.variable("HISTORY")) names another file.")
  }

  /// Whether an input may contain a password, which is kept nowhere: in code that sets it, or in an address.
  ///
  /// - Complexity: O(length): an input may have been pasted.
  static func mayShowPassword(_ text: String) -> Bool {
    if text.mentionsPassword { return true }
    return Array(text.utf8).split(separator: UInt8(ascii: "\n")).contains { line in
      guard let sign = line.lastIndex(of: UInt8(ascii: "@")) else { return false }
      return ["//", "http:", "https:"].contains { line[..<sign].contains(word: $0) }
    }
  }
}

/// The keys of the line editor: its own, or those of the user's `.editrc`.
@MainActor
enum KeyBindings {
  /// Reads the user's file, if there is one, and tells the user what is wrong with it.
  static func load(in environment: [String: String]) -> KeyMap {
    var keyMap = KeyMap.emacs
    do {
      let path = try UserFiles.keyBindings(in: environment)
      guard path.withSystemBytes({ access($0, R_OK) }) == 0 else { return keyMap }
      let text = String(systemBytes: try FileDescriptor.readAll(fileAt: path, flags: O_NONBLOCK))
      let problems = EditrcFile.apply(text, program: Console.current.name, to: &keyMap)
      for problem in problems {
        Diagnostics.note("\(path.shownSystemText):\(problem.line): \(problem.message)")
      }
    } catch {
      Diagnostics.report(error)
    }
    return keyMap
  }
}
