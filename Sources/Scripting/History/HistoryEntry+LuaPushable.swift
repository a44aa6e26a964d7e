public import StateStore
public import Lua

extension HistoryEntry: LuaPushable {
  /// What signatures call it.
  public static var luaTypeName: String { "table" }

  /// Pushes a new table with its fields.
  public func push(to stack: LuaStack) throws(LuaError) {
    var fields = recorded.luaFields
    fields.append(("changes", LuaFieldChanges(changes)))
    fields.append(("undone", isUndone))
    try LuaRecord(fields).push(to: stack)
  }
}

extension RecordedAction: LuaPushable {
  /// What signatures call it.
  public static var luaTypeName: String { "table" }

  /// Pushes a new table with its fields; the time is in seconds since 1970.
  public func push(to stack: LuaStack) throws(LuaError) {
    try LuaRecord(luaFields).push(to: stack)
  }

  fileprivate var luaFields: [(name: String, value: any LuaPushable)] {
    [("number", number), ("time", time.timeIntervalSince1970), ("action", action.luaText)]
  }
}
