public import Lua
public import StateStore

extension StateValue: LuaPushable {
  /// "any".
  public static var luaTypeName: String { "any" }

  /// The name of the metatable of lists, by which they are written as JSON.
  static let listMark = "list of the state"

  /// Pushes the value; records and lists become new tables.
  public func push(to stack: LuaStack) throws(LuaError) {
    switch self {
    case .none: stack.pushNil()
    case .boolean(let value): stack.push(value)
    case .integer(let value): try value.push(to: stack)
    case .number(let value): stack.push(value)
    case .text(let value): stack.push(value)
    case .secret(let value): stack.push(value.bullets)
    case .list(let values, let members):
      try stack.pushTable(elementCount: values.count, fieldCount: members.count) {
        table throws(LuaError) in
        table.mark(Self.listMark)
        for value in values {
          // As `json.decode` gives it: a table would have a gap.
          if case .none = value {
            try table.append(LuaNull.null)
          } else {
            try table.append(value)
          }
        }
        for member in members { try table.set(member.name, to: member.value) }
      }
    case .record(let members):
      try stack.pushTable(fieldCount: members.count) { table throws(LuaError) in
        for member in members { try table.set(member.name, to: member.value) }
      }
    }
  }
}

extension StateValue {
  /// The value with bullets in place of secrets, as scripts get them.
  var withBullets: StateValue {
    switch self {
    case .secret(let secret): .text(secret.bullets)
    case .list(let values, let members):
      .list(values.map(\.withBullets), members: members.map(\.withBullets))
    case .record(let members): .record(members.map(\.withBullets))
    case .none, .boolean, .integer, .number, .text: self
    }
  }
}

extension StateValue.Member {
  fileprivate var withBullets: StateValue.Member { .init(name: name, value: value.withBullets) }
}

extension LuaPushable where Self: FieldRecord {
  /// "table".
  public static var luaTypeName: String { "table" }

  /// A table with the record's fields.
  public static var luaType: LuaValueType { valueType.luaType(at: "") }

  /// Pushes a new table with the record's fields.
  public func push(to stack: LuaStack) throws(LuaError) { try stateValue.push(to: stack) }
}

/// A table from the path of each changed field to its change.
struct LuaFieldChanges: LuaPushable {
  private let changes: [FieldChange]

  init(_ changes: [FieldChange]) { self.changes = changes }

  static var luaTypeName: String { "table" }

  func push(to stack: LuaStack) throws(LuaError) {
    try stack.pushTable(fieldCount: changes.count) { table throws(LuaError) in
      for field in changes {
        switch field.change {
        case .value(let new, let old):
          try table.set(field.path, to: LuaRecord([("new", new), ("old", old)]))
        case .list(let edits):
          try table.set(field.path, to: edits)
        }
      }
    }
  }
}

extension ListEdits: LuaTyped, LuaPushable where Element: LuaPushable {
  /// The type's name in signatures.
  public static var luaTypeName: String { "table" }

  /// Pushes a sequence of edits, each with its kind, and positions counted from 1.
  public func push(to stack: LuaStack) throws(LuaError) {
    switch self {
    case .edits(let edits):
      try stack.pushTable(elementCount: edits.count) { table throws(LuaError) in
        for edit in edits { try table.append(edit) }
      }
    case .replaced(let old, let new):
      try stack.pushTable(elementCount: 1) { table throws(LuaError) in
        try table.append(
          LuaRecord([("edit", "replaced"), ("values", Array(new)), ("old_values", Array(old))]))
      }
    }
  }
}

extension ListEdit: LuaTyped, LuaPushable where Element: LuaPushable {
  /// The type's name in signatures.
  public static var luaTypeName: String { "table" }

  /// Pushes a table with the edit's kind, its position counted from 1, and its values.
  public func push(to stack: LuaStack) throws(LuaError) {
    try stack.pushTable(fieldCount: 4) { table throws(LuaError) in
      switch self {
      case .inserted(let position, let value):
        try table.set("edit", to: "inserted")
        try table.set("position", to: position + 1)
        try table.set("value", to: value)
      case .removed(let position, let value):
        try table.set("edit", to: "removed")
        try table.set("position", to: position + 1)
        try table.set("value", to: value)
      case .changed(let position, let old, let new):
        try table.set("edit", to: "changed")
        try table.set("position", to: position + 1)
        try table.set("new", to: new)
        try table.set("old", to: old)
      }
    }
  }
}
