internal import Domain
internal import StateStore

extension StoreAction {
  /// The action as Lua text, for the history: a call that does the same, and after an arrow what a service answered.
  var luaText: String {
    if self == .reset { return "store.reset()" }
    if isRestoring {
      return restoredSource.map { "store.import(\($0.luaLiteral))" }
        ?? "store.import() --> what the state file had lost"
    }
    return action(of: Counter.self)?.luaText ?? action(of: FavoritePrimes.self)?.luaText
      ?? action(of: Todo.self)?.luaText ?? action(of: Landmarks.self)?.luaText
      ?? action(of: Persons.self)?.luaText ?? action(of: SignUp.self)?.luaText
      ?? "\(featureName ?? "store")"
  }
}
