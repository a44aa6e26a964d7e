import Testing

@testable import PrimereplLineEditing

@MainActor
@Suite("Completion")
struct CompletionTests {
  private func session(_ text: String, _ candidates: [String]) -> EditingSession {
    let session = EditingSession(text)
    session.language.candidates = candidates.map {
      Completions.Candidate($0, detail: StyledText("about \($0)"))
    }
    return session
  }

  @Test("inserts the only candidate, and describes it")
  func single() {
    let session = session("x = cou|", ["counter", "print"])
    #expect(session.press(.tab) == .editing)
    #expect(session.shown == "x = counter|")
    #expect(session.rows == ["about counter"])
    session.type(" ")
    #expect(session.rows.isEmpty)
  }

  @Test("is refused without a candidate")
  func none() {
    let session = session("zzz|", ["counter"])
    #expect(session.press(.tab) == .refused)
    #expect(session.shown == "zzz|")
  }

  @Test("inserts the candidates' common prefix, lists them, and cycles through them")
  func several() {
    let session = session("p|", ["print", "prime", "private"])
    session.press(.tab)
    #expect(session.shown == "pri|")
    #expect(session.rows == ["print    prime    private"])
    session.press(.tab)
    #expect(session.shown == "print|")
    #expect(session.rows == ["print    prime    private", "about print"])
    session.press(.tab)
    #expect(session.shown == "prime|")
    session.press(.backTab, .backTab)
    #expect(session.shown == "private|")
    session.press(.right)
    #expect(session.shown == "print|")
    #expect(session.press(.enter) == .editing)
    #expect(session.shown == "print|")
    #expect(session.rows.isEmpty)
    session.press(.control("_"))
    #expect(session.shown == "p|")
  }

  @Test("is undone by Escape, and kept by other keys")
  func closing() {
    let session = session("p|", ["print", "prime"])
    session.press(.tab, .tab, .escape)
    #expect(session.shown == "pri|")
    #expect(session.rows.isEmpty)
    session.press(.tab, .tab)
    session.type("(")
    #expect(session.shown == "print(|")
  }

  @Test("completes in the middle of a text")
  func middle() {
    let session = session("é f(cou|) x", ["counter"])
    session.press(.tab)
    #expect(session.shown == "é f(counter|) x")
  }

  @Test("scrolls through more than a screenful")
  func scrolling() {
    let session = session("x|", (0..<1234).map { "x\($0)" })
    session.model.screen = ScreenSize(columns: 40, rows: 10)
    session.press(.tab)
    #expect(session.rows.count == 8)
    #expect(session.rows.first?.hasPrefix("x0 ") == true)
    #expect(session.rows.last == "rows 1 to 7 of 247")
    session.press(.pageDown)
    #expect(session.rows.first?.hasPrefix("x7 ") == true)
    session.press(.tab, .left)
    #expect(session.model.view.rows.contains { $0.runs.contains { $0.style.isInverse } })
  }

  @Test("indents where a line has only blanks before the cursor")
  func indentation() {
    let session = session("|", ["counter"])
    session.press(.tab, .tab)
    #expect(session.shown == "    |")
    session.press(.character(" "), .tab)
    #expect(session.shown == "      |")
  }

  @Test("lists in as many columns as fit, and in one on the narrowest screen")
  func columns() {
    let session = session("日|", ["日本", "日曜日", "日a"])
    session.model.screen = ScreenSize(columns: 20, rows: 24)
    session.press(.tab)
    #expect(session.rows == ["日本    日a", "日曜日"])
    session.press(.escape)
    session.model.screen = ScreenSize(columns: 1, rows: 1)
    session.press(.tab)
    #expect(session.rows == ["日本", "rows 1 to 1 of 3"])
  }
}
