internal import CLua

/// A table with named fields, in order, for Lua; it may have a sequence of elements beside them.
public struct LuaRecord: LuaPushable, ExpressibleByDictionaryLiteral {
  private let fields: [(name: String, value: any LuaPushable)]
  private let elements: [any LuaPushable]

  /// Makes a record of its fields; a later field replaces an earlier one of the same name.
  ///
  /// The elements are at 1, 2 and so on.
  public init(
    _ fields: [(name: String, value: any LuaPushable)], elements: [any LuaPushable] = []
  ) {
    self.fields = fields
    self.elements = elements
  }

  /// Makes a record of a literal's fields.
  public init(dictionaryLiteral elements: (String, any LuaPushable)...) {
    self.init(elements.map { (name: $0.0, value: $0.1) })
  }

  /// Makes a record of fields in their order.
  public init(_ fields: KeyValuePairs<String, any LuaPushable>) {
    self.init(fields.map { (name: $0.key, value: $0.value) })
  }

  /// "table".
  public static var luaTypeName: String { "table" }

  /// Pushes a new table with the fields and elements.
  public func push(to stack: LuaStack) throws(LuaError) {
    try stack.pushTable(elementCount: elements.count, fieldCount: fields.count) {
      table throws(LuaError) in
      for element in elements { try table.append(element) }
      for field in fields { try table.set(field.name, to: field.value) }
    }
  }
}

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
  public func set(_ name: String, to value: some LuaPushable) throws(LuaError) {
    stack.push(name)
    try value.push(to: stack)
    lua_rawset(stack.pointer, table)
  }

  /// Sets the value of a key, which isn't nil; the key is pushed before the value.
  package func set(key: some LuaPushable, to value: some LuaPushable) throws(LuaError) {
    try key.push(to: stack)
    try value.push(to: stack)
    lua_rawset(stack.pointer, table)
  }

  /// Sets the table's metatable.
  ///
  /// - Throws: `foreign_value` for one of another state.
  package func setMetatable(_ metatable: LuaTable) throws(LuaError) {
    try metatable.push(to: stack)
    lua_setmetatable(stack.pointer, table)
  }

  /// Gives the table an empty metatable that code of the host knows by its name.
  package func mark(_ name: String) {
    if luaL_newmetatable(stack.pointer, name) != 0 {
      // Scripts see a table like any other.
      lua_pushnil(stack.pointer)
      lua_setfield(stack.pointer, -2, "__name")
    }
    lua_setmetatable(stack.pointer, table)
  }

  /// Appends an element.
  ///
  /// - Throws: What pushing the element throws; `interrupted`, `time_limit` or `instruction_limit` if the code is to
  ///   stop; `out_of_memory` if there is no room within the memory limit.
  public mutating func append(_ element: some LuaPushable) throws(LuaError) {
    try stack.checkRoom(for: LuaStack.elementSize)
    try element.push(to: stack)
    count += 1
    lua_rawseti(stack.pointer, table, count)
  }
}

extension LuaStack {
  /// Pushes a new table.
  ///
  /// - Throws: What `fill` throws; then nothing is pushed.
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
