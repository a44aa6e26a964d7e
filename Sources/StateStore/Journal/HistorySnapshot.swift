public import Foundation

/// The history of a store, written down: a state, and the actions since.
public struct HistorySnapshot: Codable, Equatable, Sendable {
  /// An action of the history.
  public struct Action: Codable, Equatable, Sendable {
    /// What was done.
    public let action: StoreAction
    /// When it was done.
    public let time: Date

    /// Makes an action of a history.
    public init(action: StoreAction, time: Date) {
      self.action = action
      self.time = time
    }
  }

  /// The state before the first of the actions.
  public let state: States

  /// The number of the action before the first of the actions.
  public let offset: Int

  /// The actions that are remembered, in effect or undone.
  public let actions: [Action]

  /// The number of the last action that is in effect.
  public let position: Int

  /// Makes a snapshot.
  public init(state: States, offset: Int, actions: [Action], position: Int) {
    self.state = state
    self.offset = offset
    self.actions = actions
    self.position = position
  }
}
