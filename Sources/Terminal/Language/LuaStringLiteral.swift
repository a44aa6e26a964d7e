import PrimereplPlatform
import Scripting

/// The contents of Lua's strings in quotes, as they are written.
package enum LuaStringLiteral {
  /// The bytes of a string in quotes, which may be unfinished; nil for one in long brackets, or with an escape that isn't
  /// known here.
  package static func contents(of literal: ArraySlice<UInt8>) -> [UInt8]? {
    guard let quote = literal.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else { return nil }
    var rest = literal.dropFirst()
    var contents: [UInt8] = []
    while let byte = rest.popFirst(), byte != quote {
      guard byte == UInt8(ascii: "\\") else {
        contents.append(byte)
        continue
      }
      guard let escaped = escape(in: &rest) else { return nil }
      contents.append(escaped)
    }
    return contents
  }

  /// The bytes of any string of Lua, which may be unfinished; an escape that Lua refuses is left out.
  package static func value(of literal: ArraySlice<UInt8>) -> [UInt8] {
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
      let escape = rest
      switch rest.popFirst() {
      case UInt8(ascii: "a"): value.append(7)
      case UInt8(ascii: "b"): value.append(8)
      case UInt8(ascii: "v"): value.append(11)
      case UInt8(ascii: "f"): value.append(12)
      case 10: value.append(10)
      case UInt8(ascii: "z"): rest = rest.drop { $0 == UInt8(ascii: " ") || (9...13).contains($0) }
      case UInt8(ascii: "u"):
        let digits = rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }
        rest = rest.dropFirst(digits.count + 2)
        let scalar = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        value += scalar.flatMap(Unicode.Scalar.init).map { Array(String($0).utf8) } ?? []
      default:
        rest = escape
        if let byte = self.escape(in: &rest) { value.append(byte) }
      }
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
  private static func escape(in rest: inout ArraySlice<UInt8>) -> UInt8? {
    guard let kind = rest.popFirst() else { return nil }
    switch kind {
    case UInt8(ascii: "n"): return 10
    case UInt8(ascii: "t"): return 9
    case UInt8(ascii: "r"): return 13
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): return kind
    case UInt8(ascii: "x"):
      defer { rest = rest.dropFirst(2) }
      return UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      let digits = [kind] + rest.prefix(2).prefix { (48...57).contains($0) }
      rest = rest.dropFirst(digits.count - 1)
      return UInt8(String(decoding: digits, as: UTF8.self))
    default: return nil
    }
  }

  /// Bytes as they are written between quotes: with escapes for the quote, and for what isn't printable.
  static func escaping(_ bytes: [UInt8], quote: UInt8) -> String {
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
