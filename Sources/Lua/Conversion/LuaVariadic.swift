internal import CLua

/// Any number of values: as the last parameter, all further arguments; as a result, all of a function's results; as an
/// argument of ``LuaFunction/call(_:)``, that many arguments.
public struct LuaVariadic: LuaReadable, LuaPushable {
  /// The values, in order.
  public let values: [LuaValue]

  /// Makes a list of values.
  public init(_ values: [LuaValue]) { self.values = values }

  /// "any...".
  public static var luaTypeName: String { "any..." }

  /// Reads the value at the index and all that follow.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    LuaVariadic(stack.values(above: index - 1))
  }

  /// Pushes the first value only, where just one has a place.
  public func push(to stack: LuaStack) throws(LuaError) {
    try (values.first ?? .nil).push(to: stack)
  }

  /// Pushes all values.
  public func pushResults(to stack: LuaStack) throws(LuaError) -> Int32 {
    // The results of a function that follow it need room too.
    try stack.reserve(Int32(clamping: values.count + Int(LUA_MINSTACK)))
    for value in values { try value.push(to: stack) }
    return Int32(values.count)
  }
}
