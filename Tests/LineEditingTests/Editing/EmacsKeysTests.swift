import Testing

@testable import PrimereplLineEditing

@MainActor
@Suite("Emacs' keys")
struct EmacsKeysTests {
  @Test(
    "move the cursor",
    arguments: [
      ("foo bar|", [Key.control("a")], "|foo bar"), ("|foo bar", [.control("e")], "foo bar|"),
      ("fo|o", [.control("b")], "f|oo"), ("fo|o", [.control("f")], "foo|"),
      ("a\n|b", [.left], "a|\nb"), ("a|\nb", [.right], "a\n|b"),
      ("foo bar.baz|", [.alt("b")], "foo bar.|baz"),
      ("foo bar.|baz", [.controlLeft], "foo |bar.baz"),
      ("|foo bar", [.alt("f")], "foo| bar"), ("foo| bar", [.controlRight], "foo bar|"),
      ("|snake_case x", [.controlRight], "snake_case| x"), ("größe| x", [.controlLeft], "|größe x"),
      ("one\ntw|o", [.home], "one\n|two"), ("one\n|two", [.end], "one\ntwo|"),
      ("one\ntw|o", [.up], "on|e\ntwo"), ("o|ne\ntwo", [.down], "one\nt|wo"),
      ("o|ne\ntwo", [.control("n")], "one\nt|wo"), ("one\nt|wo", [.control("p")], "o|ne\ntwo"),
      ("|abcdefghijkl", [.alt("1"), .alt("1"), .right], "abcdefghijk|l"),
    ] as [(String, [Key], String)])
  func moves(_ text: String, _ keys: [Key], _ result: String) {
    let session = EditingSession(text)
    for key in keys { session.press(key) }
    #expect(session.shown == result)
  }

  @Test(
    "change the text",
    arguments: [
      ("fo|o", [Key.backspace], "f|o"), ("fo|o", [.control("h")], "f|o"),
      ("f|oo", [.delete], "f|o"),
      ("f|oo", [.control("d")], "f|o"), ("ae\u{301}|", [.backspace], "a|"),
      ("a👨‍👩‍👧|", [.backspace], "a|"), ("a\n|b", [.backspace], "a|b"), ("a|\nb", [.delete], "a|b"),
      ("    |x", [.backspace], "  |x"), ("   |x", [.backspace], "  |x"),
      ("a   |", [.backspace], "a  |"),
      ("foo |bar\nx", [.control("k")], "foo |\nx"), ("foo|\nx", [.control("k")], "foo|x"),
      ("foo |bar", [.control("u")], "|bar"), ("x\n|bar", [.control("u")], "x|bar"),
      ("a foo.bar|", [.control("w")], "a |"), ("a foo.bar|", [.altBackspace], "a foo.|"),
      ("|foo.bar", [.alt("d")], "|.bar"), ("a|bc", [.control("t")], "ba|c"),
      ("abc|", [.control("t")], "acb|"),
      ("one t|wo", [.alt("t")], "two one|"), ("one two |", [.alt("t")], "two one| "),
      ("|foo bar", [.alt("u")], "FOO| bar"), ("|FOO", [.alt("l")], "foo|"),
      ("| foo", [.alt("c")], " Foo|"),
      ("|abc", [.alt("2"), .delete], "|c"), ("abc|", [.alt("3"), .character("x")], "abcxxx|"),
      ("foo |", [.control("q"), .control("a")], "foo \u{1}|"), ("|", [.control("v"), .tab], "\t|"),
      ("|", [.control("q"), .escape], "\u{1B}|"), ("a|b", [.altEnter], "a\n|b"),
      ("a foo|", [.altControl("_")], "a foofoo|"),
    ] as [(String, [Key], String)])
  func changes(_ text: String, _ keys: [Key], _ result: String) {
    let session = EditingSession(text)
    for key in keys { session.press(key) }
    #expect(session.shown == result)
  }

  @Test("cut and yank, with successive cuts as one")
  func killRing() {
    let session = EditingSession("one two three|")
    session.press(.control("w"), .control("w"))
    #expect(session.shown == "one |")
    session.press(.control("y"))
    #expect(session.shown == "one two three|")
    session.press(.control("a"), .alt("d"), .control("y"), .alt("y"))
    #expect(session.shown == "two three| two three")
    session.press(.alt("y"))
    #expect(session.shown == "one| two three")
    session.press(.control("_"))
    #expect(session.press(.alt("y")) == .refused)
  }

  @Test("cut and copy between the mark and the cursor")
  func region() {
    let session = EditingSession("one |two")
    session.press(.control("@"), .control("e"), .alt("w"), .control("a"), .control("y"))
    #expect(session.shown == "two|one two")
    session.press(.control("x"), .control("x"))
    #expect(session.shown == "twoo|ne two")
  }

  @Test("undo words, deletions and pastes one by one, and redo them")
  func undo() {
    let session = EditingSession()
    session.type("one two")
    session.press(.paste("three\nfour"), .backspace, .backspace)
    #expect(session.shown == "one twothree\nfo|")
    let states = (0..<4).map { _ -> String in
      session.press(.control("_"))
      return session.shown
    }
    #expect(states == ["one twothree\nfour|", "one two|", "one |", "|"])
    #expect(session.press(.control("_")) == .refused)
    session.press(.alt("_"), .alt("_"), .control("x"), .control("u"))
    #expect(session.shown == "one |")
    session.type("x")
    #expect(session.press(.alt("_")) == .refused)
  }

  @Test("insert the last word of earlier entries")
  func lastArgument() {
    let session = EditingSession(history: ["a old", "print new"])
    session.type("x ")
    session.press(.alt("."))
    #expect(session.shown == "x new|")
    session.press(.alt("."))
    #expect(session.shown == "x old|")
    #expect(session.press(.alt(".")) == .refused)
    #expect(session.shown == "x old|")
  }

  @Test("report the actions left to the terminal or the caller")
  func outcomes() {
    let session = EditingSession("x|")
    #expect(session.press(.control("l")) == .screenCleared)
    #expect(session.press(.control("z")) == .suspended)
    #expect(session.press(.control("x"), .control("e")) == .externalEditor("x"))
    #expect(session.press(.control("d")) == .refused)
    #expect(session.press(.control("c")) == .interrupted)
    #expect(EditingSession().press(.control("d")) == .endOfInput)
  }

  @Test("type nothing if they aren't known")
  func unknownKeys() {
    let session = EditingSession("x|")
    #expect(session.press(.unknown) == .editing)
    #expect(session.press(.alt("j")) == .refused)
    #expect(session.press(.control("o")) == .refused)
    #expect(session.press(.control("x"), .character("y")) == .refused)
    #expect(session.press(.escape) == .editing)
    #expect(session.press(.backTab) == .refused)
    #expect(session.shown == "x|")
  }

  @Test("can be bound to commands that have no key of their own")
  func unboundCommands() {
    var keyMap = KeyMap.emacs
    let commands: [(Key, EditorCommand)] = [
      (.control("o"), .toggleOverwrite), (.alt("x"), .universalArgument),
      (.alt("k"), .killWholeLine),
      (.alt("s"), .startOver), (.alt("e"), .endOfFile), (.alt("r"), .killRegion),
    ]
    for (key, command) in commands { keyMap.inserting[[key]] = command }
    let session = EditingSession("|abc\nd", keyMap: keyMap)
    session.press(.control("o"), "x", "y")
    #expect(session.shown == "xy|c\nd")
    session.press("1", "2", "3", .control("o"), .alt("x"), "z")
    #expect(session.shown == "xy123zzzz|\nd")
    session.press(.control("@"), .left, .left, .alt("r"))
    #expect(session.shown == "xy123zz|\nd")
    session.press(.end, .alt("k"), .control("y"))
    #expect(session.shown == "xy123zz\nd|")
    session.press(.alt("s"))
    #expect(session.shown == "|")
    #expect(session.press(.alt("e")) == .endOfInput)
  }
}
