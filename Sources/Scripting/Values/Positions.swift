public import Lua

/// One or more positions in a sequence, counted from 1 as in Lua.
public struct Positions: LuaReadable {
  /// The positions, counted from 0 as in Swift.
  ///
  /// The minimum integer has no counterpart: it wraps around to the maximum, which is no position either.
  public let fromZero: [Int]

  /// The type's name in signatures.
  public static var luaTypeName: String { "integer|integer[]" }

  /// A position, or a table of them.
  public static var luaType: LuaValueType {
    .union(name: luaTypeName, [Int.luaType, [Int].luaType])
  }

  /// Reads a position, or a table of them.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    let positions: [Int]
    do {
      positions =
        stack.type(at: index) == .table
        ? try [Int].read(from: stack, at: index) : [try Int.read(from: stack, at: index)]
    } catch {
      throw LuaTypeMismatch(expected: luaTypeName, got: error.got)
    }
    return Positions(fromZero: positions.map { $0 &- 1 })
  }
}
