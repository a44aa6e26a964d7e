public import StateStore

extension JournalEntry.Event {
  /// What was done, as Lua text.
  public var luaText: String {
    switch self {
    case .action(let action): action.luaText
    case .travel(let number): "store.jump(\(number))"
    }
  }
}

extension JournalEntry {
  /// What was done as Lua text, and how often.
  public var luaText: String { count == 1 ? event.luaText : "\(event.luaText) (\(count) times)" }
}
