/// Reads the actions of a store and the states between them, without changing the store.
///
/// It shows the store as it was when the reader was made; keeping it costs nothing until the store's next action.
package struct HistoryReader {
  private let point: StoreSnapshot

  fileprivate init(_ point: StoreSnapshot) { self.point = point }

  /// The number of the last action in effect; 0 before the first.
  package var position: Int { point.history.position }

  /// The numbers of the actions to which `jump` can go: the lowest is the one before the first known action.
  package var reachable: ClosedRange<Int> { point.history.first...point.history.last }

  /// The numbers of the known actions, in effect or undone; empty before the first.
  package var numbers: Range<Int> { point.history.first + 1..<point.history.last + 1 }

  /// The action with a number; nil for an unknown one.
  package func action(_ number: Int) -> RecordedAction? {
    numbers.contains(number) ? point.history.recorded(number) : nil
  }

  /// The states after an action.
  ///
  /// - Throws: `StoreError` for a number that isn't reachable, or a reducer's error, which a deterministic reducer
  ///   doesn't throw.
  /// - Complexity: O(actions between two checkpoints).
  package func states(after number: Int) throws -> States {
    guard reachable.contains(number) else {
      throw StoreError.outOfHistory(number, reachable: reachable)
    }
    // Before the first action, the history has no checkpoint.
    return number == position ? point.states : try point.history.state(at: number)
  }

  /// Calls a closure for some actions, with the states before and after each.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of known actions, in ascending order.
  ///   - body: Gets the number of the action, and the states.
  /// - Throws: As `states(after:)`, or what `body` throws.
  /// - Complexity: O(actions between two checkpoints) for each number that doesn't follow the one before it.
  package func forEachStep(
    _ numbers: some Sequence<Int>,
    _ body: (_ number: Int, _ old: States, _ new: States) throws -> Void
  ) throws {
    var last: (number: Int, states: States)?
    for number in numbers {
      let old =
        if let last, last.number == number - 1 { last.states } else {
          try states(after: number - 1)
        }
      guard number <= reachable.upperBound else {
        throw StoreError.outOfHistory(number, reachable: reachable)
      }
      var new = old
      try point.history.redo(number - 1..<number, in: &new)
      try body(number, old, new)
      last = (number, new)
    }
  }

  /// An action of the history, or of a group in it.
  package struct Step {
    /// The number of the action or group.
    package let number: Int
    package let action: StoreAction
    /// The states after the action.
    package let states: States
  }

  /// Replays successive actions; those of a group one by one.
  ///
  /// - Parameter numbers: The numbers of known actions; an empty range has only the states before it.
  /// - Returns: The states before the actions, and the actions.
  /// - Throws: `StoreError` if one isn't known; or a reducer's error, which a deterministic reducer doesn't throw.
  package func steps(
    _ numbers: Range<Int>
  ) throws -> (start: States, steps: [Step]) {
    for number in [numbers.lowerBound, numbers.upperBound - 1]
    where !numbers.isEmpty && !self.numbers.contains(number) {
      throw StoreError.outOfHistory(number, reachable: reachable)
    }
    let start = try states(after: numbers.lowerBound - 1)
    var steps: [Step] = []
    var states = start
    for number in numbers {
      for action in point.history.recorded(number).action.parts {
        try point.history.schema.reduce(&states, action)
        steps.append(Step(number: number, action: action, states: states))
      }
    }
    return (start, steps)
  }

  /// Calls a closure for each change of some fields, in the order of the actions.
  ///
  /// - Parameters:
  ///   - fields: The fields.
  ///   - body: Gets the number of the action that made the change, the index of the field, and the states after it.
  /// - Throws: A reducer's error, which a deterministic reducer doesn't throw.
  /// - Complexity: O(actions + records that they changed).
  package func forEachChange(
    of fields: [StateField], _ body: (_ number: Int, _ field: Int, _ states: States) -> Void
  ) throws {
    var states = try states(after: reachable.lowerBound)
    for number in numbers {
      let sources = point.history.recorded(number).action.sources
      let earlier = states
      try point.history.redo(number - 1..<number, in: &states)
      for (index, field) in fields.enumerated()
      where field.sources.intersects(sources) && field.change(from: earlier, to: states) != nil {
        body(number, index, states)
      }
    }
  }
}

extension Store {
  /// A reader of the history.
  package var historyReader: HistoryReader { HistoryReader(point) }
}
