import Synchronization

/// What other threads have for the thread that edits lines.
final class EditorMailbox: Sendable {
  private struct Contents {
    var isEditing = false
    var isClosed = false
    var texts: [String] = []
    var historyLines: [String] = []
  }

  /// Wakes the editing thread.
  let wakePipe: WakePipe

  private let contents = Mutex(Contents())

  init() throws(LineEditorError) {
    wakePipe = try WakePipe()
  }

  /// Whether the editor is to read no more lines.
  var isClosed: Bool { contents.withLock(\.isClosed) }

  /// Ends the editing for good.
  func close() {
    contents.withLock { $0.isClosed = true }
    wakePipe.wake(WakePipe.look)
  }

  /// Leaves a line for the editor's history.
  func add(historyLine: String) {
    contents.withLock { $0.historyLines.append(historyLine) }
  }

  /// Takes the lines for the history.
  func takeHistoryLines() -> [String] {
    contents.withLock { contents in
      defer { contents.historyLines = [] }
      return contents.historyLines
    }
  }

  /// Leaves text to be shown above the line, or shows it at once if none is being edited.
  ///
  /// - Parameters:
  ///   - text: What to show.
  ///   - show: Writes text to the terminal; no line begins or ends meanwhile.
  func show(_ text: String, directly show: (String) -> Void) {
    let isLeft = contents.withLock { contents in
      if contents.isEditing { contents.texts.append(text) } else { show(text) }
      return contents.isEditing
    }
    if isLeft { wakePipe.wake(WakePipe.look) }
  }

  /// Takes the texts to be shown.
  func takeTexts() -> [String] {
    contents.withLock { contents in
      defer { contents.texts = [] }
      return contents.texts
    }
  }

  /// Has texts left here from now on.
  func beginLine() {
    contents.withLock { $0.isEditing = true }
  }

  /// Has texts shown at once from now on, and gives those that weren't shown.
  func endLine() -> [String] {
    contents.withLock { contents in
      contents.isEditing = false
      defer { contents.texts = [] }
      return contents.texts
    }
  }
}
