import Testing
import TestSupport

@testable import PrimereplLineEditing

@Suite("Edit buffer")
struct EditBufferTests {
  @Test("joins combining characters, and separates them again on undo")
  func combining() {
    var buffer = EditBuffer("e")
    buffer.insert("\u{301}")
    #expect(buffer.characters == ["é"])
    #expect(buffer.cursor == 1)
    _ = buffer.undo()
    #expect(buffer.characters == ["e"])
  }

  @Test("keeps a carriage return and a newline apart")
  func carriageReturn() {
    var buffer = EditBuffer("a\r")
    buffer.insert("\nb")
    #expect(buffer.characters == ["a", "\r", "\n", "b"])
    #expect(buffer.lineCount == 2)
    #expect(buffer.range(ofLine: 0) == 0..<2)
    #expect(EditBuffer("a\r\nb").lineCount == 2)
  }

  @Test("counts lines, positions and UTF-8 offsets through all edits", arguments: [1, 2, 3, 4])
  func bookkeeping(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = [
      "a", "é", "\u{301}", "日本", "\n", "x\ny\n", "\r", "🇩", "👨", "\u{200D}", " ", "", "-- long one",
      "\u{10FEFF}", "\u{C}", "\u{600}", "क", "\u{94D}",
    ]
    var buffer = EditBuffer()
    for _ in 0..<600 {
      let lower = Int.random(in: 0...buffer.count, using: &random)
      let upper = Int.random(in: lower...min(lower + 4, buffer.count), using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: _ = buffer.undo()
      case 1: _ = buffer.redo()
      case 2: buffer.endStep()
      default: buffer.replace(lower..<upper, with: pieces.randomElement(using: &random) ?? "")
      }
      check(buffer)
    }
    while buffer.undo() {}
    #expect(buffer.isEmpty)
    check(buffer)
  }

  private func check(_ buffer: EditBuffer) {
    #expect(buffer.characters == EditBuffer.characters(of: buffer.text))
    #expect((0...buffer.count).contains(buffer.cursor))
    let lines = buffer.characters.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(buffer.lineCount == lines.count)
    for (number, line) in lines.enumerated() {
      #expect(buffer.text(in: buffer.range(ofLine: number)) == String(line))
      #expect(buffer.offsets(ofLine: number).count == String(line).utf8.count)
    }
    let offset = buffer.offset(of: buffer.cursor)
    #expect(offset == String(buffer.characters[..<buffer.cursor]).utf8.count)
    #expect(buffer.position(ofOffset: offset) == buffer.cursor)
  }

  @Test("rounds offsets down to characters, and takes any number")
  func offsets() {
    let buffer = EditBuffer("aé\n日")
    #expect([0, 1, 2, 3, 4, 5, 6, 7].map(buffer.position(ofOffset:)) == [0, 1, 1, 2, 3, 3, 3, 4])
    #expect(buffer.position(ofOffset: -5) == 0)
    #expect(buffer.position(ofOffset: 500) == 4)
    #expect(buffer.offset(of: 500) == 7)
    #expect(buffer.range(ofLine: 500) == 3..<4)
  }

  @Test("keeps the column over shorter lines")
  func goalColumn() {
    var buffer = EditBuffer("long line\nx\nanother")
    buffer.moveCursor(to: 7)
    var columns: [Int] = []
    while buffer.moveVertically(by: 1) { columns.append(buffer.cursorColumn) }
    #expect(columns == [1, 7])
  }
}
