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
    let part = escaped(bytes, of: byteCount, columns: columns) {
      $0.isPrintable && $0 != "\"" && $0 != "\\"
    }
    return StyledText("\"\(part.text)\"", .string) + note(of: part.hiddenBytes)
  }

  /// A string without quotes, which ends with an ellipsis if it is wider than some columns.
  ///
  /// If the bytes are only the string's beginning, `byteCount` is the number of all.
  static func bare(
    _ bytes: some Collection<UInt8>, of byteCount: Int? = nil, columns: Int
  ) -> String {
    // More bytes than fit, unless nearly all are marks on other characters.
    let beginning = Array(bytes.prefix(bytesRead(forColumns: columns)))
    let part = escaped(beginning, of: byteCount ?? bytes.count, columns: columns) {
      $0.isPrintable
    }
    return part.hiddenBytes == 0 ? part.text : part.text + "…"
  }

  static func bare(_ text: String, columns: Int = 200) -> String {
    bare(text.utf8, columns: columns)
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

  /// The beginning of a string that takes some columns, with escapes, and the number of bytes after it.
  private static func escaped(
    _ bytes: [UInt8], of byteCount: Int, columns: Int, except isPlain: (Unicode.Scalar) -> Bool
  ) -> (text: String, hiddenBytes: Int) {
    let valid = String(validating: bytes, as: UTF8.self)
    // Nearly all strings are ASCII, and some are long.
    if let valid, columns >= bytes.count,
      bytes.allSatisfy({ $0 < 0x7F && isPlain(Unicode.Scalar($0)) })
    {
      return (valid, byteCount - bytes.count)
    }
    var text = ""
    var (usedColumns, position) = (0, 0)
    for scalar in (valid ?? String(systemBytes: bytes)).unicodeScalars {
      let isByte = valid == nil && SystemByte(scalar) != nil
      // The beginning of a string may end within a character, which has up to four bytes.
      if isByte, byteCount > bytes.count, position > bytes.count - 4 { break }
      let isShown = isPlain(scalar)
      let piece = isShown ? String(scalar) : isByte ? scalar.escape : scalar.luaText
      usedColumns += isShown ? scalar.columns : piece.utf8.count
      guard usedColumns <= columns else { break }
      text += piece
      position += isByte ? 1 : scalar.utf8.count
    }
    return (text, byteCount - position)
  }
}

extension Style {
  static let string = Style(.green)
  static let number = Style(.cyan)
  static let boolean = Style(.yellow)
  package static let function = Style(.blue)
  package static let error = Style(.red)
}
