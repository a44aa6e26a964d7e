/// A host function's parameter, as documentation shows it.
public struct LuaParameter: Sendable, Equatable {
  /// The name.
  public let name: String

  /// The type that scripts have to give; one that ends in "?" may be left out.
  public let type: String

  /// Whether it may be left out.
  public var isOptional: Bool { type.hasSuffix("?") }
}
