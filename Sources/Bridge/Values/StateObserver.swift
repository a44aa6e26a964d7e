internal import Domain
internal import Lua

/// A Lua function that observes a path of the store.
struct StateObserver {
  let path: String
  let function: LuaFunction

  /// Calls the function with what changed.
  ///
  /// For a field: its new and old value, or, for a list, its edits. For a path above fields: one table from the path
  /// of each field that changed to `{new=, old=}` or to its edits.
  func call(with change: StateChange) throws(LuaError) {
    if let field = change.fields.first, field.path == path {
      switch field.change {
      case .value(let new, let old): try function.call(new, old)
      case .list(let edits): try function.call(edits.lua)
      }
    } else {
      try function.call(LuaRecord(change.fields.map { ($0.path, $0.change.lua) }))
    }
  }
}

extension FieldChange.Change {
  fileprivate var lua: any LuaPushable {
    switch self {
    case .value(let new, let old): LuaRecord([("new", new), ("old", old)])
    case .list(let edits): edits.lua
    }
  }
}

extension ListEdits<StateValue> {
  /// A sequence of edits, each with its kind, and positions counted from 1.
  fileprivate var lua: [LuaRecord] {
    switch self {
    case .edits(let edits): edits.map(\.lua)
    case .replaced(let elements):
      [["edit": "replaced", "values": elements]]
    }
  }
}

extension ListEdit<StateValue> {
  fileprivate var lua: LuaRecord {
    switch self {
    case .inserted(let position, let value):
      ["edit": "inserted", "position": position + 1, "value": value]
    case .removed(let position, let value):
      ["edit": "removed", "position": position + 1, "value": value]
    case .changed(let position, let old, let new):
      ["edit": "changed", "position": position + 1, "new": new, "old": old]
    }
  }
}
