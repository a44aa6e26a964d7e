import Foundation

/// Successive actions of a store, with the states around them.
package struct ReplayedHistory: Sendable {
  /// An action, and the states after it.
  package struct Step: Sendable {
    package let action: StoreAction
    package let states: States
  }

  /// The number of the action before the first step; 0 before the first action of all.
  package let startNumber: Int
  /// The states before the first step.
  package let start: States
  package let steps: [Step]

  /// Whether the history begins in the initial states of the features.
  package let beginsInitially: Bool
}

extension Store {
  /// Replays actions.
  ///
  /// - Parameter numbers: The numbers of the actions, in effect or undone; an empty range has the state before it. By
  ///   default, all actions in effect, as far back as they can be undone.
  /// - Returns: The actions with the states, which share what they have in common.
  /// - Throws: ``StoreError`` if the history lacks one of the actions; or a reducer's error, which a deterministic
  ///   reducer doesn't throw.
  package func replayedHistory(of numbers: Range<Int>? = nil) throws -> ReplayedHistory {
    let numbers = numbers ?? reachable.lowerBound + 1..<position + 1
    guard numbers.lowerBound > reachable.lowerBound else {
      throw StoreError.outOfHistory(numbers.lowerBound, reachable: reachable)
    }
    guard numbers.upperBound - 1 <= reachable.upperBound else {
      throw StoreError.outOfHistory(numbers.upperBound - 1, reachable: reachable)
    }
    let before = numbers.lowerBound - 1
    let point = point
    // Without an action there are no states to replay from.
    var states = before == position ? point.states : try point.history.state(at: before)
    let start = states
    var steps: [ReplayedHistory.Step] = []
    for number in numbers {
      let action = point.history.recorded(number).action
      try schema.reduce(&states, action)
      steps.append(ReplayedHistory.Step(action: action, states: states))
    }
    return ReplayedHistory(
      startNumber: before, start: start, steps: steps, beginsInitially: start == schema.initial)
  }

  /// The action with a number, in effect or undone; nil if there is none, or it is forgotten.
  package func recordedAction(_ number: Int) -> RecordedAction? {
    let history = point.history
    let remembered = history.remembered
    guard remembered.contains(number), number > remembered.lowerBound else { return nil }
    return history.recorded(number)
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
