import Lua
import StateStore

extension LuaFunction {
  /// Calls the function, which observes a path, with a change.
  ///
  /// For a field, its arguments are the new and the old value, or the edits of a list. For a path above fields, they are a
  /// table from the path of each changed field to `{new=, old=}` or to its edits.
  func report(_ change: StateChange, at path: String) throws {
    try observe { () throws(LuaError) in
      if let field = change.onlyField, field.path == path {
        switch field.change {
        case .value(let new, let old): try call(new, old, as: Void.self)
        case .list(let edits): try call(edits, as: Void.self)
        }
      } else {
        try call(LuaFieldChanges(change.fields), as: Void.self)
      }
    }
  }

  func report(_ action: RecordedAction, _ texts: ActionTexts) throws {
    try observe { () throws(LuaError) in try call(LuaRecord(texts.fields(of: action))) }
  }

  /// Calls an observer; throws `ObserverStopped` if its code was stopped.
  private func observe(_ call: () throws(LuaError) -> Void) throws {
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
  fileprivate func fields(
    of recorded: RecordedAction
  ) -> [(name: String, value: any LuaPushable)] {
    [
      ("number", recorded.number), ("time", recorded.time.timeIntervalSince1970),
      ("action", text(of: recorded.action)),
    ]
  }
}
