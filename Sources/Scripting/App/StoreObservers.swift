public import Lua
public import StateStore

/// A Lua function that observes a path of the store.
struct StateObserver {
  let path: String
  let function: LuaFunction

  /// Calls the function with what changed.
  ///
  /// For a field, these are its new and old value, or the edits of a list. For a path above fields, it is a table
  /// from the path of each changed field to `{new=, old=}` or to its edits.
  func call(with change: StateChange) throws {
    try function.observe { () throws(LuaError) in try report(change) }
  }

  private func report(_ change: StateChange) throws(LuaError) {
    if let field = change.onlyField, field.path == path {
      switch field.change {
      case .value(let new, let old): try function.call(new, old, as: Void.self)
      case .list(let edits): try function.call(edits, as: Void.self)
      }
    } else {
      try function.call(LuaFieldChanges(change.fields), as: Void.self)
    }
  }
}

/// A Lua function that observes the actions of the store.
struct ActionObserver {
  let function: LuaFunction

  func call(with action: RecordedAction) throws {
    try function.observe { () throws(LuaError) in try function.call(action) }
  }
}

extension LuaFunction {
  /// Calls an observer, and tells the store if its code was stopped.
  fileprivate func observe(_ call: () throws(LuaError) -> Void) throws {
    do {
      try call()
    } catch  where error.isStop {
      throw ObserverStopped(error)
    } catch  where error.is(.scopeCollected) {
      // The app is no longer reachable, nor is anything that the observer could report.
    }
  }
}

extension HistoryEntry: LuaPushable {
  /// The type's name in signatures.
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
  /// The type's name in signatures.
  public static var luaTypeName: String { "table" }

  /// Pushes a new table with its fields; the time is in seconds since 1970.
  public func push(to stack: LuaStack) throws(LuaError) {
    try LuaRecord(luaFields).push(to: stack)
  }

  fileprivate var luaFields: [(name: String, value: any LuaPushable)] {
    [("number", number), ("time", time.timeIntervalSince1970), ("action", action.luaText)]
  }
}
