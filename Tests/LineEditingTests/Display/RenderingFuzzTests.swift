import PrimereplLineEditing
import TerminalSupport
import Testing
import TestSupport

@Suite("Drawing of anything")
struct RenderingFuzzTests {
  private static let pieces = [
    "a", "b", " ", "print", "(", ")", "世", "界", "é", "e\u{301}", "👍", "👨‍👩‍👧", "❤️", "🇩🇪", "한", "ש",
    "\u{1}", "\t", "\u{202E}", "\u{FEFF}", "local function",
  ]

  private static let styles: [Style] = [.plain, .bold, Style(.red), Style(.gray, underlined: true)]

  private static func text(upTo count: Int, _ random: inout SeededGenerator) -> StyledText {
    var text = StyledText()
    for _ in 0..<Int.random(in: 0...count, using: &random) {
      let piece = pieces.randomElement(using: &random) ?? ""
      text.append(piece, styles.randomElement(using: &random) ?? .plain)
    }
    return text
  }

  /// Another view, which often differs little from the one before.
  private static func view(after old: EditorView, _ random: inout SeededGenerator) -> EditorView {
    var view = old
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let line = Int.random(in: 0..<view.lines.count, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: view.lines[line] = text(upTo: 30, &random)
      case 1, 2, 3: view.lines[line].append(text(upTo: 2, &random))
      case 4: view.lines.insert(text(upTo: 10, &random), at: line)
      case 5: if view.lines.count > 1 { view.lines.remove(at: line) }
      case 6:
        view.rows = (0..<Int.random(in: 0...8, using: &random)).map { _ in text(upTo: 8, &random) }
      case 7: view.status = Bool.random(using: &random) ? text(upTo: 8, &random) : nil
      case 8: view.ghost = text(upTo: 6, &random)
      default: view.annotation = text(upTo: 4, &random)
      }
    }
    view.cursorLine = Int.random(in: 0..<view.lines.count, using: &random)
    view.cursorColumn = Int.random(in: 0...view.lines[view.cursorLine].text.count, using: &random)
    return view
  }

  @Test(
    "shows the same after any changes as a fresh drawing",
    arguments: [(1, 20, 5), (2, 80, 24), (3, 132, 50), (4, 3, 3), (5, 41, 7)])
  func incremental(seed: UInt64, columns: Int, rows: Int) {
    var random = SeededGenerator(seed: seed)
    var view = EditorView.of("|")
    var stage = Stage(columns: columns, rows: rows)
    var layout = DisplayLayout()
    var renderer = Renderer(screen: ScreenSize(columns: columns, rows: rows), usesColors: true)
    for step in 0..<100 {
      view = Self.view(after: view, &random)
      let frame = layout.frame(of: view, on: ScreenSize(columns: columns, rows: rows))
      stage.draw { $0.draw(frame) }
      if step % 7 == 0 { stage.output(step % 2 == 0 ? "output \(step)\n" : "\(step)%") }
      // A fresh drawing at the bottom of a screen shows the same rows there.
      var fresh = TerminalScreen(columns: columns, rows: rows)
      fresh.feed(renderer.clearScreen())
      fresh.feed(renderer.draw(frame))
      let top = stage.screen.cursorRow - frame.cursorRow
      #expect(top >= 0)
      for row in frame.rows.indices {
        #expect(stage.screen.cells(ofRow: top + row) == fresh.cells(ofRow: row))
      }
      for row in stage.screen.rows.dropFirst(top + frame.rows.count) { #expect(row.isEmpty) }
      #expect(stage.screen.cursorColumn == fresh.cursorColumn)
      #expect(fresh.cursorRow == frame.cursorRow)
    }
  }
}
