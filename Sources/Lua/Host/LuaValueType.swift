/// The type of a value that scripts give or get, as signatures, completion and editors show it.
public enum LuaValueType: Sendable, Equatable {
  /// A type that is known by its name: one of Lua's, such as "integer", or another word.
  case named(String)
  /// One of several texts.
  case oneOf([String])
  /// A value, or nil.
  indirect case optional(LuaValueType)
  /// A table with elements of a type.
  indirect case list(of: LuaValueType)
  /// A table of values by their keys.
  indirect case map(from: LuaValueType, to: LuaValueType)
  /// A value of one of several types, with the name in signatures.
  case union(name: String, [LuaValueType])
  /// An object of a class.
  case object(LuaObjectClass)
  /// A table with known fields; the name is that of its class in editors. Signatures write options, which have none.
  case table(name: String?, fields: [LuaParameter])
  /// A function that is called with some arguments.
  case function([LuaParameter])
  /// Any number of values.
  case variadic

  /// A type that signatures leave out.
  package static let unknown = LuaValueType.named("")

  /// The name in signatures: "integer", "string?", "integer[]".
  public var name: String {
    switch self {
    case .named(let name), .union(let name, _): name
    case .oneOf(let texts): texts.map(Self.quoted).joined(separator: "|")
    case .optional(let wrapped): wrapped.name + "?"
    case .list(let element):
      if case .oneOf = element.required { "(\(element.name))[]" } else { "\(element.name)[]" }
    case .map(let key, let value): "table<\(key.name), \(value.name)>"
    case .object(let objectClass): objectClass.name
    case .table(nil, let fields): "{\(fields.map(\.fieldText).joined(separator: ", "))}"
    case .table: LuaTable.luaTypeName
    case .function: LuaFunction.luaTypeName
    case .variadic: "any..."
    }
  }

  /// The wrapped type of an optional; any other type as it is.
  package var required: LuaValueType {
    if case .optional(let wrapped) = self { wrapped.required } else { self }
  }

  var orNil: LuaValueType { if case .optional = self { self } else { .optional(self) } }

  package var parts: [LuaValueType] {
    switch self {
    case .named, .oneOf, .object, .variadic: []
    case .optional(let part), .list(let part): [part]
    case .map(let key, let value): [key, value]
    case .union(_, let types): types
    case .table(_, let fields), .function(let fields): fields.map(\.valueType)
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}
