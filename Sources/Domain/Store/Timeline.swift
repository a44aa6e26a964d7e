import Foundation

/// The state with the actions that led to it.
///
/// One value for both, so that an action is one access to the store's storage, which Swift checks each time.
struct Timeline {
  var state: App.State
  var history: History

  /// Does an action, whose edits the lists of the state note, and remembers it.
  ///
  /// - Throws: Why the action can't be done; then nothing has changed.
  mutating func perform(_ action: App.Action, at time: Date) throws {
    // Asked first: handing over the state copies it.
    if history.needsCheckpoint { history.addCheckpoint(state) }
    try App.reduce(&state, action)
    history.append(action, at: time)
  }
}
