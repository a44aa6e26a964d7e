import Lua
import StateStore

extension ValueType {
  /// The type of the values for documentation and completion.
  ///
  /// The path of the value names the class of records that have no name of their own.
  func luaType(at path: String) -> LuaValueType {
    switch self {
    case .optional(let wrapped): .optional(wrapped.luaType(at: path))
    case .list(let element), .set(let element): .list(of: element.luaType(at: path))
    case .record(let record):
      .table(
        name: record.name ?? path,
        fields: (record.hasID ? [LuaParameter(name: "id", type: Int.luaType)] : [])
          + record.parts.map { part in
            LuaParameter(
              name: part.name, type: part.type.luaType(at: "\(path).\(part.name)"),
              help: part.help)
          })
    case .oneOf(let texts): .oneOf(texts)
    case .reference(let reference): .named("\(reference.feature).\(reference.list.asSingular)")
    case .any, .boolean, .integer, .number, .string, .date, .time, .range, .decimal, .text, .secret,
      .table:
      .named(name)
    }
  }

  /// The type of arguments: of a reference, also an id; that of secrets has a name, so that people know what they type.
  func parameterType(at path: String) -> LuaValueType {
    switch self {
    case .optional(let wrapped): return .optional(wrapped.parameterType(at: path))
    case .reference:
      let record = luaType(at: path)
      return .union(name: record.name, [record, Int.luaType])
    case .secret: return .union(name: "secret", [luaType(at: path)])
    default: return luaType(at: path)
    }
  }

  /// A value, as Lua text.
  var example: String {
    switch self {
    case .any, .integer, .reference: "1"
    case .boolean: "true"
    case .number: "1.5"
    case .decimal(let places): places.text(of: .number(90)) ?? "90"
    case .string, .secret: "\"text\""
    case .date: "\"2026-11-26\""
    case .time: "\"2026-11-26T10:15:00Z\""
    case .range, .text: initial.luaLiteral
    case .oneOf(let names): (names.first ?? "").luaLiteral
    case .optional(let wrapped): wrapped.example
    case .record, .table, .list, .set: "{}"
    }
  }
}
