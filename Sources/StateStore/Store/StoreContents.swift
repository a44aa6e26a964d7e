/// A store's states and history at one time, with the actions and the states between them.
///
/// Keeping them costs nothing until the store's next action, and then little, as unchanged parts are shared.
package struct StoreContents: Sendable {
  var states: States
  var history: UndoHistory

  /// The number of the last action in effect; 0 before the first.
  package var position: Int { history.position }

  /// Tells actions from those that took their numbers later: as long as it is the same, a number means the same action.
  package var edition: Int { history.edition }

  /// The numbers of the actions to which `jump` can go: the lowest is the one before the first known action.
  package var reachable: ClosedRange<Int> { history.first...history.last }

  /// The numbers of the known actions, in effect or undone; empty before the first.
  package var numbers: Range<Int> { history.firstShown + 1..<history.last + 1 }

  package func action(_ number: Int) -> RecordedAction? {
    numbers.contains(number) ? history.recorded(number) : nil
  }

  /// The edition in which a known action got its number; nil for an unknown one.
  ///
  /// It tells the action from another one that takes its number later.
  package func edition(of number: Int) -> Int? {
    numbers.contains(number) ? history.edition(of: number) : nil
  }

  /// The states after an action.
  ///
  /// - Parameters:
  ///   - number: The number of the action.
  ///   - near: The states after another action of the same edition, from which it is a shorter way; nil for the current ones.
  /// - Returns: The states.
  /// - Throws: `StoreError` for a number that isn't reachable, or why a change that was read from a journal can't be applied.
  /// - Complexity: O(actions between the two + records that they changed · log records).
  package func states(
    after number: Int, near: (number: Int, states: States)? = nil
  ) throws -> States {
    guard reachable.contains(number) else {
      throw StoreError.outOfHistory(number, reachable: reachable)
    }
    var start = (number: position, states: states)
    if let near, reachable.contains(near.number),
      abs(near.number - number) < abs(position - number)
    {
      start = near
    }
    try history.move(&start.states, from: start.number, to: number)
    return start.states
  }

  /// Calls a closure for known actions, in ascending order, with the states before and after each.
  ///
  /// - Throws: As `states(after:)`, or what `body` throws.
  /// - Complexity: O(actions between the first number and the last + records that they changed · log records).
  package func forEachStep(
    _ numbers: some Sequence<Int>,
    _ body: (_ number: Int, _ old: States, _ new: States) throws -> Void
  ) throws {
    var last: (number: Int, states: States)?
    for number in numbers {
      guard self.numbers.contains(number) else {
        throw StoreError.outOfHistory(number, reachable: reachable)
      }
      var old = last?.states ?? states
      try history.move(&old, from: last?.number ?? position, to: number - 1)
      var new = old
      try new.apply(history.delta(of: number), isUndone: false)
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

  /// The states before successive known actions, and the actions; those of a group one by one.
  ///
  /// - Throws: `StoreError` if one isn't known.
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
      let delta = history.delta(of: number)
      for (action, delta) in zip(history.recorded(number).action.parts, delta.parts) {
        try states.apply(delta, isUndone: false)
        steps.append(Step(number: number, action: action, states: states))
      }
    }
    return (start, steps)
  }

  /// The numbers, in ascending order, of the actions that added, changed or removed a record of the list at a path.
  ///
  /// - Throws: Why a change that was read from a journal can't be read.
  /// - Complexity: O(actions + what they changed).
  package func numbers(
    changing id: Int, in list: String, _ schema: StoreSchema
  ) throws -> [Int] {
    try numbers.filter { number in
      try schema.changes(by: history.delta(of: number)).contains { change in
        if case .record(list, id, _) = change { true } else { false }
      }
    }
  }

  /// Calls a closure for each change of some fields, in the order of the actions.
  ///
  /// - Throws: Why a change that was read from a journal can't be applied.
  /// - Complexity: O(actions + records that they changed).
  package func forEachChange(
    of fields: [AnyField], _ body: (_ number: Int, _ field: Int) -> Void
  ) throws {
    try forEachStep(numbers.filter { $0 > reachable.lowerBound }) { number, old, new in
      let sources = history.recorded(number).action.sources
      for (index, field) in fields.enumerated()
      where field.sources.intersects(sources) && field.change(from: old, to: new) != nil {
        body(number, index)
      }
    }
  }
}

extension Store {
  /// The last action of the history, in effect or undone; nil if it has none.
  package var lastAction: RecordedAction? { contents.action(reachable.upperBound) }

  package var contents: StoreContents { StoreContents(states: states, history: history) }
}
