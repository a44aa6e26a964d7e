import Domain
internal import StateStore
import Lua

/// The options of `counter.ask_nth_prime`: `{source="local"}` or `{source="wolfram"}`.
struct NthPrimeOptions: LuaReadable {
  let source: NthPrimeSource?

  static var luaTypeName: String { "{source=\"local\"|\"wolfram\"}" }

  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    guard !stack.isModule(at: index) else {
      throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
    let entries: [(key: LuaValue, value: LuaValue)]
    do {
      entries = try LuaTable.read(from: stack, at: index).entries()
    } catch let error as LuaTypeMismatch {
      throw LuaTypeMismatch(expected: luaTypeName, got: error.got)
    } catch {
      throw LuaTypeMismatch(expected: luaTypeName, got: "\(error)")
    }
    var source: NthPrimeSource?
    for (key, value) in entries {
      guard key == .string("source") else {
        throw LuaTypeMismatch(expected: luaTypeName, got: "the option \(key.literal)")
      }
      guard case .string(let name) = value, let named = NthPrimeSource(named: "\(name)") else {
        throw LuaTypeMismatch(expected: luaTypeName, got: "source=\(value.literal)")
      }
      source = named
    }
    return NthPrimeOptions(source: source)
  }
}

extension LuaValue {
  /// The value as messages show it.
  fileprivate var literal: String {
    switch self {
    case .nil: "nil"
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): "\"\(value.shown)\""
    case .table: "a table"
    case .function: "a function"
    case .object: "an object"
    }
  }
}
