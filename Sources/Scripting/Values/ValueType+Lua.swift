import Lua
import StateStore

extension ValueType {
  /// The type of the values for documentation and completion.
  ///
  /// - Parameter path: The path of the value, which names the class of records that have no name of their own.
  /// - Returns: The type; of a value that may be missing, that of one that is there.
  func luaType(at path: String) -> LuaValueType {
    switch self {
    case .optional(let wrapped): wrapped.luaType(at: path)
    case .list(let element), .set(let element): .list(of: element.luaType(at: path))
    case .record(let record):
      .table(
        name: record.name ?? path,
        fields: record.parts.map { part in
          LuaTableField(
            name: part.name, type: part.type.name,
            valueType: part.type.luaType(at: "\(path).\(part.name)"), help: part.help)
        })
    case .string, .secret, .oneOf: .text(name: name)
    case .any, .boolean, .integer, .number, .table: .value(name: name)
    }
  }

  /// A value, as Lua text.
  var example: String {
    switch self {
    case .any, .integer: "1"
    case .boolean: "true"
    case .number: "1.5"
    case .string, .secret: "\"text\""
    case .oneOf(let names): (names.first ?? "").luaLiteral
    case .optional(let wrapped): wrapped.example
    case .record, .table, .list, .set: "{}"
    }
  }
}
