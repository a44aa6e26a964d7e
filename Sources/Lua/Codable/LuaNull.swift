/// The value that stands for "nothing" where Lua has no place for nil: inside a sequence.
///
/// Each state has one, a userdata that prints as "null", so scripts compare with `==`. Unlike nil it is true in
/// conditions. ``LuaEncoder`` writes it for a `nil` inside an array; ``LuaDecoder`` reads it as `nil` anywhere.
public final class LuaNull: LuaExposed, Sendable {
  /// The one value.
  public static let null = LuaNull()

  private init() {}

  /// "null".
  public static var luaTypeName: String { "null" }

  /// Adds what scripts see of it: its text.
  public static func describe(_ members: LuaClass<LuaNull>) {
    members.text { _ in luaTypeName }
    members.dynamicFields { _, name in
      throw LuaError(.unknownField, "null has no fields (field '\(name)')")
    }
  }
}

extension LuaStack {
  /// Whether the value at an index is nil, ``LuaNull`` or not there.
  func isNilOrNull(at index: Int32) -> Bool {
    switch type(at: index) {
    case nil, .nil: true
    case .userdata: object(of: LuaNull.self, at: index) != nil
    default: false
    }
  }
}
