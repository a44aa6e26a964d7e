/// A mode of editing, Emacs' or vi's: its commands beyond the common ones, and their state.
@MainActor
protocol EditingMode {
  typealias Outcome = EditorModel.Outcome

  /// The mark of the state, shown before the prompt.
  var indicator: String { get }

  /// Performs a command that isn't a common one, or that can't be performed as such now.
  ///
  /// - Returns: Nil if the mode has no such command, or it has no effect.
  func perform(_ command: EditorCommand, count: Int?) -> Outcome?

  /// Called after each key was handled.
  func didHandle(_ key: Key, _ outcome: Outcome)

  /// Forgets the current command, as another text begins.
  func reset()
}

extension KeyMap.Style {
  /// Makes the mode of these keys; nothing else in the editor knows which modes there are.
  @MainActor
  func makeMode(for editor: EditorModel) -> any EditingMode {
    switch self {
    case .emacs: EmacsMode(other: ViMode(editor))
    case .vi: ViMode(editor)
    }
  }
}

/// Emacs' mode, whose own commands are all common ones.
private struct EmacsMode: EditingMode {
  /// The mode whose commands can be bound to Emacs' keys as well.
  let other: any EditingMode
  let indicator = ""

  func perform(_ command: EditorCommand, count: Int?) -> Outcome? {
    other.perform(command, count: count)
  }

  func didHandle(_ key: Key, _ outcome: Outcome) {}

  func reset() {}
}
