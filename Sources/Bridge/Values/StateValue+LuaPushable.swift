import Domain
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
      try LuaRecord(members.map { ($0.name, $0.value) }, elements: values).push(to: stack)
    case .record(let members): try LuaRecord(members.map { ($0.name, $0.value) }).push(to: stack)
    }
  }
}
