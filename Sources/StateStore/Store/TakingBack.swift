/// Taking back one's own actions while those that others did since stay.
extension Store {
  /// The number of the last action in effect that this process has done, or its user on this machine, and that isn't taken
  /// back; nil if there is none.
  package var lastOwnAction: Int? { history.lastOwn }

  /// Takes back successive actions: by an undo if they are the last, else by an action that makes the opposite changes.
  ///
  /// - Parameter numbers: The numbers of actions in effect.
  /// - Throws: ``PlainError`` if something that they changed has been changed since, or can't be changed apart from what
  ///   came later; `StoreError`. Then nothing is changed.
  /// - Complexity: O(changes · log records), and O(elements) for lists that were replaced.
  package func takeBack(_ numbers: ClosedRange<Int>) throws {
    try checkGroup()
    let known = reachable.lowerBound + 1..<position + 1
    guard known.contains(numbers.lowerBound), known.contains(numbers.upperBound) else {
      throw StoreError.outOfHistory(numbers.lowerBound, reachable: reachable)
    }
    guard numbers.upperBound < position else { return try jump(to: numbers.lowerBound - 1) }
    let changes = try numbers.flatMap { try schema.separableChanges(by: history.delta(of: $0)) }
    try send(StoreAction(.takeBack(numbers, changes.reversed().map(\.inverse))))
  }
}

extension UndoHistory {
  /// The number of the last own action in effect that isn't taken back; nil if there is none.
  fileprivate var lastOwn: Int? {
    var takenBack: [ClosedRange<Int>] = []
    for number in (first + 1..<position + 1).reversed() where isOwn(number) {
      if let numbers = recorded(number).action.takenBack {
        takenBack.append(numbers)
      } else if !takenBack.contains(where: { $0.contains(number) }) {
        return number
      }
    }
    return nil
  }
}
