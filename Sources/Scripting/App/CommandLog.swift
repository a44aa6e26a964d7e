package import StateStore

/// The actions that each command of a prompt or a page sent, so that a command can be undone as a whole.
package struct CommandLog {
  /// The numbers of the last actions in effect before and after each command.
  private var entries: [(start: Int, end: Int)] = []

  /// Makes a log of no commands.
  package init() {}

  /// Adds a command that sent actions; one that sent none can't be undone.
  package mutating func append(from start: Int, to end: Int) {
    if start < end { entries.append((start, end)) }
  }

  /// The numbers of all actions of the last command that sent the one with a number; nil if none is known to have sent it.
  package func command(of number: Int) -> ClosedRange<Int>? {
    entries.last { $0.start < number && number <= $0.end }.map { $0.start + 1...$0.end }
  }

  /// The position in which undo of the last command ends; nil if there is nothing to undo.
  package func positionBeforeLastCommand(in store: Store) -> Int? {
    let first = store.reachable.lowerBound
    guard store.position > first else { return nil }
    let start = entries.last { $0.end == store.position }?.start
    return max(start ?? store.position - 1, first)
  }

  /// The position in which redo of the next command ends; nil if there is nothing to redo.
  package func positionAfterNextCommand(in store: Store) -> Int? {
    let last = store.reachable.upperBound
    guard store.position < last else { return nil }
    guard let end = entries.last(where: { $0.start == store.position })?.end, end <= last
    else { return store.position + 1 }
    return end
  }

  /// The numbers of the actions of this process's last command, whoever has acted since; nil if there is none.
  package func lastOwnCommand(in store: Store) -> ClosedRange<Int>? {
    guard let last = store.lastOwnAction else { return nil }
    let start = entries.last { $0.end == last }?.start
    let first = max(start ?? last - 1, store.reachable.lowerBound) + 1
    // The actions of others that were saved first have taken numbers of the command.
    return store.remoteActions(in: first...last).isEmpty ? first...last : last...last
  }

  /// Undoes the actions of a command as a whole, while what others did since stays.
  ///
  /// - Throws: As `Store.takeBack`.
  package mutating func takeBack(_ numbers: ClosedRange<Int>, in store: Store) throws {
    let position = store.position
    try store.takeBack(numbers)
    append(from: position, to: store.position)
  }
}
