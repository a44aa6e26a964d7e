import PrimereplFoundation
import PrimereplPlatform
import Scripting
import StateStore

/// A file that the prompt writes for its user, over nothing but an earlier one of its own.
struct SessionOutput {
  let expandedPath: String
  private let path: String
  private let kind: Kind?

  /// Files that begin with the same line; messages call them by their content.
  struct Kind {
    let firstLine: String
    let content: String
  }

  /// A file of no kind is only written over if it is empty, or the session's own.
  init(_ path: String, _ kind: Kind?) throws(CommandError) {
    guard !path.isEmpty else {
      throw CommandError(description: "The name of a file is missing.")
    }
    expandedPath = try UserFiles.expanding(path)
    (self.path, self.kind) = (path, kind)
  }

  /// Checks that there is no other file, which somebody may have written by hand.
  ///
  /// `written` is the file that the session has written there; nil if it hasn't written any.
  func check(orIs written: FileVersion? = nil) throws(CommandError) {
    if let written, FileVersion(of: expandedPath) == written { return }
    do throws(SystemCallError) {
      let content = try DocumentFile.read(
        expandedPath, maximumSize: StateDocument.maximumSize)
      if content.isEmpty { return }
      if let kind, content.starts(with: kind.firstLine.utf8) { return }
    } catch {
      if error.isMissingFile { return }
    }
    let obstacle = kind.map { "isn't a \($0.content)" } ?? "is there already"
    throw CommandError(
      description:
        "\(path.printable(limit: 200)): \(obstacle), and would be overwritten: name another file, or remove it"
    )
  }

  /// Writes the whole file, or nothing.
  ///
  /// The app's sandbox may refuse that. `written` is the file that the session has written there, if any.
  func write(_ text: String, with app: ScriptedApp, over written: FileVersion? = nil) throws {
    try check(orIs: written)
    try app.export(text, to: path)
  }
}
