import PrimereplPlatform

/// The contents of Lua's strings, as they are written.
package enum LuaStringLiteral {
  /// The bytes of a string in quotes; nil for one in long brackets, and where `value(of:)` is nil.
  package static func contents(of literal: ArraySlice<UInt8>) -> [UInt8]? {
    guard let quote = literal.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else { return nil }
    return value(of: literal)
  }

  /// The bytes of any string of Lua, which may be unfinished; nil for one with an escape that Lua refuses, or that
  /// stands for no character.
  package static func value(of literal: ArraySlice<UInt8>) -> [UInt8]? {
    guard let quote = literal.first, quote != UInt8(ascii: "[") else {
      return longValue(of: literal)
    }
    var rest = literal.dropFirst()
    var value: [UInt8] = []
    while let byte = rest.popFirst(), byte != quote {
      guard byte == UInt8(ascii: "\\") else {
        value.append(byte)
        continue
      }
      guard let escaped = escape(in: &rest) else { return nil }
      value += escaped
    }
    return value
  }

  /// The bytes of a string in long brackets, without the line end with which it begins.
  private static func longValue(of literal: ArraySlice<UInt8>) -> [UInt8] {
    let level = literal.dropFirst().prefix { $0 == UInt8(ascii: "=") }.count
    let value = literal.dropFirst(level + 2)
    let end = Array("]\(String(repeating: "=", count: level))]".utf8)
    let closed = value.suffix(end.count).elementsEqual(end) ? value.dropLast(end.count) : value
    return Array(closed.trimmingPrefix([10]))
  }

  /// Takes an escape after its backslash.
  private static func escape(in rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard let kind = rest.popFirst() else { return nil }
    switch kind {
    case UInt8(ascii: "a"): return [7]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "v"): return [11]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "r"): return [13]
    case 10, UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): return [kind]
    case UInt8(ascii: "z"):
      rest = rest.drop { $0 == UInt8(ascii: " ") || (9...13).contains($0) }
      return []
    case UInt8(ascii: "x"):
      defer { rest = rest.dropFirst(2) }
      return UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16).map { [$0] }
    case UInt8(ascii: "u"):
      guard rest.popFirst() == UInt8(ascii: "{") else { return nil }
      let digits = rest.prefix { $0 != UInt8(ascii: "}") }
      rest = rest.dropFirst(digits.count + 1)
      let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
      return scalar.flatMap(Unicode.Scalar.init).map { Array(String($0).utf8) }
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      let digits = [kind] + rest.prefix(2).prefix { (48...57).contains($0) }
      rest = rest.dropFirst(digits.count - 1)
      return UInt8(String(decoding: digits, as: UTF8.self)).map { [$0] }
    default: return nil
    }
  }

  /// Bytes as they are written between quotes: with escapes for the quote, and for what isn't printable.
  package static func escaping(_ bytes: [UInt8], quote: UInt8) -> String {
    var text = ""
    for scalar in String(systemBytes: bytes).unicodeScalars {
      if scalar.value == UInt32(quote) {
        text += "\\\(scalar)"
      } else if scalar == "\\" || !scalar.isPrintable, SystemByte(scalar) == nil {
        text += scalar.escape
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
