package import StateStore

/// The actions that each command of a prompt or a page sent, so that a command can be undone as a whole.
package struct CommandLog {
  private struct Command {
    /// The numbers of the last actions in effect before and after it.
    let start: Int
    let end: Int
    /// The editions of its first and last action, by which they are known: others may take their numbers.
    ///
    /// Nil for a first one that the history forgot at once.
    let firstEdition: Int?
    let lastEdition: Int
    /// Who gave it, of those who use pages; nil for the prompt.
    let user: String?
    /// The numbers of the actions that it has taken back; nil for any other command.
    let takenBack: ClosedRange<Int>?

    var numbers: ClosedRange<Int> { start + 1...end }

    /// Whether its actions still have their numbers.
    func isValid(in history: StoreContents) -> Bool {
      history.edition(of: end) == lastEdition
        && (start + 1 < history.numbers.lowerBound
          || history.edition(of: start + 1) == firstEdition)
    }
  }

  /// In the order of their actions, of which two have none in common.
  private var commands: [Command] = []

  package init() {}

  /// Adds a command that sent actions, unless others were given while it waited; one that sent none can't be undone.
  ///
  /// The store is in the position after the command, and `start` is the one before it.
  package mutating func append(
    from start: Int, in store: Store, by user: String? = nil,
    takingBack takenBack: ClosedRange<Int>? = nil
  ) {
    let history = store.contents
    let end = history.position
    guard start < end, let lastEdition = history.edition(of: end) else { return }
    while let command = commands.last, command.end > start {
      guard !command.isValid(in: history) else { return }
      commands.removeLast()
    }
    let forgotten = commands.prefix { $0.end <= history.reachable.lowerBound }
    commands.removeFirst(forgotten.count)
    commands.append(
      Command(
        start: start, end: end, firstEdition: history.edition(of: start + 1),
        lastEdition: lastEdition, user: user, takenBack: takenBack))
  }

  /// Gives the commands the numbers that their actions got in a rebase.
  ///
  /// - Parameters:
  ///   - positions: The positions in the history after it, by those before.
  ///   - earlier: The store's contents before it.
  ///   - later: The store's contents after it.
  package mutating func renumber(
    _ positions: [Int: Int], from earlier: StoreContents, to later: StoreContents
  ) {
    // The actions before it were saved: others may have come between them and the rest of their command.
    guard let first = positions.keys.min() else { return }
    func moved(_ start: Int, _ end: Int) -> ClosedRange<Int>? {
      guard end > first, let start = positions[max(start, first)], let end = positions[end],
        start < end
      else { return nil }
      return start + 1...end
    }
    commands = commands.map { command in
      guard command.isValid(in: earlier), let numbers = moved(command.start, command.end),
        let lastEdition = later.edition(of: numbers.upperBound)
      else { return command }
      return Command(
        start: numbers.lowerBound - 1, end: numbers.upperBound,
        firstEdition: later.edition(of: numbers.lowerBound), lastEdition: lastEdition,
        user: command.user,
        takenBack: command.takenBack.map { moved($0.lowerBound - 1, $0.upperBound) ?? $0 })
    }
  }

  /// The last command for which a condition holds, and whose actions still have their numbers.
  private func last(in history: StoreContents, where holds: (Command) -> Bool) -> Command? {
    commands.last { holds($0) && $0.isValid(in: history) }
  }

  /// The numbers of all actions of the command that sent the one with a number; nil if none is known to have sent it.
  package func command(of number: Int, in history: StoreContents) -> ClosedRange<Int>? {
    last(in: history) { $0.numbers.contains(number) }?.numbers
  }

  // MARK: - Undo

  /// The position in which undo of the last command ends; nil if there is nothing to undo.
  package func positionBeforeLastCommand(in store: Store) -> Int? {
    let history = store.contents
    let first = history.reachable.lowerBound
    guard history.position > first else { return nil }
    let start = last(in: history) { $0.end == history.position }?.start
    return max(start ?? history.position - 1, first)
  }

  /// The position in which redo of the next command ends; nil if there is nothing to redo.
  package func positionAfterNextCommand(in store: Store) -> Int? {
    let history = store.contents
    let (position, reachable) = (history.position, history.reachable)
    guard position < reachable.upperBound else { return nil }
    // Undo of a command of which the history has forgotten a part ends where the history begins.
    let command = last(in: history) {
      max($0.start, reachable.lowerBound) == position && $0.end > position
    }
    return command?.end ?? position + 1
  }

  /// The numbers of the actions of this process's last command, whoever has acted since; nil if there is none.
  package func lastOwnCommand(in store: Store) -> ClosedRange<Int>? {
    guard let last = store.lastOwnAction else { return nil }
    let start = self.last(in: store.contents) { $0.end == last }?.start
    let first = max(start ?? last - 1, store.reachable.lowerBound) + 1
    // The actions of others that were saved first have taken numbers of the command.
    return store.remoteActions(in: first...last).isEmpty ? first...last : last...last
  }

  /// The numbers of the actions that undo takes back for a user of a page: those of the last command, or of the user's own
  /// last one if somebody else gave that; nil if there is nothing to undo.
  package func undoneNext(for user: String, in store: Store) -> ClosedRange<Int>? {
    guard let target = positionBeforeLastCommand(in: store) else { return nil }
    let history = store.contents
    let numbers = target + 1...history.position
    let command = last(in: history) { $0.end == history.position }
    let isOfOthers =
      !store.remoteActions(in: numbers).isEmpty || (command?.user ?? user) != user
    guard isOfOthers || command?.takenBack != nil else { return numbers }
    let inEffect = commands.filter { $0.end <= history.position && $0.isValid(in: history) }
    let takenBack = inEffect.compactMap(\.takenBack)
    let own = inEffect.last { command in
      command.user == user && command.takenBack == nil
        && command.start >= history.reachable.lowerBound
        && !takenBack.contains(command.numbers)
    }
    return own?.numbers ?? numbers
  }

  /// Undoes the actions of a command as a whole, while what others did since stays.
  package mutating func takeBack(
    _ numbers: ClosedRange<Int>, in store: Store, by user: String? = nil
  ) throws {
    let position = store.position
    try store.takeBack(numbers)
    append(from: position, in: store, by: user, takingBack: numbers)
  }
}
