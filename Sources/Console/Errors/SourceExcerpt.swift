import LineEditing
import Platform
import Scripting

/// The line of a source with an error, and a caret below the faulty token.
struct SourceExcerpt {
  /// The line and the caret's line, indented.
  let lines: [StyledText]

  private static let indentation = "  "

  /// Shows the token at an offset of the text's UTF-8 form; of a line wider than the screen, the part around it.
  init(of text: String, at offset: Int, columns: Int) {
    let bytes = Array(text.utf8)
    func isInsideCharacter(_ offset: Int) -> Bool {
      offset < bytes.count && UTF8.isContinuation(bytes[offset])
    }
    var offset = min(max(0, offset), bytes.count)
    while isInsideCharacter(offset) { offset -= 1 }
    let newline = UInt8(ascii: "\n")
    let start = (bytes[..<offset].lastIndex(of: newline) ?? -1) + 1
    let end = bytes[offset...].firstIndex(of: newline) ?? bytes.count
    // The tokens of a wrong source may be single bytes.
    var tokenEnd = LuaTokens(bytes).first { $0.range.contains(offset) }?.range.upperBound ?? offset
    while isInsideCharacter(tokenEnd) { tokenEnd += 1 }
    tokenEnd = min(tokenEnd, end)

    let room = max(columns - 2 * Self.indentation.count, 20)
    let fault = Self.shown(bytes[offset..<tokenEnd]).prefix(room / 2)
    var before = Self.shown(bytes[start..<offset])[...]
    if Self.columns(of: before) > room / 2 { before = "…" + before.suffix(room / 4) }

    var line = StyledText(Self.indentation + before)
    line.append(String(fault), .error)
    line.append(Self.shown(bytes[tokenEnd..<end]))
    let indentation = Self.indentation.count + Self.columns(of: before)
    let carets = String(repeating: "^", count: max(1, Self.columns(of: fault)))
    lines = [
      line.fitted(to: room + Self.indentation.count),
      StyledText(String(repeating: " ", count: indentation) + carets, .error),
    ]
  }

  /// A part of a line as it is shown, with spaces for tabs.
  private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).printableLines.replacing("\t", with: "  ")
  }

  /// The number of columns that a terminal takes for a text.
  private static func columns(of text: Substring) -> Int {
    StyledText(String(text)).columns
  }
}
