internal import Domain
internal import Lua

/// The options of `counter.ask_nth_prime`: `{source="local"}` or `{source="wolfram"}`.
struct NthPrimeOptions: LuaReadable {
  let source: NthPrimeSource?

  static var luaTypeName: String { "{source=\"local\"|\"wolfram\"}" }

  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
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
        throw LuaTypeMismatch(expected: luaTypeName, got: "the option \(key)")
      }
      guard case .string(let name) = value, let named = NthPrimeSource(rawValue: "\(name)") else {
        throw LuaTypeMismatch(expected: luaTypeName, got: "source=\(value)")
      }
      source = named
    }
    return NthPrimeOptions(source: source)
  }
}
