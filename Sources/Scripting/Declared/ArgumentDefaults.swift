import Lua
import PrimereplFoundation
import StateStore

extension ArgumentDefault {
  /// The words of declarations for values that a call chooses: "at: time = now".
  static let words: [(name: String, value: ArgumentDefault)] = [
    ("now", .now), ("today", .today), ("random", .random), ("uuid", .uuid),
  ]

  /// The default as declarations write it.
  var text: String {
    if case .value(let value) = self { return value.luaLiteral }
    return Self.words.first { $0.value == self }?.name ?? ""
  }

  /// Whether the values have a type; that of a given value is checked by itself.
  func has(_ type: ValueType) -> Bool {
    switch (self, type.required) {
    case (.value, _), (.now, .time), (.today, .date), (.uuid, .string): true
    case (.random, .integer), (.random, .number), (.random, .string): true
    default: false
    }
  }
}

extension ScriptContext {
  /// The value of an argument that a call leaves out.
  func value(of value: ArgumentDefault, for type: ValueType) -> StateValue {
    switch (value, type.required) {
    case (.value(let value), _): value
    case (.now, _): .text(environment.now.description)
    case (.today, _): .text(environment.today)
    case (.random, .integer): .integer(runtime.random.number(in: 0...Int.max))
    case (.random, .number):
      .number(Double(runtime.random.number(in: 0...(1 << 53 - 1))) / Double(1 << 53))
    case (.random, _): .text(runtime.random.hexadecimalDigits(16))
    case (.uuid, _): .text(runtime.random.uuid)
    }
  }
}

/// Random values: in scenarios always the same ones.
final class RandomValues {
  private var generator: any RandomNumberGenerator

  init(isRepeatable: Bool) {
    generator = isRepeatable ? SplitMix64(seed: 0) : SystemRandomNumberGenerator()
  }

  func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  func hexadecimalDigits(_ byteCount: Int) -> String {
    (0..<byteCount).map { _ in
      let byte = UInt8.random(in: 0...255, using: &generator)
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// A random identifier of version 4 (RFC 9562).
  var uuid: String {
    var digits = Array(hexadecimalDigits(16))
    digits[12] = "4"
    digits[16] = ["8", "9", "a", "b"][number(in: 0...3)]
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
    return parts.joined(separator: "-")
  }
}
