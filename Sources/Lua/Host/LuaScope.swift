internal import CLua
internal import CLuaTrampolines

/// Swift objects that scripts reach together, and the Lua functions that Swift calls on their behalf.
///
/// A Swift object that Lua holds, and that holds a Lua function which refers to it, is never freed: neither Lua nor
/// Swift sees the whole cycle. So Lua holds the functions of a scope for its objects, as long as a script can reach
/// any of these objects.
///
/// ```swift
/// let scope = try LuaScope(in: state)
/// module.function("subscribe", "fn", help: "Calls fn after each change.", example: "model.subscribe(print)") {
///   (function: LuaFunction) in
///   model.observers.append(try scope.adopt(function))
/// }
/// return scope.owning(module)
/// ```
///
/// Values wrapped by ``owning(_:)`` belong to the scope, and so do the objects that their functions and methods return.
public final class LuaScope {
  private let core: StateCore
  private let number: Int32

  /// Keeps the scope alive; nil for one that lives as long as its objects.
  private let permanence: RegistryReference?

  /// Makes a scope without objects.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - isPermanent: Whether the functions live as long as this scope, even if no script reaches an object: for
  ///     functions that Swift itself uses, too.
  /// - Throws: `state_closed`.
  public init(in state: LuaState, isPermanent: Bool = false) throws(LuaError) {
    core = state.core
    (number, permanence) = try core.withStack { stack in
      let number = clua_push_new_scope(stack.pointer, !isPermanent)
      return (number, isPermanent ? stack.makeReference() : nil)
    }
  }

  /// A value as part of the scope: the Swift objects that it is or contains belong to the scope once it is pushed.
  public func owning<Value: LuaPushable>(_ value: Value) -> OwnedValue<Value> {
    OwnedValue(value: value, scope: self)
  }

  fileprivate func push(_ value: some LuaPushable, to stack: LuaStack) throws(LuaError) {
    guard permanence == nil else { return try value.push(to: stack) }
    // The scope is on the stack meanwhile, since nothing else keeps it alive yet.
    try stack.reserve(5)
    let bottom = stack.count
    let isThere = clua_push_scope(stack.pointer, number)
    do throws(LuaError) {
      try stack.inScope(number) { () throws(LuaError) in try value.push(to: stack) }
    } catch {
      lua_settop(stack.pointer, bottom)
      throw error
    }
    // The value is above the scope.
    if isThere {
      lua_rotate(stack.pointer, -2, 1)
      stack.pop(1)
    }
  }

  /// Transfers a function to the scope.
  ///
  /// Nothing else in Swift should hold it.
  ///
  /// - Returns: A handle on it, which throws `scope_collected` once it is gone.
  /// - Throws: `scope_collected` if no object of the scope is left, `foreign_value` for a function of another state.
  public func adopt(_ function: LuaFunction) throws(LuaError) -> LuaFunction {
    try core.withStack { stack throws(LuaError) in
      guard clua_push_scope(stack.pointer, number) else {
        throw LuaError(.scopeCollected, "the objects of the scope were collected")
      }
      try function.push(to: stack)
      let key = luaL_ref(stack.pointer, -2)
      return LuaFunction(
        function, held: RegistryReference(key: key, scope: number, released: core.released))
    }
  }
}

/// A value that belongs to a ``LuaScope`` once it is pushed.
public struct OwnedValue<Value: LuaPushable>: LuaPushable {
  fileprivate let value: Value
  fileprivate let scope: LuaScope

  /// The type of the value.
  public static var luaTypeName: String { Value.luaTypeName }

  /// The type of the value.
  public static var luaType: LuaValueType { Value.luaType }

  /// Pushes the value.
  public func push(to stack: LuaStack) throws(LuaError) { try scope.push(value, to: stack) }
}

extension LuaStack {
  /// Assigns all objects that `push` pushes to the scope with a number, or to none.
  func inScope<Failure: Error>(_ number: Int32, push: () throws(Failure) -> Void) throws(Failure) {
    let context = clua_get_context(pointer)
    let outer = clua_set_pushed_scope(context, number)
    defer { clua_set_pushed_scope(context, outer) }
    try push()
  }
}
