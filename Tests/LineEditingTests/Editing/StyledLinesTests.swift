import PrimereplPlatform
import Testing
import TestSupport

@testable import PrimereplLineEditing

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

  @Test("are all lines of any text", arguments: 0..<4)
  func anyText(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let text = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        Self.pieces.randomElement(using: &generator) ?? ""
      }
      let buffer = EditBuffer(text.joined())
      let lines = StyledLines(of: buffer, Self.styles(of: buffer.text)).lines
      #expect(lines.map(\.text).joined(separator: "\n").isExactly(buffer.text))
    }
  }

  @Test("have styles that span several lines")
  func spanningStyles() {
    let buffer = EditBuffer("\"1\n2\n3")
    let lines = StyledLines(of: buffer, Self.styles(of: buffer.text))
    #expect(lines.lines == ["\"1", "2", "3"].map { StyledText($0, Style(.magenta)) })
  }
}
