import PrimereplLineEditing
import PrimereplTerminal
import StateStore

/// The inputs of earlier prompts, in memory and in the user's file.
@MainActor
final class PromptHistory {
  let inputs: InputHistory

  /// Nil if the user wants none, or it couldn't be used.
  private var file: HistoryFile?
  private let files: UserFiles
  private let secrets: InputSecrets
  /// The number of secrets that the process had made when an input was last added.
  private var secretCount = Secret.count
  /// The inputs that were added by this prompt.
  private var added: [String] = []

  /// Opens the history, and reports if its file can't be used; inputs that may contain a secret are kept nowhere.
  init(in files: UserFiles, without secrets: InputSecrets) {
    (self.files, self.secrets) = (files, secrets)
    inputs = InputHistory()
    do {
      file = try files.inputHistory.map { HistoryFile(path: $0) }
      try inputs.reload(file?.load() ?? [])
    } catch {
      report(error)
    }
  }

  /// Adds an input that has run, unless it may contain a secret.
  ///
  /// - Parameters:
  ///   - text: The input.
  ///   - madeSecret: Whether it made a text a secret, such as by passing it to a function.
  ///   - hasFailed: Whether it ended with an error, perhaps before it made a text a secret.
  func add(_ text: String, madeSecret: Bool, hasFailed: Bool) {
    let last = inputs.entries.last
    do {
      if Secret.count > secretCount { try removeSecrets() }
      guard !madeSecret, !secrets.mayBe(in: text, hasFailed: hasFailed),
        let entry = inputs.add(text), entry != last
      else { return }
      added.append(entry)
      try file?.append([entry])
    } catch {
      report(error)
    }
  }

  /// Removes earlier inputs that contain what has become a secret since; of those of earlier prompts, in which it may be
  /// any word, only where a string is it.
  private func removeSecrets() throws(HistoryFileError) {
    secretCount = Secret.count
    let own = added.filter { Secret.areContained(in: $0.utf8) }
    let removed = Set(own + inputs.entries.filter(secrets.areStrings))
    guard !removed.isEmpty else { return }
    inputs.remove(removed)
    try file?.remove(removed)
  }

  /// Reports why the file can't be used, which it isn't from then on.
  private func report(_ error: any Error) {
    file = nil
    Diagnostics.print("\(error). \(files.historyVariable) names another file.")
  }
}
