public import Lua

/// One position in a sequence, or several, as Lua counts them: from 1.
public struct Positions: LuaReadable {
  /// The positions as Swift counts them.
  ///
  /// One that has no Swift counterpart (the least integer) wraps around to the
  /// greatest, which is no position either.
  public let fromZero: [Int]

  /// What signatures call it.
  public static var luaTypeName: String { "integer|integer[]" }

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
