internal import Domain

extension App.Action {
  /// The action as Lua text, for the history: a call that does the same, and after an arrow what a service answered.
  var luaText: String {
    switch self {
    case .counter(let action): action.luaText
    case .favorites(let action): action.luaText
    case .todo(let action): action.luaText
    case .landmarks(let action): action.luaText
    case .persons(let action): action.luaText
    case .signUp(let action): action.luaText
    case .reset: "store.reset()"
    case .restore(_, let source?): "store.import(\(source.luaLiteral))"
    case .restore(_, nil): "store.import() --> what the state file had lost"
    }
  }
}
