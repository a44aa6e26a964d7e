/// One line of the history: an action and what came of it.
public struct HistoryEntry: Equatable, Sendable {
  /// The action.
  public let recorded: RecordedAction
  /// Whether it is undone, and can be redone.
  public let isUndone: Bool
  /// What it changed, in the order of the schema's fields.
  public let changes: [FieldChange]
}
