/// How one field of the state changed.
public struct FieldChange: Equatable, Sendable {
  /// What became of a field.
  public enum Change: Equatable, Sendable {
    /// The field has another value.
    case value(new: StateValue, old: StateValue)
    /// The field is a list, and this happened to it.
    case list(ListEdits<StateValue>)
  }

  /// The path of the field.
  public let path: String
  /// What became of it.
  public let change: Change
}
