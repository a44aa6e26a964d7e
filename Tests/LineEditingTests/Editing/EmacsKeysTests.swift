import Testing

@testable import PrimereplLineEditing

@MainActor
@Suite("Emacs' keys")
struct EmacsKeysTests {
  @Test(
    "move the cursor",
    arguments: [
      ("foo bar|", "C-a", "|foo bar"), ("|foo bar", "C-e", "foo bar|"), ("fo|o", "C-b", "f|oo"),
      ("fo|o", "C-f", "foo|"), ("a\n|b", "←", "a|\nb"), ("a|\nb", "→", "a\n|b"),
      ("foo bar.baz|", "M-b", "foo bar.|baz"), ("foo bar.|baz", "C-←", "foo |bar.baz"),
      ("|foo bar", "M-f", "foo| bar"), ("foo| bar", "C-→", "foo bar|"),
      ("|snake_case x", "C-→", "snake_case| x"), ("größe| x", "C-←", "|größe x"),
      ("one\ntw|o", "home", "one\n|two"), ("one\n|two", "end", "one\ntwo|"),
      ("one\ntw|o", "↑", "on|e\ntwo"), ("o|ne\ntwo", "↓", "one\nt|wo"),
      ("o|ne\ntwo", "C-n", "one\nt|wo"), ("one\nt|wo", "C-p", "o|ne\ntwo"),
      ("|abcdefghijkl", "M-1 M-1 →", "abcdefghijk|l"),
    ])
  func moves(_ text: String, _ keys: String, _ result: String) {
    EditingSession(text).press(keys, shows: result)
  }

  @Test(
    "change the text",
    arguments: [
      ("fo|o", "⌫", "f|o"), ("fo|o", "C-h", "f|o"), ("f|oo", "⌦", "f|o"), ("f|oo", "C-d", "f|o"),
      ("ae\u{301}|", "⌫", "a|"), ("a👨‍👩‍👧|", "⌫", "a|"), ("a\n|b", "⌫", "a|b"),
      ("a|\nb", "⌦", "a|b"), ("    |x", "⌫", "  |x"), ("   |x", "⌫", "  |x"),
      ("a   |", "⌫", "a  |"), ("foo |bar\nx", "C-k", "foo |\nx"), ("foo|\nx", "C-k", "foo|x"),
      ("foo |bar", "C-u", "|bar"), ("x\n|bar", "C-u", "x|bar"), ("a foo.bar|", "C-w", "a |"),
      ("a foo.bar|", "M-⌫", "a foo.|"), ("|foo.bar", "M-d", "|.bar"), ("a|bc", "C-t", "ba|c"),
      ("abc|", "C-t", "acb|"), ("one t|wo", "M-t", "two one|"), ("one two |", "M-t", "two one| "),
      ("|foo bar", "M-u", "FOO| bar"), ("|FOO", "M-l", "foo|"), ("| foo", "M-c", " Foo|"),
      ("|abc", "M-2 ⌦", "|c"), ("abc|", "M-3 x", "abcxxx|"), ("foo |", "C-q C-a", "foo \u{1}|"),
      ("|", "C-v ⇥", "\t|"), ("|", "C-q ⎋", "\u{1B}|"), ("a|b", "M-⏎", "a\n|b"),
      ("a foo|", "C-M-_", "a foofoo|"),
    ])
  func changes(_ text: String, _ keys: String, _ result: String) {
    EditingSession(text).press(keys, shows: result)
  }

  @Test(
    "in turn",
    arguments: [
      EditingCase(
        "cut and yank, with successive cuts as one", "one two three|",
        keys: [
          "C-w C-w": "one |", "C-y": "one two three|",
          "C-a M-d C-y M-y": "two three| two three", "M-y": "one| two three",
          "C-_ M-y": "refused",
        ]),
      EditingCase(
        "cut and copy between the mark and the cursor", "one |two",
        keys: ["C-@ C-e M-w C-a C-y": "two|one two", "C-x C-x": "twoo|ne two"]),
      EditingCase(
        "insert the last word of earlier entries", history: ["a old", "print new"],
        keys: ["x ␣ M-.": "x new|", "M-.": "x old|", "M-.": "refused", "": "x old|"]),
      EditingCase(
        "type nothing if they aren't known", "x|",
        keys: [
          "? ⎋": "x|", "M-j": "refused", "C-o": "refused", "C-x y": "refused", "⇤": "refused",
          "": "x|",
        ]),
    ])
  func turns(example: EditingCase) { example.check() }

  @Test("undo words, deletions and pastes one by one, and redo them")
  func undo() {
    let session = EditingSession()
    session.type("one two")
    session.press(.paste("three\nfour"), .backspace, .backspace)
    #expect(session.shown == "one twothree\nfo|")
    session.press("C-_", shows: "one twothree\nfour|")
    session.press("C-_", shows: "one two|")
    session.press("C-_", shows: "one |")
    session.press("C-_", shows: "|")
    #expect(session.press("C-_") == .refused)
    session.press("M-_ M-_ C-x C-u", shows: "one |")
    #expect(session.press("x M-_") == .refused)
  }

  @Test("report the actions left to the terminal or the caller")
  func outcomes() {
    let session = EditingSession("x|")
    #expect(session.press("C-l") == .screenCleared)
    #expect(session.press("C-z") == .suspended)
    #expect(session.press("C-x C-e") == .externalEditor("x"))
    #expect(session.press("C-d") == .refused)
    #expect(session.press("C-c") == .interrupted)
    #expect(EditingSession().press("C-d") == .endOfInput)
  }

  @Test("can be bound to commands that have no key of their own")
  func unboundCommands() {
    var keyMap = KeyMap.emacs
    let commands: [(Key, EditorCommand)] = [
      (.control("o"), .toggleOverwrite), (.alt("x"), .universalArgument),
      (.alt("k"), .killWholeLine), (.alt("s"), .startOver), (.alt("e"), .endOfFile),
      (.alt("r"), .killRegion),
    ]
    for (key, command) in commands { keyMap.inserting[[key]] = command }
    let session = EditingSession("|abc\nd", keyMap: keyMap)
    session.press("C-o xy", shows: "xy|c\nd")
    session.press("123 C-o M-x z", shows: "xy123zzzz|\nd")
    session.press("C-@ ← ← M-r", shows: "xy123zz|\nd")
    session.press("end M-k C-y", shows: "xy123zz\nd|")
    session.press("M-s", shows: "|")
    #expect(session.press("M-e") == .endOfInput)
  }
}
