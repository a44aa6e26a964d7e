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

/// A generator whose numbers depend only on its seed (SplitMix64, Steele, Lea and Flood 2014).
struct SeededGenerator: RandomNumberGenerator {
  var seed: UInt64

  mutating func next() -> UInt64 {
    seed &+= 0x9E37_79B9_7F4A_7C15
    var mixed = seed
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
