import Foundation
import PrimereplLineEditing
import TerminalSupport
import Testing
import TestSupport

@Suite("Drawing while anything is typed")
@MainActor
struct EditingFuzzTests {
  private static let characters: [Character] = [
    "a", "b", "x", " ", "(", ")", "1", "世", "é", "\u{301}", "👍", "👨‍👩‍👧", "❤️", "한", "ש", "\u{1}",
  ]

  private static let others: [Key] = [
    .enter, .altEnter, .altEnter, .tab, .tab, .backTab, .escape, .backspace, .backspace,
    .altBackspace, .delete, .up, .up, .down, .left, .left, .right, .home, .end, .pageUp, .pageDown,
    .controlLeft, .controlRight, .unknown, .paste("local function f()\n\treturn 1\nend"),
    .paste(String(repeating: "long ", count: 40)), .paste(String(repeating: "line\n", count: 12)),
  ]

  private static func key(_ random: inout SeededGenerator) -> Key {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<6: .character(characters.randomElement(using: &random) ?? "a")
    case 6, 7: others.randomElement(using: &random) ?? .unknown
    case 8: .control("abcdefghkloprstuvwy_".randomElement(using: &random) ?? "a")
    default: .alt("bdfytulc<>._".randomElement(using: &random) ?? "b")
    }
  }

  /// The number of keys that each case presses; the environment can ask for more.
  private static let keyCount =
    ProcessInfo.processInfo.environment["FUZZ_KEYS"].flatMap { Int($0) } ?? 1_000

  @Test(
    "shows the same after any keys as a fresh drawing, and the buffer's text",
    arguments: [
      (1, 20, 5), (2, 80, 24), (3, 132, 50), (4, 20, 50), (5, 10, 3), (6, 1, 1), (7, 300, 8),
      (8, 3, 60),
    ])
  func randomKeys(seed: UInt64, columns: Int, rows: Int) {
    var random = SeededGenerator(seed: seed)
    var typing = TypingFuzz(
      ScreenSize(columns: columns, rows: rows), seed % 2 == 0 ? .emacs : .vi)
    for step in 0..<Self.keyCount {
      typing.press(Self.key(&random))
      if step % 97 == 0 {
        typing.output(
          ["out\n", "part", "世界\n\n", "\u{1B}[31mred"].randomElement(using: &random) ?? "")
      }
      if step % 499 == 0 { typing.resize(&random) }
      if step.isMultiple(of: 20) { typing.check("seed \(seed), step \(step)") }
    }
  }
}

/// An edit on a screen, and the same edit drawn afresh.
@MainActor
private struct TypingFuzz {
  private let language = BracketLanguage()
  private let history = InputHistory()
  private let model: EditorModel
  private let size: ScreenSize
  private var stage: Stage
  /// The line of output that isn't finished, and so stands above the block.
  private var unfinished = ""

  init(_ size: ScreenSize, _ keyMap: KeyMap) {
    self.size = size
    language.candidates = ["alpha", "alphabet", "beta", "世界"].map {
      Completions.Candidate($0, detail: StyledText($0))
    }
    model = EditorModel(delegate: language, history: history, keyMap: keyMap)
    model.screen = size
    stage = Stage(columns: size.columns, rows: size.rows)
    begin()
    stage.show(model.view)
  }

  private func begin() { model.begin(prompt: StyledText("> "), continuation: StyledText(". ")) }

  mutating func press(_ key: Key) {
    switch model.handle(key) {
    case .accepted(let text):
      _ = history.add(text)
      finish()
    case .interrupted, .endOfInput: finish()
    case .screenCleared:
      stage.draw { $0.clearScreen() }
      stage.show(model.view)
    case .editing, .suspended, .refused, .externalEditor: break
    }
  }

  private mutating func finish() {
    stage.finish(model.view)
    unfinished = ""
    begin()
    stage.show(model.view)
  }

  /// Shows output of a program above the edit.
  mutating func output(_ text: String) {
    stage.output(text)
    let lines = (unfinished + text.replacing("\u{1B}[31m", with: "")).split(
      separator: "\n", omittingEmptySubsequences: false)
    unfinished = lines.last.map(String.init) ?? ""
  }

  /// Changes the size by a little, and back.
  mutating func resize(_ random: inout SeededGenerator) {
    let sizes = [
      size, ScreenSize(columns: size.columns + 3, rows: size.rows + 1),
      ScreenSize(columns: max(size.columns - 2, 1), rows: max(size.rows - 1, 1)),
    ]
    model.screen = sizes.randomElement(using: &random) ?? size
    stage.resize(
      columns: model.screen.columns, rows: model.screen.rows, showing: model.view)
  }

  mutating func check(_ step: String) {
    let view = model.view
    stage.show(view)
    var fresh = stage
    fresh.showFresh(view, like: stage)
    let top = max(stage.screen.cursorRow - fresh.screen.cursorRow, 0)
    #expect(
      Array(stage.screen.rows.dropFirst(top)) == Array(fresh.screen.rows.dropLast(top)), "\(step)")
    if let shown = fresh.blockText(of: view) {
      #expect(shown == unfinished + Self.text(of: view), "\(step)")
    }
  }

  /// The text that a view has to show, without blanks.
  private static func text(of view: EditorView) -> String {
    let lines = view.lines.enumerated().map { index, line in
      [index == 0 ? view.prompt : view.continuationPrompt, line]
    }
    let parts = (lines.flatMap(\.self) + [view.ghost]).map {
      StyledText($0.text).terminalSequence(usingColors: false)
    }
    return parts.joined().filter { $0 != " " }
  }
}

extension Stage {
  /// Shows a view on an empty screen, scrolled as on another stage.
  mutating func showFresh(_ view: EditorView, like other: Stage) {
    self = other
    draw { $0.clearScreen() }
    show(view)
  }

  /// The text of a block's rows, without blanks; nil if the block is too tall for the screen.
  func blockText(of view: EditorView) -> String? {
    let whole = DisplayLayout.rows(ofWhole: view, columns: screen.columns)
    guard whole.count < screen.rowCount / 2, view.rows.isEmpty else { return nil }
    return screen.rows.joined().filter { $0 != " " }
  }
}
