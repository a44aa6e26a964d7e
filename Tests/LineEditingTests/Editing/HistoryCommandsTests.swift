import Testing

@testable import PrimereplLineEditing

@MainActor
@Suite("Recall of entries")
struct HistoryCommandsTests {
  @Test(
    "by keys",
    arguments: [
      EditingCase(
        "walks through the history, and returns to the typed text", history: ["one", "two"],
        keys: ["↑": "two|", "↑": "one|", "↑": "refused", "↓ ↓": "|", "↓": "refused"]),
      EditingCase(
        "finds entries with the same beginning as the text before the cursor", "pr|x",
        history: ["print(1)", "local a", "prime.is(7)", "b"],
        keys: [
          "↑": "prime.is(7)|", "↑": "print(1)|", "↑": "refused", "↓ ↓": "prx|", "C-↑": "b|",
        ]),
      EditingCase(
        "begins another search when an entry is replaced by the beginning of others",
        history: ["lo 1", "print", "lo 2", "x"],
        keys: ["↑ C-u lo ↑": "lo 2|", "↑": "lo 1|", "↓ ↓": "lo|"]),
      EditingCase(
        "moves within a block first", history: ["x", "one\ntwo"],
        keys: ["↑": "one\ntwo|", "↑": "one|\ntwo", "↑": "x|", "↓": "one\ntwo|"]),
      EditingCase(
        "goes to the oldest entry and back", history: ["one", "two"],
        keys: ["t M-<": "one|", "M->": "t|"]),
      EditingCase("is undone as one step", history: ["one"], keys: ["↑ C-_": "|"]),
    ])
  func recall(example: EditingCase) { example.check() }

  @Test("keeps edited entries while it walks, and leaves the history as it was")
  func editedEntries() {
    let session = EditingSession(history: ["one", "two"])
    session.press("↑ ! ↑", shows: "one|")
    session.press("↓", shows: "two!|")
    #expect(session.history.entries == ["one", "two"])
    session.begin()
    session.press("↑", shows: "two|")
  }
}

@MainActor
@Suite("Incremental search")
struct IncrementalSearchTests {
  private nonisolated static let history = [
    "print(1)", "x = 1", "prime.is(7)", "Print", "y\n  prime",
  ]

  @Test(
    "by keys",
    arguments: [
      EditingCase(
        "keeps the match for editing on the arrow keys", history: history,
        keys: ["C-r is →": "prime.i|s(7)"]),
      EditingCase(
        "restores the text on Ctrl-G", "o|ld", history: history, keys: ["C-r x C-g": "o|ld"]),
      EditingCase(
        "repeats the last search", history: history,
        keys: ["C-r is C-g C-r C-r": "prime.|is(7)"]),
      EditingCase(
        "searches forward from where a walk is", history: history,
        keys: ["M-< C-s p": "|prime.is(7)"]),
    ])
  func search(example: EditingCase) { example.check() }

  @Test("narrows the matches while the text is typed, and lists them")
  func narrows() {
    let session = EditingSession("old|", history: Self.history)
    session.press("C-r", shows: "old|", rows: ["(reverse-i-search)''"])
    session.press(
      "pri", shows: "y\n  |prime",
      rows: ["(reverse-i-search)'pri'", "▸ y ↵ prime", "  Print", "  prime.is(7)", "  print(1)"])
    session.press("n", shows: "|Print")
    session.press("⌫", shows: "y\n  |prime")
  }

  @Test("goes to older and newer matches")
  func steps() {
    let session = EditingSession(history: Self.history)
    session.press("C-r pr C-r ↑", shows: "|prime.is(7)")
    session.press("C-s", shows: "|Print")
    #expect(session.rows.first == "(i-search)'pr'")
    session.press("↓")
    #expect(session.press("↓") == .refused)
    #expect(session.shown == "y\n  |prime")
    #expect(session.rows.prefix(2) == ["(failing i-search)'pr'", "▸ y ↵ prime"])
  }

  @Test("heeds the case if the text has an uppercase letter")
  func smartCase() {
    let session = EditingSession(history: Self.history + ["größe", "GRÖSSE X"])
    session.press("C-r P")
    #expect(session.rows.count == 2)
    session.press("C-u ö")
    #expect(session.rows == ["(reverse-i-search)'ö'", "▸ GRÖSSE X", "  größe"])
  }

  @Test("says when nothing matches, and keeps the last match")
  func failing() {
    let session = EditingSession(history: Self.history)
    session.press("C-r x ␣ =")
    #expect(session.press("z") == .refused)
    #expect(session.rows == ["(failing reverse-i-search)'x =z'"])
    #expect(session.shown == "|x = 1")
    session.press("⌫", shows: "|x = 1", rows: ["(reverse-i-search)'x ='", "▸ x = 1"])
  }

  @Test("runs the match on Enter")
  func running() {
    let session = EditingSession("old|", history: Self.history)
    #expect(session.press("C-r is ⏎") == .accepted("prime.is(7)"))
  }

  @Test("keeps the match for editing on Escape")
  func keeping() {
    let session = EditingSession(history: Self.history)
    session.press("C-r is ⎋", shows: "prime.|is(7)", rows: [])
    session.press("↑", shows: "x = 1|")
  }

  @Test("discards the text on Ctrl-C")
  func discarding() {
    #expect(EditingSession("o|ld", history: Self.history).press("C-r x C-c") == .interrupted)
  }

  @Test("shows the place in a long entry, and lists at most eight entries")
  func longEntries() {
    let long = String(repeating: "a", count: 500) + "needle"
    let session = EditingSession(history: (0..<20).map { "needle \($0)" } + [long])
    session.model.screen = ScreenSize(columns: 40, rows: 24)
    session.press("C-r needle")
    #expect(session.rows.count == 9)
    #expect(session.rows[1].hasSuffix("needle"))
    #expect(session.rows[1].count < 40)
  }
}
