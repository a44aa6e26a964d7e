import Testing

@testable import PrimereplLineEditing

@MainActor
@Suite("vi's keys")
struct ViKeysTests {
  /// An edit in the command mode.
  private func session(_ text: String, history: [String] = []) -> EditingSession {
    let session = EditingSession(text, history: history, keyMap: .vi)
    let cursor = session.model.buffer.cursor
    session.press("⎋")
    session.model.buffer.moveCursor(to: cursor)
    return session
  }

  @Test(
    "move the cursor",
    arguments: [
      ("ab|c", "h", "a|bc"), ("a|bc", "l", "ab|c"), ("ab|c", "l", "ab|c"), ("a\n|b", "h", "a\n|b"),
      ("|one two.three", "w", "one |two.three"), ("one |two.three", "w", "one two|.three"),
      ("one |two.three x", "W", "one two.three |x"), ("one two.th|ree", "b", "one two.|three"),
      ("one two.th|ree", "B", "one |two.three"), ("|one two", "e", "on|e two"),
      ("on|e two.x", "E", "one two.|x"), ("  on|e", "0", "|  one"), ("  on|e", "^", "  |one"),
      ("|one\ntwo", "$", "on|e\ntwo"), ("|abcabc", "fc", "ab|cabc"), ("|abcabc", "2fc", "abcab|c"),
      ("|abcabc", "tc", "a|bcabc"), ("abcab|c", "Fa", "abc|abc"), ("abcab|c", "Ta", "abca|bc"),
      ("|abcabc", "fc;", "abcab|c"), ("|abcabc", "fc;,", "ab|cabc"), ("|abcabc", "tc;", "abca|bc"),
      ("f|(x)", "%", "f(x|)"), ("|one\ntwo\nthree", "G", "one\ntwo\n|three"),
      ("one\ntwo\nthr|ee", "gg", "|one\ntwo\nthree"),
      ("|one\ntwo\nthree", "2G", "one\n|two\nthree"), ("on|e\nx\ntwo", "jj", "one\nx\ntw|o"),
      ("|one two three", "2w", "one two |three"), ("abc|d", "2|", "a|bcd"),
    ])
  func moves(_ text: String, _ keys: String, _ result: String) {
    session(text).press(keys, shows: result)
  }

  @Test(
    "change the text",
    arguments: [
      ("a|bc", "x", "a|c"), ("ab|c", "x", "a|b"), ("|abcd", "3x", "|d"), ("ab|c", "X", "a|c"),
      ("|one two", "dw", "|two"), ("one |two\nx", "dw", "one| \nx"),
      ("|one two three", "d2w", "|three"), ("|a b c d e f g", "2d3w", "|g"),
      ("one |two", "d$", "one| "), ("one |two", "D", "one| "), ("one |two", "db", "|two"),
      ("|one two", "de", "| two"), ("|a(b)c", "df)", "|c"), ("|a(b)c", "dt)", "|)c"),
      ("one\n|two\nthree", "dd", "one\n|three"), ("one\n|two", "dd", "|one"),
      ("|one\ntwo\nthree", "2dd", "|three"), ("|one\ntwo\nthree", "dj", "|three"),
      ("one\ntwo|\nthree", "dgg", "|three"), ("o|ne", "dd", "|"), ("f|(x)y", "d%", "f|y"),
      ("|one two", "cwx ⎋", "|x two"), ("|one two", "c2wx ⎋", "|x"),
      ("a |b c", "cwxy ⎋", "a x|y c"), ("  one|", "ccx ⎋", "  |x"), ("one |two", "Cx ⎋", "one |x"),
      ("|one", "sx ⎋", "|xne"), ("on|e\ntwo", "Sx ⎋", "|x\ntwo"), ("|one", "ix ⎋", "|xone"),
      ("|one", "ax ⎋", "o|xne"), ("  on|e", "Ix ⎋", "  |xone"), ("|one", "Ax ⎋", "one|x"),
      ("|one\ntwo", "ox ⎋", "one\n|x\ntwo"), ("one\n  tw|o", "Ox ⎋", "one\n  |x\n  two"),
      ("|one", "rx", "|xne"), ("|one", "2rx", "x|xe"), ("|abc", "Rxy ⎋", "x|yc"),
      ("|aBc", "3~", "Ab|C"), ("|one\n  two", "J", "one| two"), ("|one two", "ywP", "one| one two"),
      ("|one", "xp", "n|oe"), ("|one\ntwo", "yyp", "one\n|one\ntwo"),
      ("one\n|two", "ddP", "|two\none"), ("|ab", "yl3p", "aaa|ab"), ("|one", "#", "--|one"),
    ])
  func changes(_ text: String, _ keys: String, _ result: String) {
    session(text).press(keys, shows: result)
  }

  @Test(
    "repeat the last change, and undo and redo whole insertions",
    arguments: [
      ("|one two three", "cwx ⎋ w.", "x |x three"), ("|abc", "x.", "|c"),
      ("|a b c d", "dw..", "|d"), ("|one", "ofoo ␣ bar ⎋ u", "on|e"),
      ("|one", "ofoo ␣ bar ⎋ u C-r", "one\nfoo ba|r"), ("|one", "Axy ⎋ u", "on|e"),
      ("|one two", "cwx ⎋ u", "|one two"), ("|a\nb", "dd..", "|"), ("|ab", "Ax ⎋ j.", "abx|x"),
      ("|a-b-c", "f-rxl;.", "axb|xc"), ("|one two", "dfz.x", "|ne two"),
      ("|one", "dfzix ⎋ .", "|xxone"), ("|abc", "xJ.", "|c"), ("|abc", "x9rz.", "|c"),
    ])
  func repeats(_ text: String, _ keys: String, _ result: String) {
    session(text).press(keys, shows: result)
  }

  @Test("do nothing zero times", arguments: [EditorCommand.viDelete, .viChange, .viYank])
  func zeroTimes(_ command: EditorCommand) {
    var keyMap = KeyMap.emacs
    keyMap.inserting[[.control("o")]] = command
    let session = EditingSession("one\nt|wo", keyMap: keyMap)
    for motion in ["C-o", "↓", "→"] {
      session.press("M-0 C-o \(motion)", shows: "one\nt|wo")
    }
  }

  @Test("repeat an insertion in which a command was refused")
  func refusedInInsertion() {
    var keyMap = KeyMap.vi
    keyMap.inserting[[.control("o")]] = .viJoinLines
    let session = EditingSession("|abc", keyMap: keyMap)
    session.press("⎋ ix C-o y ⎋ .", shows: "xx|yyabc")
  }

  @Test("show the mode before the prompt, in the same width")
  func modeMark() {
    let session = EditingSession(keyMap: .vi)
    #expect(session.model.view.prompt.text == "[i] > ")
    #expect(session.model.view.continuationPrompt.text == "      ")
    session.press("⎋")
    #expect(session.model.view.prompt.text == "[n] > ")
  }

  @Test("walk and search the history")
  func history() {
    let session = session("|", history: ["one", "two", "three"])
    session.press("kk", shows: "tw|o")
    session.press("j", shows: "thre|e")
    session.press("/o", shows: "tw|o")
    session.press("⏎", shows: "tw|o")
    session.press("n", shows: "|one")
    session.press("N", shows: "tw|o")
    #expect(session.press("nn") == .refused)
  }

  @Test("run the text on Enter in both modes")
  func enter() {
    let session = session("x = |1")
    #expect(session.press("⏎") == .accepted("x = 1"))
    session.begin()
    #expect(session.press("y ⏎") == .accepted("y"))
  }

  @Test("refuse meaningless keys, and type nothing")
  func refused() {
    let session = session("on|e")
    session.press("q fz dq Tz 3 p", shows: "on|e")
    #expect(session.press("⎋") == .refused)
    #expect(session.press("v") == .externalEditor("one"))
    #expect(session.press("C-d") == .refused)
  }
}
