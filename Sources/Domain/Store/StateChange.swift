/// What was changed at once, as far as an observer asked for it.
public struct StateChange: Equatable, Sendable {
  /// Why the state changed.
  public enum Cause: Equatable, Sendable {
    /// An action was done.
    case action(RecordedAction)
    /// Actions were undone or redone: the number is that of the last action in effect now, 0 for none.
    case travel(to: Int)
  }

  /// Why the state changed.
  public let cause: Cause
  /// The fields that changed, in the order they were observed; there is at least one.
  public let fields: [FieldChange]
}
