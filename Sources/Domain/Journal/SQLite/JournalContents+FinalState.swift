extension JournalContents {
  /// The state to which everything that is remembered leads.
  ///
  /// - Throws: What a reducer or the store throws, which they wouldn't for what was done before.
  /// - Complexity: O(size of the checkpoint + actions).
  func finalState() throws -> App.State {
    let history = checkpoint?.history
    let offset = history?.offset ?? 0
    // More than there are, though far enough from the greatest number to count on from it.
    let store = Store(state: history?.state ?? App.State(), historyLimit: Int.max / 2)
    for action in history?.actions ?? [] { try store.send(action.action) }
    if let history { try store.jump(to: history.position - offset) }
    for entry in entries {
      for _ in 0..<entry.count {
        switch entry.event {
        case .action(let action): try store.send(action)
        case .travel(let number): try store.jump(to: number - offset)
        }
      }
    }
    return store.state
  }
}
