/// A Swift struct or enum whose values Lua can hold and use as objects.
///
/// Lua gets a copy, in a ``LuaBox`` of its own: each push makes a new userdata, scripts change that one's value only, and
/// Swift gets a copy of it.
///
/// ```swift
/// struct Vector: LuaExposedValue {
///   var x, y: Double
///
///   static let luaTypeName = "vector"
///
///   static func describe(_ members: LuaClass<LuaBox<Vector>>) {
///     members.property("x", \.value.x, help: "The abscissa.", example: "v.x = 1")
///     members.operator(.add) { (left: Vector, right: Vector) in
///       Vector(x: left.x + right.x, y: left.y + right.y)
///     }
///   }
/// }
/// ```
public protocol LuaExposedValue: LuaReadable, LuaPushable {
  /// Adds the members that scripts see.
  ///
  /// Called once for each state, and for each reading of `LuaBox.luaMembers`.
  static func describe(_ members: LuaClass<LuaBox<Self>>)

  /// Adds the functions and properties of the type itself, to a module made for it.
  static func describeStatics(_ module: LuaModule)
}

extension LuaExposedValue {
  /// Adds nothing.
  public static func describeStatics(_ module: LuaModule) {}

  /// Reads a copy of the value of a box.
  @inlinable
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    try LuaBox<Self>.read(from: stack, at: index).value
  }

  /// Pushes a new userdata with a copy of the value.
  public func push(to stack: LuaStack) throws(LuaError) { try LuaBox(self).push(to: stack) }
}
