extension Optional: LuaReadable where Wrapped: LuaReadable {
  /// Reads nil or no value as `nil`; anything else must be of the type.
  @inlinable
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    stack.isNoneOrNil(at: index) ? nil : try Wrapped.read(from: stack, at: index)
  }

  /// The wrapped type with a question mark.
  public static var luaTypeName: String { Wrapped.luaTypeName + "?" }
}

extension Optional: LuaPushable where Wrapped: LuaPushable {
  /// Pushes the value, or nil.
  @inlinable
  public func push(to stack: LuaStack) throws(LuaError) {
    switch self {
    case .none: stack.pushNil()
    case .some(let value): try value.push(to: stack)
    }
  }

  /// The wrapped type with a question mark.
  public static var luaTypeName: String { Wrapped.luaTypeName + "?" }
}
