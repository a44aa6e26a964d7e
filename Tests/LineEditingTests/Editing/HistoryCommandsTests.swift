import Testing

@testable import PrimereplLineEditing

@MainActor
@Suite("Recall of entries")
struct HistoryCommandsTests {
  @Test("walks through the history, and returns to the typed text")
  func walk() {
    let session = EditingSession(history: ["one", "two"])
    session.press(.up)
    #expect(session.shown == "two|")
    session.press(.up)
    #expect(session.shown == "one|")
    #expect(session.press(.up) == .refused)
    session.press(.down, .down)
    #expect(session.shown == "|")
    #expect(session.press(.down) == .refused)
  }

  @Test("finds entries with the same beginning as the text before the cursor")
  func prefix() {
    let session = EditingSession("pr|x", history: ["print(1)", "local a", "prime.is(7)", "b"])
    session.press(.up)
    #expect(session.shown == "prime.is(7)|")
    session.press(.up)
    #expect(session.shown == "print(1)|")
    #expect(session.press(.up) == .refused)
    session.press(.down, .down)
    #expect(session.shown == "prx|")
    session.press(.controlUp)
    #expect(session.shown == "b|")
  }

  @Test("keeps edited entries while it walks, and leaves the history as it was")
  func editedEntries() {
    let session = EditingSession("", history: ["one", "two"])
    session.press(.up, "!", .up)
    #expect(session.shown == "one|")
    session.press(.down)
    #expect(session.shown == "two!|")
    #expect(session.history.entries == ["one", "two"])
    session.begin()
    session.press(.up)
    #expect(session.shown == "two|")
  }

  @Test("begins another search when an entry is replaced by the beginning of others")
  func anotherSearch() {
    let session = EditingSession(history: ["lo 1", "print", "lo 2", "x"])
    session.press(.up, .control("u"))
    session.type("lo")
    session.press(.up)
    #expect(session.shown == "lo 2|")
    session.press(.up)
    #expect(session.shown == "lo 1|")
    session.press(.down, .down)
    #expect(session.shown == "lo|")
  }

  @Test("moves within a block first")
  func blocks() {
    let session = EditingSession(history: ["x", "one\ntwo"])
    session.press(.up)
    #expect(session.shown == "one\ntwo|")
    session.press(.up)
    #expect(session.shown == "one|\ntwo")
    session.press(.up)
    #expect(session.shown == "x|")
    session.press(.down)
    #expect(session.shown == "one\ntwo|")
  }

  @Test("goes to the oldest entry and back")
  func ends() {
    let session = EditingSession(history: ["one", "two"])
    session.type("t")
    session.press(.alt("<"))
    #expect(session.shown == "one|")
    session.press(.alt(">"))
    #expect(session.shown == "t|")
  }

  @Test("is undone as one step")
  func undo() {
    let session = EditingSession(history: ["one"])
    session.press(.up, .control("_"))
    #expect(session.shown == "|")
  }
}

@MainActor
@Suite("Incremental search")
struct IncrementalSearchTests {
  private let history = ["print(1)", "x = 1", "prime.is(7)", "Print", "y\n  prime"]

  @Test("narrows the matches while the text is typed, and lists them")
  func narrows() {
    let session = EditingSession("old|", history: history)
    session.press(.control("r"))
    #expect(session.rows == ["(reverse-i-search)''"])
    #expect(session.shown == "old|")
    session.type("pri")
    #expect(session.shown == "y\n  |prime")
    #expect(
      session.rows == [
        "(reverse-i-search)'pri'", "▸ y ↵ prime", "  Print", "  prime.is(7)", "  print(1)",
      ])
    session.type("n")
    #expect(session.shown == "|Print")
    session.press(.backspace)
    #expect(session.shown == "y\n  |prime")
  }

  @Test("goes to older and newer matches")
  func steps() {
    let session = EditingSession(history: history)
    session.press(.control("r"), "p", "r", .control("r"), .up)
    #expect(session.shown == "|prime.is(7)")
    session.press(.control("s"))
    #expect(session.shown == "|Print")
    #expect(session.rows.first == "(i-search)'pr'")
    session.press(.down)
    #expect(session.press(.down) == .refused)
    #expect(session.shown == "y\n  |prime")
    #expect(session.rows.prefix(2) == ["(failing i-search)'pr'", "▸ y ↵ prime"])
  }

  @Test("heeds the case if the text has an uppercase letter")
  func smartCase() {
    let session = EditingSession(history: history + ["größe", "GRÖSSE X"])
    session.press(.control("r"), "P")
    #expect(session.rows.count == 2)
    session.press(.control("u"))
    session.type("ö")
    #expect(session.rows == ["(reverse-i-search)'ö'", "▸ GRÖSSE X", "  größe"])
  }

  @Test("says when nothing matches, and keeps the last match")
  func failing() {
    let session = EditingSession(history: history)
    session.press(.control("r"))
    session.type("x =")
    #expect(session.press("z") == .refused)
    #expect(session.rows == ["(failing reverse-i-search)'x =z'"])
    #expect(session.shown == "|x = 1")
    session.press(.backspace)
    #expect(session.rows == ["(reverse-i-search)'x ='", "▸ x = 1"])
  }

  @Test("runs the match on Enter, and keeps it for editing on Escape and the arrow keys")
  func taking() {
    let session = EditingSession("old|", history: history)
    session.press(.control("r"))
    session.type("is")
    #expect(session.press(.enter) == .accepted("prime.is(7)"))
    session.begin()
    session.press(.control("r"), "i", "s", .escape)
    #expect(session.shown == "prime.|is(7)")
    #expect(session.rows.isEmpty)
    session.press(.up)
    #expect(session.shown == "x = 1|")
    session.begin()
    session.press(.control("r"), "i", "s", .right)
    #expect(session.shown == "prime.i|s(7)")
  }

  @Test("restores the text on Ctrl-G, and discards it on Ctrl-C")
  func cancelling() {
    let session = EditingSession("o|ld", history: history)
    session.press(.control("r"), "x", .control("g"))
    #expect(session.shown == "o|ld")
    #expect(session.press(.control("r"), "x", .control("c")) == .interrupted)
  }

  @Test("repeats the last search")
  func repeating() {
    let session = EditingSession(history: history)
    session.press(.control("r"), "i", "s", .control("g"), .control("r"), .control("r"))
    #expect(session.shown == "prime.|is(7)")
  }

  @Test("searches forward from where a walk is")
  func forward() {
    let session = EditingSession(history: history)
    session.press(.alt("<"), .control("s"), "p")
    #expect(session.shown == "|prime.is(7)")
  }

  @Test("shows the place in a long entry, and lists at most eight entries")
  func longEntries() {
    let long = String(repeating: "a", count: 500) + "needle"
    let session = EditingSession(history: (0..<20).map { "needle \($0)" } + [long])
    session.model.screen = ScreenSize(columns: 40, rows: 24)
    session.press(.control("r"))
    session.type("needle")
    #expect(session.rows.count == 9)
    #expect(session.rows[1].hasSuffix("needle"))
    #expect(session.rows[1].count < 40)
  }
}
