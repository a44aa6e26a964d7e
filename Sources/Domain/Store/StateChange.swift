/// What one action changed, as far as an observer asked for it.
public struct StateChange: Sendable {
  /// The action.
  public let action: App.Action
  /// The fields that changed, in the order of `App.fields`; there is at least one.
  public let fields: [FieldChange]
}
