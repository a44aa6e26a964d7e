extension Store {
  /// The differences between the state and the same session saved and reopened: there are none, unless a type's saved form
  /// loses something.
  ///
  /// - Returns: The differences; without a path if no field shows them.
  /// - Throws: Why the session couldn't be reopened.
  /// - Complexity: O(size of the state).
  package func differencesWhenReopened() throws -> [StateDifference] {
    let saved = SavedState(try schema.savedChanges(of: states))
    var reopened = try schema.loadedStates(from: saved).states
    reopened.unused = states.unused
    // A secret that is forgotten is none.
    let differences = schema.differences(from: states, to: reopened).filter {
      ($0.old ?? .none).savedJSON != ($0.new ?? .none).savedJSON
    }
    if differences.isEmpty, try !StateCoding.areSame(states, reopened) {
      return [StateDifference(path: "", old: nil, new: nil)]
    }
    return differences
  }
}
