import PrimereplLineEditing
import TerminalSupport

/// A renderer with the screen that it draws on.
struct Stage {
  var screen: TerminalScreen
  private var renderer: Renderer
  private var layout = DisplayLayout()
  private var size: ScreenSize

  init(columns: Int = 20, rows: Int = 6, usesColors: Bool = true, after text: String = "") {
    size = ScreenSize(columns: columns, rows: rows)
    screen = TerminalScreen(columns: columns, rows: rows)
    renderer = Renderer(screen: size, usesColors: usesColors)
    screen.feed(text)
  }

  /// Draws, and checks nothing.
  mutating func draw(_ body: (inout Renderer) -> [UInt8]) { screen.feed(body(&renderer)) }

  mutating func show(_ view: EditorView) {
    let frame = layout.frame(of: view, on: size)
    draw { $0.draw(frame) }
  }

  mutating func finish(_ view: EditorView) {
    let rows = DisplayLayout.rows(ofWhole: view, columns: size.columns)
    draw { $0.finish(with: rows) }
  }

  /// The output of a program; a terminal's driver turns its line breaks into CR LF.
  mutating func output(_ text: String) {
    let bytes = Array(text.utf8).flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    draw { $0.write(output: bytes) }
  }

  /// Changes the window's size, as a terminal that reflows or not, and shows the view again.
  mutating func resize(columns: Int, rows: Int, reflows: Bool = false, showing view: EditorView) {
    size = ScreenSize(columns: columns, rows: rows)
    screen.resize(columns: columns, rows: rows, reflows: reflows)
    let new = size
    draw { $0.resize(to: new, reflows: reflows) }
    show(view)
  }

  /// The rows down to the last one with text, and the cursor as row and column.
  var rows: [String] {
    screen.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
  var cursor: [Int] { [screen.cursorRow, screen.cursorColumn] }
}

extension EditorView {
  /// A view of a text in which `|` marks the cursor.
  static func of(_ marked: String, prompt: String = "> ") -> EditorView {
    var view = EditorView()
    view.prompt = StyledText(prompt)
    view.continuationPrompt = StyledText(prompt.isEmpty ? "" : ". ")
    let lines = marked.split(separator: "\n", omittingEmptySubsequences: false)
    view.lines = []
    for (index, line) in lines.enumerated() {
      if let mark = line.firstIndex(of: "|") {
        view.cursorLine = index
        view.cursorColumn = line[..<mark].count
      }
      view.lines.append(StyledText(line.filter { $0 != "|" }))
    }
    return view
  }

  func with(_ change: (inout EditorView) -> Void) -> EditorView {
    var copy = self
    change(&copy)
    return copy
  }
}
