public import StateStore
public import Lua

extension StateValue: LuaPushable {
  /// "any".
  public static var luaTypeName: String { "any" }

  /// Pushes the value as Lua has it: records and lists become new tables.
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
        for value in values { try table.append(value) }
        for member in members { try table.set(member.name, to: member.value) }
      }
    case .record(let members):
      try stack.pushTable(fieldCount: members.count) { table throws(LuaError) in
        for member in members { try table.set(member.name, to: member.value) }
      }
    }
  }
}
