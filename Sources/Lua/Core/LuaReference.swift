internal import CLua

/// A Lua value that has identity, held from Swift: a ``LuaTable``, ``LuaFunction``, ``LuaCoroutine`` or ``LuaUserdata``.
///
/// It stays alive while Swift holds it. It doesn't keep its state alive: after `close`, using it throws
/// `state_closed`. Two are equal when they are the same object in Lua.
public class LuaReference: LuaPushable {
  let core: StateCore
  private let reference: RegistryReference

  /// The object's address in Lua, its own for as long as the reference keeps it alive.
  let identity: UnsafeRawPointer?

  init(popping stack: LuaStack) {
    core = stack.core
    identity = lua_topointer(stack.pointer, -1)
    reference = stack.makeReference()
  }

  convenience init(at index: Int32, of stack: LuaStack) {
    lua_pushvalue(stack.pointer, index)
    self.init(popping: stack)
  }

  convenience init(reading type: LuaType, at index: Int32, of stack: LuaStack)
    throws(LuaTypeMismatch)
  {
    guard stack.type(at: index) == type else {
      throw LuaTypeMismatch(expected: Self.luaTypeName, at: index, of: stack)
    }
    self.init(at: index, of: stack)
  }

  /// Makes another handle on an object.
  init(_ object: LuaReference, held reference: RegistryReference) {
    core = object.core
    identity = object.identity
    self.reference = reference
  }

  /// Pushes the object.
  ///
  /// - Throws: ``LuaError`` (`foreign_value`) if the stack is another state's.
  public func push(to stack: LuaStack) throws(LuaError) {
    try stack.push(reference)
  }

  /// Pushes the object to a stack of its own state.
  @inline(__always)
  final func pushHeld(to stack: LuaStack) throws(LuaError) { try stack.push(held: reference) }

  /// The name of the type in Lua.
  public class var luaTypeName: String { "any" }

  /// The value as a type of Swift: the object of an exposed class, an array, a Codable type.
  ///
  /// ```swift
  /// let numbers = try table.as([Int].self)
  /// ```
  ///
  /// - Throws: ``LuaError`` (`wrong_type`) if it isn't of the type.
  public final func `as`<Value: LuaReadable>(_ type: Value.Type) throws(LuaError) -> Value {
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      return try stack.readTop(as: type)
    }
  }

  /// The metatable, whatever its `__metatable` says; `nil` if there is none.
  public final func metatable() throws(LuaError) -> LuaTable? {
    try withStack { stack throws(LuaError) in
      try push(to: stack)
      stack.describeModule(at: -1)
      guard lua_getmetatable(stack.pointer, -1) != 0 else { return nil }
      return LuaTable(popping: stack)
    }
  }

  final func withStack<Result>(_ body: (LuaStack) throws(LuaError) -> Result) throws(LuaError)
    -> Result
  {
    try core.withStack(body)
  }
}

extension LuaReference: Equatable {
  /// Whether both are the same object in Lua.
  public static func == (left: LuaReference, right: LuaReference) -> Bool {
    left.core === right.core && left.identity == right.identity
  }
}

/// A userdata, held from Swift: a Swift object that scripts see (``LuaExposed``), or an object of a C library, such as a
/// file.
public final class LuaUserdata: LuaReference, LuaReadable {
  /// "userdata".
  public override class var luaTypeName: String { "userdata" }

  /// Reads a userdata.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch)
    -> LuaUserdata
  {
    switch stack.type(at: index) {
    case .userdata, .lightUserdata: return LuaUserdata(at: index, of: stack)
    default: throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack)
    }
  }
}
