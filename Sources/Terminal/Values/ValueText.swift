import Lua
package import PrimereplLineEditing
import PrimereplPlatform
import Scripting

/// The texts of Lua's values without parts, in which nothing can command a terminal.
///
/// Control characters, invisible characters and bytes that aren't UTF-8 are shown as Lua's escapes, such as `\x1b`.
enum ValueText {
  /// The number as Lua writes it, or with more digits if Lua's 14 would read back as another number.
  static func number(_ value: Double) -> String {
    // Lua writes the sign of NaN, which means nothing.
    guard !value.isNaN else { return "nan" }
    let text = LuaValue.number(value).description
    return Double(text) == value ? text : "\(value)"
  }

  /// A string in quotes, and the number of bytes that are left out beyond some columns.
  static func quoted(_ bytes: [UInt8], of byteCount: Int, columns: Int) -> StyledText {
    let part = escaped(bytes, of: byteCount, columns: columns, .quoted)
    return StyledText("\"\(part.text)\"", .string) + note(of: part.hiddenBytes)
  }

  /// A string without quotes, which ends with an ellipsis if it is wider than some columns.
  static func bare(_ bytes: some Collection<UInt8>, columns: Int) -> String {
    // More bytes than fit, unless nearly all are marks on other characters.
    let beginning = Array(bytes.prefix(bytesRead(forColumns: columns)))
    let part = escaped(beginning, of: bytes.count, columns: columns, .bare)
    return part.hiddenBytes == 0 ? part.text : part.text + "…"
  }

  static func bare(_ text: String, columns: Int = 200) -> String {
    bare(text.utf8, columns: columns)
  }

  /// A whole string without quotes, with its line ends and tabs.
  static func lines(_ bytes: [UInt8]) -> String {
    escaped(bytes, of: bytes.count, columns: .max, .lines).text
  }

  /// The number of bytes to read of a string of which some columns are shown.
  static func bytesRead(forColumns columns: Int) -> Int {
    // A scalar has up to four bytes; saturates, as there may be no limit.
    let (bytes, overflows) = columns.multipliedReportingOverflow(by: 8)
    return overflows ? .max : bytes
  }

  static func note(of hiddenBytes: Int) -> StyledText {
    guard hiddenBytes > 0 else { return StyledText() }
    let noun = hiddenBytes == 1 ? "byte" : "bytes"
    return StyledText(" ... \(hiddenBytes.grouped) more \(noun)", .dim)
  }

  /// The characters that aren't escaped in a text.
  private enum Form {
    /// Anything that can be seen, except quotes and backslashes.
    case quoted
    case bare
    /// Line ends and tabs, too.
    case lines
  }

  /// The beginning of a string that takes some columns, with escapes, and the number of bytes after it.
  private static func escaped(
    _ bytes: [UInt8], of byteCount: Int, columns: Int, _ form: Form
  ) -> (text: String, hiddenBytes: Int) {
    var text: [UInt8] = []
    var usedColumns = 0
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      if isPlain(byte, in: form) {
        guard usedColumns < columns else { break }
        text.append(byte)
        usedColumns += 1
        position += 1
        continue
      }
      let piece = piece(of: bytes, at: position, form)
      // The beginning of a string may end within a character.
      let isCut = !piece.isValid && position + piece.length >= bytes.count
      if isCut && byteCount > bytes.count || usedColumns + piece.columns > columns { break }
      text += piece.text
      usedColumns += piece.columns
      position += piece.length
    }
    return (String(decoding: text, as: UTF8.self), byteCount - position)
  }

  private static func isPlain(_ byte: UInt8, in form: Form) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): form != .quoted
    case UInt8(ascii: "\n"), UInt8(ascii: "\t"): form == .lines
    default: (0x20..<0x7F).contains(byte)
    }
  }

  /// The text of the character at a position, or of bytes there that aren't UTF-8.
  private static func piece(
    of bytes: [UInt8], at position: Int, _ form: Form
  ) -> (text: [UInt8], columns: Int, length: Int, isValid: Bool) {
    var parser = Unicode.UTF8.ForwardParser()
    // The longest encoding of a scalar.
    let next = bytes[position...].prefix(4)
    var input = next.makeIterator()
    guard case .valid(let sequence) = parser.parseScalar(from: &input) else {
      let escape = Array("\\x\(String(bytes[position], radix: 16))".utf8)
      return (escape, escape.count, 1, false)
    }
    let scalar = UTF8.decode(sequence)
    guard scalar.isPrintable, form != .quoted || scalar != "\"" && scalar != "\\" else {
      let escape = Array(scalar.luaText.utf8)
      return (escape, escape.count, sequence.count, true)
    }
    return (Array(sequence), scalar.columns, sequence.count, true)
  }
}

extension Style {
  static let string = Style(.green)
  static let number = Style(.cyan)
  static let boolean = Style(.yellow)
  package static let function = Style(.blue)
  package static let error = Style(.red)
}
