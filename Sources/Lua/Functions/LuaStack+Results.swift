internal import CLua

extension LuaStack {
  /// Pushes a function's results, and returns how many values they are.
  @inlinable
  func pushResults<each Value: LuaPushable>(_ values: repeat each Value) throws -> Int32 {
    var width = 0
    for _ in repeat each values { width += 1 }
    var count: Int32 = 0
    for value in repeat each values {
      if width > LuaStack.freeResults { try reserveForResult() }
      count += try value.pushResults(to: self)
    }
    return count
  }

  /// How many results have room without asking: fewer than the `LUA_MINSTACK` that Lua gives every function, so that
  /// each can still be made of others.
  @inlinable static var freeResults: Int { 8 }

  /// Makes room for one of many results.
  @usableFromInline
  func reserveForResult() throws(LuaError) { try reserve(LUA_MINSTACK) }
}
