import StateStore
import Platform

/// A value of a report in JSON, whose members keep their order.
indirect enum ReportJSON {
  case null
  case bool(Bool)
  case integer(Int)
  case unsigned(UInt64)
  case number(Double)
  /// A text, limited as all texts of reports are.
  case string(String)
  case array([ReportJSON])
  case object(KeyValuePairs<String, ReportJSON>)

  static func string(_ text: String?) -> ReportJSON {
    text.map { .string($0) } ?? .null
  }

  /// The value on one line.
  ///
  /// It has no invisible characters and no `<`: it is safe on a terminal and in an HTML page, and YAML understands it.
  ///
  /// - Complexity: O(size).
  var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .unsigned(let value): text += String(value)
    case .number(let value):
      // To a microsecond: more is noise.
      text += value.isFinite ? "\((value * 1e6).rounded() / 1e6)" : "null"
    case .string(let value): Self.write(ReportText.limited(value), to: &text)
    case .array(let elements):
      text += "["
      for (position, element) in elements.enumerated() {
        if position > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (position, member) in members.enumerated() {
        if position > 0 { text += "," }
        Self.write(member.key, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func write(_ value: String, to text: inout String) {
    text += "\""
    // Nearly all texts are plain.
    let isPlain = value.utf8.allSatisfy { byte in
      byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        && byte != UInt8(ascii: "<")
    }
    text += isPlain ? value : escaped(value)
    text += "\""
  }

  private static func escaped(_ value: String) -> String {
    // Bytes, since appending to a view of a text takes time proportional to its length.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.utf8.count)
    for scalar in value.shownSystemText.unicodeScalars {
      switch scalar {
      case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(truncatingIfNeeded: scalar.value)]
      case "\n": bytes += "\\n".utf8
      case "\t": bytes += "\\t".utf8
      case "<": bytes += unicodeEscape(0x3C).utf8
      // JSON's escapes have four digits, and pairs of them aren't YAML.
      case _ where scalar.value <= 0xFFFF && ReportText.isInvisible(scalar):
        bytes += unicodeEscape(scalar.value).utf8
      default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func unicodeEscape(_ value: UInt32) -> String {
    "\\u" + ReportText.hexadecimal(value, digits: 4)
  }
}
