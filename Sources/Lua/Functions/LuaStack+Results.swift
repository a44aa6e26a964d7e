extension LuaStack {
  /// Pushes a function's results, and returns how many values they are.
  @inlinable
  func pushResults<each Value: LuaPushable>(_ values: repeat each Value) throws -> Int32 {
    var count: Int32 = 0
    for value in repeat each values { count += try value.pushResults(to: self) }
    return count
  }
}
