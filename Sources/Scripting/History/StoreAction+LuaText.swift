public import StateStore

extension StoreAction {
  /// The action as Lua text, for the history: a call that does the same, and after an arrow what a service answered.
  public var luaText: String {
    if self == .reset { return "store.reset()" }
    if isRestoring {
      return restoredSource.map { "store.import(\($0.luaLiteral))" }
        ?? "store.import() --> what the state file had lost"
    }
    if let feature = feature as? any ScriptableFeature.Type { return luaText(in: feature) }
    return encoded.map { ActionText.text(of: $0, in: featureName ?? "store") } ?? featureName ?? ""
  }

  private func luaText<F: ScriptableFeature>(in feature: F.Type) -> String {
    action(of: feature).map { F.luaText(of: $0) } ?? ""
  }
}
