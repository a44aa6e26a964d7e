import Lua
import StateStore

/// A Lua function that observes a path of the store.
struct StateObserver {
  let path: String
  let function: LuaFunction

  /// Calls the function with the change.
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
  let texts: ActionTexts

  func call(with action: RecordedAction) throws {
    try function.observe { () throws(LuaError) in
      try function.call(LuaRecord(texts.fields(of: action)))
    }
  }
}

extension LuaFunction {
  /// Calls an observer; throws `ObserverStopped` if its code was stopped.
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

/// An entry of the history as a table; observers of actions get its first fields.
struct HistoryTable: LuaPushable {
  let entry: HistoryEntry
  let texts: ActionTexts

  static let luaTypeName = "table"

  /// The name of the tables' class.
  static let className = "store.action"

  static let luaType = LuaValueType.table(
    name: className,
    fields: [
      LuaParameter(name: "number", type: Int.luaType, help: "Its number in the history."),
      LuaParameter(
        name: "time", type: Double.luaType, help: "When it was sent, in seconds since 1970."),
      LuaParameter(
        name: "action", type: String.luaType, help: "The call that sends it, as Lua text."),
      LuaParameter(
        name: "changes", type: [String: LuaTable]?.luaType,
        help: "What it changed, by path; only in store.history()."),
      LuaParameter(
        name: "undone", type: Bool?.luaType,
        help: "Whether it is undone; only in store.history()."),
      LuaParameter(
        name: "author", type: String?.luaType,
        help: "The user and host that did it; only in store.history() of a shared session."),
    ])

  func push(to stack: LuaStack) throws(LuaError) {
    var fields = texts.fields(of: entry.recorded)
    fields.append(("changes", LuaFieldChanges(entry.changes)))
    fields.append(("undone", entry.isUndone))
    if let author = entry.recorded.author { fields.append(("author", author)) }
    try LuaRecord(fields).push(to: stack)
  }
}

extension ActionTexts {
  /// The fields of an action's table; the time is in seconds since 1970.
  fileprivate func fields(
    of recorded: RecordedAction
  ) -> [(name: String, value: any LuaPushable)] {
    [
      ("number", recorded.number), ("time", recorded.time.timeIntervalSince1970),
      ("action", text(of: recorded.action)),
    ]
  }
}
