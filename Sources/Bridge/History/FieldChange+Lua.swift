internal import Domain
internal import StateStore
internal import Lua

extension FieldChange.Change {
  /// A table with the new and the old value, or a list's edits.
  var lua: any LuaPushable {
    switch self {
    case .value(let new, let old): LuaRecord([("new", new), ("old", old)])
    case .list(let edits): edits.lua
    }
  }
}

extension ListEdits<StateValue> {
  /// A sequence of edits, each with its kind, and positions counted from 1.
  var lua: [LuaRecord] {
    switch self {
    case .edits(let edits): edits.map(\.lua)
    case .replaced(let old, let new):
      [["edit": "replaced", "values": Array(new), "old_values": Array(old)]]
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
