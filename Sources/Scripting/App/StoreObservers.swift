public import Lua
public import StateStore

/// A Lua function that observes a path of the store.
struct StateObserver {
  let path: String
  let function: LuaFunction

  /// Calls the function with what changed.
  ///
  /// For a field: its new and old value, or, for a list, its edits. For a path above fields: one table from the path
  /// of each field that changed to `{new=, old=}` or to its edits.
  func call(with change: StateChange) throws {
    try function.observe { () throws(LuaError) in try report(change) }
  }

  private func report(_ change: StateChange) throws(LuaError) {
    if let field = change.onlyField, field.path == path {
      switch field.change {
      case .value(let new, let old): try function.callDroppingResults(new, old)
      case .list(let edits): try function.callDroppingResults(edits)
      }
    } else {
      try function.callDroppingResults(LuaFieldChanges(change.fields))
    }
  }
}

/// A Lua function that observes the actions of the store.
struct ActionObserver {
  let function: LuaFunction

  /// Calls the function with an action.
  func call(with action: RecordedAction) throws {
    try function.observe { () throws(LuaError) in try function.call(action) }
  }
}

extension LuaFunction {
  /// Calls an observer, and tells the store where its code was stopped.
  fileprivate func observe(_ call: () throws(LuaError) -> Void) throws {
    do {
      try call()
    } catch  where error.isStop {
      throw ObserverStopped(error)
    } catch  where error.is(.scopeCollected) {
      // Nobody reaches the app any more, nor anything that the observer could tell.
    }
  }
}

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
