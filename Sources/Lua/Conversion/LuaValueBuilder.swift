internal import CLua

/// Builds a value from the parts of a text in their order, without a copy of it in Swift.
///
/// The open tables lie on the stack, each with the key of its next field above it. Every part looks whether the code is to
/// stop, and whether there is room for it within the memory limit.
package struct LuaValueBuilder {
  private struct OpenTable {
    var count: lua_Integer = 0
    let isSequence: Bool
  }

  private let stack: LuaStack
  private var tables: [OpenTable] = []

  fileprivate init(_ stack: LuaStack) { self.stack = stack }

  // MARK: - Parts

  /// Begins a table, which takes elements or fields until it ends; its metatable must have no finalizer.
  ///
  /// - Throws: `out_of_memory` where tables are nested too deeply; `foreign_value` for a metatable of another state.
  package mutating func beginTable(isSequence: Bool, metatable: LuaTable? = nil) throws(LuaError) {
    try stack.reserve(4)
    lua_createtable(stack.pointer, 0, 0)
    if let metatable {
      try metatable.push(to: stack)
      lua_setmetatable(stack.pointer, -2)
    }
    tables.append(OpenTable(isSequence: isSequence))
  }

  package mutating func endTable() throws(LuaError) {
    tables.removeLast()
    try addTop()
  }

  package mutating func setName(_ name: UnsafeBufferPointer<UInt8>) throws(LuaError) {
    try push(name)
  }

  package mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) throws(LuaError) {
    try push(bytes)
    try addTop()
  }

  package mutating func add(_ value: some LuaPushable) throws(LuaError) {
    try value.push(to: stack)
    try addTop()
  }

  // MARK: - The stack

  /// Room for strings up to this number of bytes isn't asked for.
  private static let smallSize = 0x10000

  private func push(_ bytes: UnsafeBufferPointer<UInt8>) throws(LuaError) {
    if bytes.count > Self.smallSize { try stack.checkRoom(for: bytes.count) }
    stack.push(bytes: bytes)
  }

  /// Moves the value on top to the open table below it; one outside of all tables stays.
  private mutating func addTop() throws(LuaError) {
    guard let last = tables.indices.last else { return try stack.checkStop() }
    let count = tables[last].count + 1
    tables[last].count = count
    // A full table doubles its size.
    let isFull = count.nonzeroBitCount == 1
    try stack.checkRoom(for: (isFull ? 2 * Int(count) : 1) * LuaStack.elementSize)
    if tables[last].isSequence {
      lua_rawseti(stack.pointer, -2, count)
    } else {
      lua_rawset(stack.pointer, -3)
    }
  }
}

extension LuaState {
  /// Builds a value part by part: the closure adds one value, a scalar or a table with all that is in it.
  ///
  /// - Throws: What `build` throws; `state_closed`.
  package func makeValue(_ build: (inout LuaValueBuilder) throws -> Void) throws -> LuaValue {
    let stack = try core.currentStack()
    let top = stack.count
    core.beginUse()
    defer {
      lua_settop(stack.pointer, top)
      core.endUse()
    }
    try stack.reserve(4)
    var builder = LuaValueBuilder(stack)
    try build(&builder)
    return stack.value(at: top + 1)
  }
}
