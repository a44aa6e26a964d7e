/// The place of a struct's or enum's value that Lua holds.
///
/// A function that takes the box, not the value, can change it.
public final class LuaBox<Value: LuaExposedValue>: LuaExposed {
  /// The value.
  public var value: Value

  /// Makes a place with a value.
  public init(_ value: Value) { self.value = value }

  /// The value's type.
  public static var luaTypeName: String { Value.luaTypeName }

  /// Adds the members of the value.
  public static func describe(_ members: LuaClass<LuaBox<Value>>) { Value.describe(members) }

  /// Adds the functions and properties of the value's type.
  public static func describeStatics(_ module: LuaModule) { Value.describeStatics(module) }
}
