import Testing
import TestSupport

@testable import PrimereplLineEditing

@MainActor
@Suite("Random keys")
struct EditorFuzzTests {
  private static let texts: [Character] = [
    "p", "r", "(", ")", "{", "}", "@", " ", "é", "\u{301}", "日", "👨‍👩‍👧", "🇩", "\u{200D}", "\u{202E}",
    "1", "=",
  ]
  private static let keys: [Key] =
    [
      .enter, .altEnter, .tab, .backTab, .escape, .backspace, .altBackspace, .delete, .up, .down,
      .left, .right, .home, .end, .pageUp, .pageDown, .controlLeft, .controlRight, .controlUp,
      .controlDown, .controlDelete, .unknown, .paste("a\n\tb(\n"), .paste(""),
      .paste("\r\u{1B}[2J\n"),
    ] + "abcdefghjklmnopqrstuvwxyz@_[]^".map { .control($0) }
    + "bdfulct.y<>_wxj0123".map { .alt($0) }
    + "hjklwbe0$dcyxpPuiaoIAOSsDCrR.fFtT;,G~J%g3/nN"
    .map { .character($0) } + [.altControl("_"), .altControl("e")]

  @Test(
    "leave an edit that is consistent and can be undone",
    arguments: [(KeyMap.Style.emacs, 1), (.emacs, 2), (.vi, 3), (.vi, 4)]
      as [(KeyMap.Style, UInt64)])
  func fuzz(_ style: KeyMap.Style, _ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let session = EditingSession(
      history: (0..<50).map { "print(\($0))\nx" }, keyMap: style == .vi ? .vi : .emacs)
    session.language.candidates = ["print", "prime", "private"].map { Completions.Candidate($0) }
    for _ in 0..<2000 {
      let key =
        Int.random(in: 0..<3, using: &random) == 0
        ? .character(Self.texts.randomElement(using: &random) ?? "x")
        : Self.keys.randomElement(using: &random) ?? .unknown
      switch session.press(key) {
      case .accepted(let text):
        #expect(text == session.model.text)
        _ = session.history.add(text)
        checkUndo(of: session)
        session.begin()
      case .interrupted, .endOfInput: session.begin()
      default: check(session)
      }
      if session.model.text.utf8.count > 2000 { session.begin() }
    }
  }

  private func check(_ session: EditingSession) {
    let view = session.model.view
    let buffer = session.model.buffer
    #expect((0...buffer.count).contains(buffer.cursor))
    #expect(view.lines.map(\.text).joined(separator: "\n").utf8.elementsEqual(buffer.text.utf8))
    guard view.lines.indices.contains(view.cursorLine) else {
      Issue.record("The cursor is in line \(view.cursorLine) of \(view.lines.count).")
      return
    }
    #expect((0...view.lines[view.cursorLine].text.count).contains(view.cursorColumn))
  }

  private func checkUndo(of session: EditingSession) {
    while session.model.buffer.undo() {}
    #expect(session.model.buffer.isEmpty)
  }
}
