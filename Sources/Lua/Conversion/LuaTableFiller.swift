internal import CLua

/// Fills a new table on a stack, without arrays of what goes into it.
public struct LuaTableFiller {
  private let stack: LuaStack
  private let table: Int32
  private var count: lua_Integer = 0

  fileprivate init(_ stack: LuaStack, table: Int32) {
    self.stack = stack
    self.table = table
  }

  /// Sets a field.
  ///
  /// - Throws: what pushing the value throws.
  public func set(_ name: String, to value: some LuaPushable) throws(LuaError) {
    stack.push(name)
    try value.push(to: stack)
    lua_rawset(stack.pointer, table)
  }

  /// Appends an element.
  ///
  /// - Throws: what pushing the element throws; `interrupted`, `time_limit` or `instruction_limit` where the code is to stop.
  public mutating func append(_ element: some LuaPushable) throws(LuaError) {
    try stack.checkStop()
    try element.push(to: stack)
    count += 1
    lua_rawseti(stack.pointer, table, count)
  }
}

extension LuaStack {
  /// Pushes a new table.
  ///
  /// - Parameters:
  ///   - elementCount: how many elements to make room for.
  ///   - fieldCount: how many fields to make room for.
  ///   - fill: sets and appends what is in it. It leaves the stack as it is.
  /// - Throws: what `fill` throws; then nothing is pushed.
  public func pushTable(
    elementCount: Int = 0, fieldCount: Int = 0,
    _ fill: (inout LuaTableFiller) throws(LuaError) -> Void
  ) throws(LuaError) {
    try reserve(4)
    let bottom = count
    lua_createtable(pointer, Int32(clamping: elementCount), Int32(clamping: fieldCount))
    var filler = LuaTableFiller(self, table: bottom + 1)
    do throws(LuaError) {
      try fill(&filler)
    } catch {
      lua_settop(pointer, bottom)
      throw error
    }
  }
}
