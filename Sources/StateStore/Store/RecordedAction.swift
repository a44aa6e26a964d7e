public import Foundation

/// An action that was done, as the history remembers it.
public struct RecordedAction: Equatable, Sendable {
  /// The action's number: 1 for the first of the store.
  public let number: Int
  /// When it was done.
  public let time: Date
  /// The action.
  public let action: StoreAction
}
