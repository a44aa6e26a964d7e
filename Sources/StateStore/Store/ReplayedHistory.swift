import Foundation

/// The actions of a store that are in effect, with the states around them.
package struct ReplayedHistory: Sendable {
  /// An action, and the states after it.
  package struct Step: Sendable {
    package let action: StoreAction
    package let states: States
  }

  /// The states before the first action.
  package let start: States
  package let steps: [Step]

  /// Whether the history begins in the initial states of the features.
  package let beginsInitially: Bool
}

extension Store {
  /// Replays the actions in effect, as far back as they can be undone.
  ///
  /// - Returns: The actions with the states, which share what they have in common.
  /// - Throws: A reducer's error, which a deterministic reducer doesn't throw.
  package func replayedHistory() throws -> ReplayedHistory {
    let actions = try history().filter { !$0.isUndone }.map(\.recorded.action)
    var states = try point.states(before: actions.count)
    let start = states
    var steps: [ReplayedHistory.Step] = []
    for action in actions {
      try schema.reduce(&states, action)
      steps.append(ReplayedHistory.Step(action: action, states: states))
    }
    return ReplayedHistory(
      start: start, steps: steps, beginsInitially: start == schema.initial)
  }
}

extension StoreSnapshot {
  /// The states before the last actions in effect, of which the history has at least that many.
  fileprivate func states(before count: Int) throws -> States {
    count == 0 ? states : try history.state(at: history.position - count)
  }
}

extension StoreAction {
  /// The action with another encoding.
  ///
  /// - Parameters:
  ///   - schema: The features.
  ///   - change: Changes the encoding of a feature's action.
  /// - Returns: The changed action; without its secrets, which aren't encoded, if the encoding is another.
  /// - Throws: `EncodingError` or `DecodingError`.
  package func changed(
    in schema: Schema, _ change: (JSONValue) -> JSONValue
  ) throws -> StoreAction {
    guard feature != nil else { return self }
    let json = try JSONDecoder().decode(JSONValue.self, from: StateCoding.encoder.encode(self))
    guard case .object(var members) = json, let action = members[Self.actionKey] else {
      return self
    }
    members[Self.actionKey] = change(action)
    guard members[Self.actionKey] != action else { return self }
    return try StateCoding.decoder(for: schema).decode(
      StoreAction.self, from: StateCoding.encoder.encode(JSONValue.object(members)))
  }
}
