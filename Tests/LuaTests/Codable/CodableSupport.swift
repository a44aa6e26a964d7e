import Lua

extension LuaState {
  /// The first result of a chunk.
  func evaluate(_ source: String) throws -> LuaValue {
    try load(source, name: .text("test")).call().first ?? .nil
  }

  /// Decodes what an expression gives.
  func decode<Value: Decodable>(_ type: Value.Type, _ expression: String) throws -> Value {
    try LuaDecoder().decode(type, from: evaluate("return \(expression)"), in: self)
  }

  /// Encodes a value and gives what an expression says of it, there called `v`.
  func encode(_ value: some Encodable, then expression: String) throws -> LuaValue {
    try setGlobal("v", to: LuaEncoder().encode(value, in: self))
    return try evaluate("return \(expression)")
  }

  /// The error of decoding what an expression gives, as "code: message".
  func failure<Value: Decodable>(_ type: Value.Type, _ expression: String) throws -> String {
    do {
      return "decoded \(try decode(type, expression))"
    } catch let error as LuaError {
      return "\(error.code): \(error.message)"
    }
  }
}
