internal import CLua
internal import CLuaTrampolines

/// A Lua function, held from Swift.
public final class LuaFunction: LuaReference, LuaReadable {
  /// "function".
  public override class var luaTypeName: String { "function" }

  /// Reads a function.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch)
    -> LuaFunction
  {
    try LuaFunction(reading: .function, at: index, of: stack)
  }

  // MARK: - Calls

  /// Calls the function and returns all its results.
  ///
  /// Functions that wait can't be called in it: they raise `cannot_wait`. A ``LuaVariadic`` passes all its values.
  ///
  /// - Throws: ``LuaError`` for what the function raised.
  @inlinable
  @discardableResult
  public func call<each Argument: LuaPushable>(
    _ arguments: repeat each Argument
  ) throws(LuaError) -> [LuaValue] {
    var call = try begin()
    defer { end(call) }
    repeat try call.push(each arguments)
    return try run(call)
  }

  /// Calls the function with an array of arguments, like ``call(_:)``.
  ///
  /// - Throws: ``LuaError`` for what the function raised.
  @discardableResult
  public func call(with arguments: [any LuaPushable]) throws(LuaError) -> [LuaValue] {
    var call = try begin()
    defer { end(call) }
    for argument in arguments { try call.push(argument) }
    return try run(call)
  }

  /// Calls the function and returns its first result as a type of Swift.
  ///
  /// ```swift
  /// let answer = try multiply.call(6, 7, as: Int.self)
  /// ```
  ///
  /// - Throws: ``LuaError`` for what the function raised, and `wrong_type` if the result isn't of the type.
  @inlinable
  public func call<each Argument: LuaPushable, Value: LuaReadable>(
    _ arguments: repeat each Argument, as type: Value.Type
  ) throws(LuaError) -> Value {
    var call = try begin()
    defer { end(call) }
    repeat try call.push(each arguments)
    try run(call, resultCount: type is LuaVariadic.Type ? FunctionCall.anyCount : 1)
    do {
      return try Value.read(from: call.stack, at: call.firstResult)
    } catch {
      throw LuaError(.wrongType, "result: \(error)")
    }
  }

  /// Calls the function and returns its first results as types of Swift.
  ///
  /// ```swift
  /// let (start, end) = try find.call("text", "x", as: (Int, Int).self)
  /// ```
  ///
  /// With `Void.self` it drops the results. A ``LuaVariadic`` as the last type takes all that are left.
  ///
  /// - Throws: ``LuaError`` for what the function raised, and `wrong_type` if a result isn't of its type.
  @inlinable
  public func call<each Argument: LuaPushable, each Value: LuaReadable>(
    _ arguments: repeat each Argument, as types: (repeat each Value).Type
  ) throws(LuaError) -> (repeat each Value) {
    var call = try begin()
    defer { end(call) }
    repeat try call.push(each arguments)
    var count: Int32 = 0
    var isVariadic = false
    for type in repeat (each Value).self {
      count += 1
      isVariadic = type is LuaVariadic.Type
    }
    try run(call, resultCount: isVariadic ? FunctionCall.anyCount : count)
    var reader = ResultReader(call)
    return (repeat try reader.next((each Value).self))
  }

  /// Pushes the message handler and the function, with room for arguments above.
  @usableFromInline
  func begin() throws(LuaError) -> FunctionCall {
    let stack = try core.currentStack()
    let bottom = stack.count
    try stack.reserve(2 * LUA_MINSTACK)
    lua_pushcclosure(stack.pointer, clua_keep_traceback, 0)
    do {
      try pushHeld(to: stack)
    } catch {
      stack.pop(1)
      throw error
    }
    core.beginUse()
    return FunctionCall(on: stack, above: bottom)
  }

  /// Calls what was pushed, and replaces it by its results.
  @usableFromInline
  func run(_ call: FunctionCall, resultCount: Int32) throws(LuaError) {
    if resultCount > LUA_MINSTACK { try call.stack.reserve(resultCount + LUA_MINSTACK) }
    try call.stack.callHandled(
      argumentCount: call.argumentCount, resultCount: resultCount, in: core)
    // Any number of results may have used up the room to read them.
    if resultCount == LUA_MULTRET { try call.stack.reserveForResult() }
  }

  @usableFromInline
  func run(_ call: FunctionCall) throws(LuaError) -> [LuaValue] {
    try run(call, resultCount: LUA_MULTRET)
    return call.stack.values(above: call.firstResult - 1)
  }

  /// Puts the stack back as it was, and closes the state if that was asked for meanwhile.
  @usableFromInline
  func end(_ call: FunctionCall) {
    lua_settop(call.stack.pointer, call.bottom)
    core.endUse()
  }

  /// The function's code in binary form, without the values of its upvalues.
  ///
  /// - Throws: `wrong_type` for a function that isn't written in Lua.
  package func bytecode(isStripped: Bool = false) throws(LuaError) -> [UInt8] {
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      var bytes: [UInt8] = []
      let status = withUnsafeMutablePointer(to: &bytes) { bytes in
        lua_dump(
          stack.pointer,
          { _, piece, count, bytes in
            let piece = UnsafeBufferPointer(
              start: piece?.assumingMemoryBound(to: UInt8.self), count: count)
            bytes?.assumingMemoryBound(to: [UInt8].self).pointee.append(contentsOf: piece)
            return 0
          }, bytes, isStripped ? 1 : 0)
      }
      guard status == 0 else {
        throw LuaError(.wrongType, "only a function written in Lua has bytecode")
      }
      return bytes
    }
  }
}

/// A call that is being prepared on the stack: the message handler, the function and the arguments so far.
@usableFromInline
struct FunctionCall {
  @usableFromInline let stack: LuaStack

  /// The number of values below.
  fileprivate let bottom: Int32
  @usableFromInline private(set) var argumentCount: Int32 = 0

  init(on stack: LuaStack, above bottom: Int32) {
    self.stack = stack
    self.bottom = bottom
  }

  /// In place of the number of results: all that there are.
  @usableFromInline static var anyCount: Int32 { LUA_MULTRET }

  /// The index of the first result, above the message handler.
  @usableFromInline var firstResult: Int32 { bottom + 2 }

  @inlinable @inline(__always)
  mutating func push(_ argument: some LuaPushable) throws(LuaError) {
    // There is room for the first ones, and a variadic argument leaves as much.
    if argumentCount >= LuaStack.freeResults { try stack.reserveForResult() }
    let count = try argument.pushResults(to: stack)
    argumentCount += count
  }
}

/// Reads the results of a call in order, and says which one was wrong.
@usableFromInline
struct ResultReader {
  @usableFromInline let call: FunctionCall
  @usableFromInline var count: Int32 = 0

  @inlinable
  init(_ call: FunctionCall) { self.call = call }

  @inlinable @inline(__always)
  mutating func next<Value: LuaReadable>(_ type: Value.Type) throws(LuaError) -> Value {
    count += 1
    do {
      return try Value.read(from: call.stack, at: call.firstResult + count - 1)
    } catch {
      throw LuaError(.wrongType, "result #\(count): \(error)")
    }
  }
}

extension LuaStack {
  /// The number of results that have room without a check: fewer than the `LUA_MINSTACK` slots that Lua gives every
  /// function, so each can still contain others.
  @inlinable static var freeResults: Int { 8 }

  @usableFromInline
  func reserveForResult() throws(LuaError) { try reserve(LUA_MINSTACK) }
}
