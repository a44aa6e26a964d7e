import PrimereplLineEditing
import PrimereplPlatform
import Scripting

extension SourceTokens {
  private static let excerptIndentation = "  "

  /// The line at which a part of the source begins, and carets below the part; of a line wider than the screen, what is
  /// around it.
  func excerpt(of part: Range<Int>, columns: Int) -> [StyledText] {
    let newline = UInt8(ascii: "\n")
    let start = (bytes[..<part.lowerBound].lastIndex(of: newline) ?? -1) + 1
    let end = bytes[part.lowerBound...].firstIndex(of: newline) ?? bytes.count
    let partEnd = min(part.upperBound, end)

    let indentation = Self.excerptIndentation
    let room = max(columns - 2 * indentation.count, 20)
    var before = Self.shown(bytes[start..<part.lowerBound])[...]
    if Self.columns(of: before) > room / 2 { before = "…" + before.suffix(room / 4) }
    let rest = room - Self.columns(of: before)
    let fault = Self.shown(bytes[part.lowerBound..<partEnd]).prefix(rest)

    var line = StyledText(indentation + before)
    line.append(String(fault), .error)
    line.append(Self.shown(bytes[partEnd..<end]))
    let space = String(repeating: " ", count: indentation.count + Self.columns(of: before))
    let carets = String(repeating: "^", count: min(max(1, Self.columns(of: fault)), rest))
    return [line.fitted(to: room + indentation.count), StyledText(space + carets, .error)]
  }

  private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).printableLines.replacing("\t", with: "  ")
  }

  private static func columns(of text: Substring) -> Int {
    StyledText(String(text)).columns
  }

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
