import PrimereplLineEditing
import PrimereplPlatform
import Scripting

/// The line of a source with an error, and carets below the faulty part.
struct SourceExcerpt {
  let lines: [StyledText]

  private static let indentation = "  "

  /// Shows the token at an offset of the text's UTF-8 form.
  init(of text: String, at offset: Int, columns: Int) {
    let bytes = Array(text.utf8)
    let start = min(max(0, offset), bytes.count)
    // The tokens of a wrong source may be single bytes.
    let end = LuaTokens(bytes).first { $0.range.contains(start) }?.range.upperBound ?? start
    self.init(of: bytes, range: start..<max(start, end), columns: columns)
  }

  /// Shows the first line of a range of UTF-8 bytes; of a line wider than the screen, the part around the range.
  init(of bytes: [UInt8], range: Range<Int>, columns: Int) {
    func isInsideCharacter(_ offset: Int) -> Bool {
      offset < bytes.count && UTF8.isContinuation(bytes[offset])
    }
    var offset = range.lowerBound
    while isInsideCharacter(offset) { offset -= 1 }
    let newline = UInt8(ascii: "\n")
    let start = (bytes[..<offset].lastIndex(of: newline) ?? -1) + 1
    let end = bytes[offset...].firstIndex(of: newline) ?? bytes.count
    var tokenEnd = range.upperBound
    while isInsideCharacter(tokenEnd) { tokenEnd += 1 }
    tokenEnd = min(tokenEnd, end)

    let room = max(columns - 2 * Self.indentation.count, 20)
    var before = Self.shown(bytes[start..<offset])[...]
    if Self.columns(of: before) > room / 2 { before = "…" + before.suffix(room / 4) }
    let rest = room - Self.columns(of: before)
    let fault = Self.shown(bytes[offset..<tokenEnd]).prefix(rest)

    var line = StyledText(Self.indentation + before)
    line.append(String(fault), .error)
    line.append(Self.shown(bytes[tokenEnd..<end]))
    let indentation = Self.indentation.count + Self.columns(of: before)
    let carets = String(repeating: "^", count: min(max(1, Self.columns(of: fault)), rest))
    lines = [
      line.fitted(to: room + Self.indentation.count),
      StyledText(String(repeating: " ", count: indentation) + carets, .error),
    ]
  }

  private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).printableLines.replacing("\t", with: "  ")
  }

  private static func columns(of text: Substring) -> Int {
    StyledText(String(text)).columns
  }
}

extension SourceTokens {
  /// Empty outside the source.
  package func text(ofLine line: Int) -> String {
    let lines = bytes.split(
      separator: UInt8(ascii: "\n"), maxSplits: line, omittingEmptySubsequences: false)
    return lines.indices.contains(line - 1) ? String(decoding: lines[line - 1], as: UTF8.self) : ""
  }

  /// The part of a line that an error is about: the first of some names that is on it, else all of its code; nil if it
  /// has none.
  func faultyPart(ofLine line: Int, names: [Substring]) -> Range<Int>? {
    let line = tokens.filter { $0.line == line }
    for name in names {
      if let token = line.first(where: { $0.kind == .word && $0.text == name }) {
        return token.range
      }
    }
    guard let first = line.first, let last = line.last else { return nil }
    return first.range.lowerBound..<last.range.upperBound
  }
}
