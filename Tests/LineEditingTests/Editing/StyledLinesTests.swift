import TestSupport
import Testing

@testable import LineEditing

@Suite("Styled lines")
struct StyledLinesTests {
  private static let pieces = [
    "a", "1", "\n", "\r", "e", "\u{301}", "é", "🎉", "\"", " ", "22\n", "\n\n",
  ]

  /// Numbers are green, and everything in quotes is magenta, across lines too.
  private static func styles(of text: String) -> [StyledRange] {
    var styles: [StyledRange] = []
    var quote: Int?
    for (offset, byte) in text.utf8.enumerated() {
      if byte == UInt8(ascii: "\"") {
        if let start = quote { styles.append(StyledRange(start..<offset + 1, Style(.magenta))) }
        quote = quote == nil ? offset : nil
      } else if quote == nil, (0x30...0x39).contains(byte) {
        styles.append(StyledRange(offset..<offset + 1, Style(.green)))
      }
    }
    if let start = quote { styles.append(StyledRange(start..<text.utf8.count, Style(.magenta))) }
    return styles
  }

  @Test("are the same after an edit as those of the new text alone", arguments: 0..<4)
  func edits(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var buffer = EditBuffer()
    var lines = StyledLines(of: buffer, [], reusing: nil)
    for _ in 0..<500 {
      let start = Int.random(in: 0...buffer.count, using: &generator)
      let end = min(buffer.count, start + Int.random(in: 0...3, using: &generator))
      let text = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        Self.pieces.randomElement(using: &generator) ?? ""
      }
      buffer.replace(start..<end, with: text.joined())
      let styles = Self.styles(of: buffer.text)
      lines = StyledLines(of: buffer, styles, reusing: lines)
      #expect(lines.lines == StyledLines(of: buffer, styles, reusing: nil).lines)
      #expect(lines.lines.count == buffer.lineCount)
    }
  }

  @Test("follow a change of style far from the edit")
  func distantStyles() {
    var buffer = EditBuffer("1\n2\n3")
    var lines = StyledLines(of: buffer, Self.styles(of: buffer.text), reusing: nil)
    buffer.replace(0..<0, with: "\"")
    lines = StyledLines(of: buffer, Self.styles(of: buffer.text), reusing: lines)
    #expect(lines.lines == ["\"1", "2", "3"].map { StyledText($0, Style(.magenta)) })
  }
}
