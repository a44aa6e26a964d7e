import PrimereplLineEditing
import TerminalSupport
import Testing

/// A renderer with the screen that it draws on.
struct Stage: Sendable {
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

/// Steps on a stage, with what it shows after them.
struct StageCase: Sendable, CustomTestStringConvertible {
  enum Step: Sendable {
    case show(EditorView)
    case finish(EditorView)
    case output(String)
    /// A row below the cursor while a program waits; nil takes it away.
    case wait(String?)
    case clear
    /// Expects the rows down to the last one with text.
    case rows([String])
    /// Expects the cursor at a row and a column.
    case cursor(Int, Int)
    /// Expects the rows that have left the screen.
    case scrollback([String])
  }

  let testDescription: String
  private let stage: Stage
  private let steps: [Step]

  init(
    _ title: String, columns: Int = 20, rows: Int = 6, after text: String = "", _ steps: [Step]
  ) {
    testDescription = title
    stage = Stage(columns: columns, rows: rows, after: text)
    self.steps = steps
  }

  func check() {
    var stage = stage
    for step in steps {
      switch step {
      case .show(let view): stage.show(view)
      case .finish(let view): stage.finish(view)
      case .output(let text): stage.output(text)
      case .wait(let text):
        stage.draw { $0.showWaiting(text.map { DisplayRow(StyledText($0), fittedTo: 20) }) }
      case .clear: stage.draw { $0.clearScreen() }
      case .rows(let rows): #expect(stage.rows == rows)
      case .cursor(let row, let column): #expect(stage.cursor == [row, column])
      case .scrollback(let rows): #expect(stage.screen.scrollback == rows)
      }
    }
  }
}

extension EditorView: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self = .of(text) }

  /// A view of a text in which `|` marks the cursor.
  static func of(_ marked: String) -> EditorView {
    var view = EditorView()
    view.prompt = StyledText("> ")
    view.continuationPrompt = StyledText(". ")
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
