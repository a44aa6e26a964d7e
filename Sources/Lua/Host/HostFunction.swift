internal import CLua
internal import CLuaTrampolines

/// A Swift function that Lua can call: the object in a trampoline's box.
@usableFromInline
final class HostFunction {
  /// Reads its arguments from the stack and returns the number of results it pushed on top, or `CLUA_WAIT`.
  private let body: (LuaStack) throws -> Int32

  @usableFromInline
  init(_ body: @escaping (LuaStack) throws -> Int32) { self.body = body }

  @inlinable
  convenience init<each Argument: LuaReadable, each Value: LuaPushable>(
    _ description: FunctionDescription, from first: Int32 = 1,
    _ body: @escaping (repeat each Argument) throws -> (repeat each Value)
  ) {
    let takesNothing = first == 1 && FunctionDescription.isEmpty(repeat (each Argument).self)
    self.init { stack in
      if takesNothing { try description.refuseModule(stack) }
      var reader = ArgumentReader(stack, from: first)
      let values = try body(repeat try reader.next((each Argument).self, of: description))
      return try stack.pushResults(repeat each values)
    }
  }

  @inlinable
  convenience init<each Argument: LuaReadable, each Value: LuaPushable>(
    waiting description: FunctionDescription,
    _ body: @escaping (repeat each Argument) throws -> () async throws -> (repeat each Value)
  ) {
    let takesNothing = FunctionDescription.isEmpty(repeat (each Argument).self)
    self.init { stack in
      if takesNothing { try description.refuseModule(stack) }
      var reader = ArgumentReader(stack)
      let operation = try body(repeat try reader.next((each Argument).self, of: description))
      return try stack.wait(in: description) { wait in
        let values = try await operation()
        if let stack = wait.stackAtOnce { return try stack.pushResults(repeat each values) }
        return try await wait.stackForResults().pushResults(repeat each values)
      }
    }
  }

  func call(_ stack: LuaStack) throws -> Int32 { try body(stack) }

  func pushFunction(to stack: LuaStack) {
    pushBox(to: stack)
    lua_pushcclosure(stack.pointer, clua_function, 1)
  }

  /// Pushes the box alone, for the tables of `clua_index` and `clua_newindex`.
  func pushBox(to stack: LuaStack) {
    stack.pushBox(self) { pointer, object in
      Unmanaged<HostFunction>.fromOpaque(object)._withUnsafeGuaranteedRef { function in
        let stack = LuaStack(pointer)
        do {
          return try function.body(stack)
        } catch {
          return stack.raise(error)
        }
      }
    }
    stack.setFunctionMetatable()
  }
}

extension LuaStack {
  /// Sets the metatable of a function's box, which is on top: it releases the object.
  func setFunctionMetatable() {
    if luaL_newmetatable(pointer, "host function") != 0 {
      lua_pushcclosure(pointer, clua_collect, 0)
      lua_setfield(pointer, -2, "__gc")
    }
    lua_setmetatable(pointer, -2)
  }
}

/// Reads a host function's arguments in order, and says which one was wrong.
///
/// It doesn't hold the function's description, which each call would have to retain.
@usableFromInline
struct ArgumentReader {
  @usableFromInline let stack: LuaStack
  @usableFromInline var index: Int32

  @inlinable @inline(__always)
  init(_ stack: LuaStack, from first: Int32 = 1) {
    self.stack = stack
    index = first - 1
  }

  @inlinable @inline(__always)
  mutating func next<Argument: LuaReadable>(
    _ type: Argument.Type, of function: FunctionDescription
  ) throws(LuaError) -> Argument {
    index += 1
    do {
      return try Argument.read(from: stack, at: index)
    } catch {
      throw function.badArgument(at: index, error, stack)
    }
  }
}

/// A host function's name and calling form, for messages.
@usableFromInline
final class FunctionDescription: Sendable {
  /// The value that Lua passes to a function before its arguments.
  @usableFromInline
  enum Kind: Sendable {
    /// Nothing.
    case function
    /// The object that it is called on with a colon.
    case method
    /// The value that is called as if it were a function.
    case metamethod
  }

  /// The name as scripts write it: "counter.increment", "task:await".
  let name: String

  let parameters: [LuaParameter]
  private let kind: Kind

  @usableFromInline
  init(name: String, parameters: [LuaParameter], kind: Kind) {
    self.name = name
    self.parameters = parameters
    self.kind = kind
  }

  @inlinable
  static func isEmpty<each Argument>(_ arguments: repeat (each Argument).Type) -> Bool {
    for _ in repeat each arguments { return false }
    return true
  }

  /// Throws if a function without parameters is called with a colon; others detect that when they read their
  /// arguments.
  @inlinable @inline(__always)
  func refuseModule(_ stack: LuaStack) throws(LuaError) {
    if stack.count > 0 { try refuseModuleAmongArguments(stack) }
  }

  @usableFromInline
  func refuseModuleAmongArguments(_ stack: LuaStack) throws(LuaError) {
    guard stack.isModule(at: 1) else { return }
    throw badArgument(at: 1, LuaTypeMismatch(expected: "nothing", at: 1, of: stack), stack)
  }

  /// The error for an argument of the wrong type, at an index that counts what Lua passes before the arguments.
  @usableFromInline
  func badArgument(at index: Int32, _ mismatch: LuaTypeMismatch, _ stack: LuaStack) -> LuaError {
    let position = kind == .function ? Int(index) : Int(index) - 1
    guard position > 0 else {
      let plain = name.replacing(":", with: ".")
      let advice = kind == .method ? "; call it with a colon, not \(plain)(...)" : ""
      return LuaError(.badArgument, "bad object for '\(name)' (\(mismatch))\(advice)")
    }
    let parameter = position <= parameters.count ? parameters[position - 1].name : ""
    if let error = mismatch.unknownFieldError(of: parameter) { return error }
    let place = parameter.isEmpty ? "" : "\(parameter): "
    var message = "bad argument #\(position) to '\(name)' (\(place)\(mismatch))"
    if kind == .function, index == 1, stack.isModule(at: 1) {
      message += "; call it with a dot, not a colon: \(name)(...)"
    }
    return LuaError(.badArgument, message)
  }
}

extension LuaStack {
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
}

extension LuaState {
  /// Makes a Lua function of a closure, without a module.
  ///
  /// ```swift
  /// let double = state.function("double") { (n: Int) in 2.0 * Double(n) }
  /// try table.set("double", to: double)
  /// ```
  ///
  /// Lua holds the closure as long as it holds the function.
  @inlinable
  public func function<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String, body: @escaping (repeat each Argument) throws -> (repeat each Value)
  ) throws(LuaError) -> LuaFunction {
    let description = FunctionDescription(name: name, parameters: [], kind: .function)
    return try makeFunction(HostFunction(description, body))
  }

  /// Makes a Lua function that waits: it suspends the calling coroutine, and other tasks continue.
  ///
  /// - Warning: Write the async closure without a capture list (see ``LuaModule/asyncFunction(_:_:help:example:body:)``).
  @inlinable
  public func asyncFunction<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String,
    body: @escaping (repeat each Argument) throws -> () async throws -> (repeat each Value)
  ) throws(LuaError) -> LuaFunction {
    let description = FunctionDescription(name: name, parameters: [], kind: .function)
    return try makeFunction(HostFunction(waiting: description, body))
  }

  /// Makes a Lua function whose parameters are known only at run time.
  ///
  /// Messages call it by its name, such as "cart.add"; the body returns the number of results that it pushed.
  ///
  /// - Throws: `out_of_memory`.
  package func function(
    _ name: String, _ documentation: LuaMember, body: @escaping (LuaArguments) throws -> Int32
  ) throws(LuaError) -> LuaFunction {
    try makeFunction(HostFunction(documentation.description(as: name), body: body))
  }

  @usableFromInline
  func makeFunction(_ function: HostFunction) throws(LuaError) -> LuaFunction {
    try core.withStack { stack in
      function.pushFunction(to: stack)
      return LuaFunction(popping: stack)
    }
  }
}
