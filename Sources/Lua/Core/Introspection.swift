internal import CLua
internal import CLuaTrampolines

// Access for tools, which runs no code of scripts: no metamethods.

extension LuaTable {
  /// Calls a closure with each key that is a string, and the type of its value.
  ///
  /// - Throws: What ``LuaStack/checkStop()`` does.
  /// - Complexity: O(`limit`); nothing is allocated for an entry.
  package func forEachStringKey(
    atMost limit: Int, _ body: (_ key: UnsafeBufferPointer<UInt8>, _ type: LuaType) -> Void
  ) throws(LuaError) {
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      let table = stack.count
      var count = 0
      stack.pushNil()
      while count < limit, lua_next(stack.pointer, table) != 0 {
        try stack.checkStop()
        if let key = stack.bytes(at: table + 1) { body(key, stack.type(at: table + 2) ?? .nil) }
        stack.pop(1)
        count += 1
      }
    }
  }

  /// The name of the module whose table it is; nil for any other table.
  package func moduleName() throws(LuaError) -> String? {
    guard let metatable = try metatable(),
      case .string(let name) = try metatable.rawGet(LuaString(LuaStack.moduleMark))
    else { return nil }
    return name.text
  }
}

/// A value as tools show it: of a long string only the beginning is copied.
package struct LuaExcerpt {
  package let value: LuaValue
  /// The number of bytes of the whole string; 0 for other values.
  package let byteCount: Int

  package init(_ value: LuaValue) {
    self.value = value
    byteCount = if case .string(let text) = value { text.bytes.count } else { 0 }
  }

  fileprivate init(
    at index: Int32, of stack: LuaStack, bytes limit: Int, _ budget: inout LuaReadBudget
  ) {
    guard let bytes = stack.bytes(at: index) else {
      (value, byteCount) = (stack.value(at: index), 0)
      return
    }
    let limit = Swift.min(limit, budget.bytes)
    budget.bytes -= Swift.min(limit, bytes.count)
    value = .string(LuaString(bytes: Array(bytes.prefix(limit))))
    byteCount = bytes.count
  }
}

/// The remaining amount that tools may read of values, whose strings may be long and shared by many tables.
package struct LuaReadBudget {
  /// The number of entries of tables to visit.
  package var visits: Int
  package var bytes: Int

  package init(visits: Int, bytes: Int) { (self.visits, self.bytes) = (visits, bytes) }
}

/// The entries of a table besides its sequence.
package struct LuaFieldExcerpts {
  package var fields: [(key: LuaExcerpt, value: LuaExcerpt)] = []
  /// The number of all fields, or of those found before too many entries were visited.
  package var count = 0
  package var isCounted = true
}

extension LuaTable {
  /// The element at a position, counted from 1, with at most some bytes of a string.
  package func excerpt(
    at position: Int, bytes limit: Int, budget: inout LuaReadBudget
  ) throws(LuaError) -> LuaExcerpt {
    var left = budget
    defer { budget = left }
    return try withStack { stack throws(LuaError) in
      try push(to: stack)
      lua_rawgeti(stack.pointer, -1, lua_Integer(position))
      return LuaExcerpt(at: stack.count, of: stack, bytes: limit, &left)
    }
  }

  /// The first fields of the table, as Lua's `next` returns them.
  ///
  /// Elements of the sequence up to a length are left out, and the budget is reduced by what was read.
  ///
  /// - Throws: What ``LuaStack/checkStop()`` does.
  package func fields(
    after length: Int, atMost limit: Int, bytes: Int, budget: inout LuaReadBudget
  ) throws(LuaError) -> LuaFieldExcerpts {
    var result = LuaFieldExcerpts()
    var left = budget
    defer { budget = left }
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      let table = stack.count
      stack.pushNil()
      while lua_next(stack.pointer, table) != 0 {
        try stack.checkStop()
        guard left.visits > 0 else {
          result.isCounted = false
          return
        }
        left.visits -= 1
        if !isElement(at: table + 1, of: stack, in: length) {
          result.count += 1
          if result.fields.count < limit {
            result.fields.append(
              (
                LuaExcerpt(at: table + 1, of: stack, bytes: bytes, &left),
                LuaExcerpt(at: table + 2, of: stack, bytes: bytes, &left)
              ))
          }
        }
        stack.pop(1)
      }
    }
    return result
  }

  private func isElement(at index: Int32, of stack: LuaStack, in length: Int) -> Bool {
    guard lua_isinteger(stack.pointer, index) != 0 else { return false }
    let position = lua_tointegerx(stack.pointer, index, nil)
    return position >= 1 && position <= length
  }
}

extension LuaReference {
  /// The Swift object that scripts hold; nil for other values, and for one that was released.
  package final func hostObject() throws(LuaError) -> AnyObject? {
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      return stack.object(of: AnyObject.self, at: stack.count)
    }
  }

  /// The object's address in Lua, as `tostring` writes it: "0x55d0c8e0".
  package final var address: String {
    identity.map { "0x" + String(UInt(bitPattern: $0), radix: 16) } ?? "0x0"
  }
}

extension LuaReference: Hashable {
  /// Hashes what makes the object the same as another handle's.
  public final func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

extension LuaFunction {
  package enum Origin: Equatable, Sendable {
    /// A function in C: of a library of Lua, or of the host.
    case native
    case lua(LuaFunctionDefinition)
  }

  package func origin() throws(LuaError) -> Origin {
    try withStack { stack throws(LuaError) in
      var info = lua_Debug()
      try push(to: stack)
      // ">" pops the function.
      guard lua_getinfo(stack.pointer, ">Su", &info) != 0, let source = info.source,
        info.what.pointee != CChar(UInt8(ascii: "C"))
      else { return .native }
      try push(to: stack)
      let parameters = (0..<Int32(info.nparams)).map { index in
        lua_getlocal(stack.pointer, nil, index + 1).map { String(cString: $0) } ?? "?"
      }
      let name = UnsafeRawBufferPointer(start: source, count: info.srclen)
      return .lua(
        LuaFunctionDefinition(
          chunkName: String(escapingInvalid: name), firstLine: Int(info.linedefined),
          lastLine: Int(info.lastlinedefined), parameters: parameters,
          isVariadic: info.isvararg != 0))
    }
  }
}

package struct LuaFunctionDefinition: Equatable, Sendable {
  /// The name of its chunk as `debug.getinfo` gives it: a file's begins with "@", a text's name with "=".
  package let chunkName: String
  /// 0 for the chunk itself.
  package let firstLine: Int
  package let lastLine: Int
  package let parameters: [String]
  package let isVariadic: Bool
}

extension LuaState {
  /// Does something with a time limit for each function that it calls; a shorter limit of the state stays in force.
  package func limitingTime<Result>(
    to time: Duration, _ body: () throws(LuaError) -> Result
  ) throws(LuaError) -> Result {
    let limit = core.limits.time
    defer { core.limits.time = limit }
    core.limits.time = limit.map { Swift.min($0, time) } ?? time
    return try body()
  }
}
