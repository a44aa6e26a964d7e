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
    session.press("⇥", shows: "x = counter|", rows: ["about counter"])
    session.press("␣", shows: "x = counter |", rows: [])
  }

  @Test("is refused without a candidate")
  func none() {
    let session = session("zzz|", ["counter"])
    #expect(session.press("⇥") == .refused)
    #expect(session.shown == "zzz|")
  }

  @Test("inserts the candidates' common prefix, lists them, and cycles through them")
  func several() {
    let session = session("p|", ["print", "prime", "private"])
    session.press("⇥", shows: "pri|", rows: ["print    prime    private"])
    session.press("⇥", shows: "print|", rows: ["print    prime    private", "about print"])
    session.press("⇥", shows: "prime|")
    session.press("⇤ ⇤", shows: "private|")
    session.press("→", shows: "print|")
    #expect(session.press("⏎") == .editing)
    #expect(session.rows.isEmpty)
    session.press("C-_", shows: "p|")
  }

  @Test("is undone by Escape, and kept by other keys")
  func closing() {
    let session = session("p|", ["print", "prime"])
    session.press("⇥ ⇥ ⎋", shows: "pri|", rows: [])
    session.press("⇥ ⇥ (", shows: "print(|")
  }

  @Test("completes in the middle of a text")
  func middle() {
    session("é f(cou|) x", ["counter"]).press("⇥", shows: "é f(counter|) x")
  }

  @Test("scrolls through more than a screenful")
  func scrolling() {
    let session = session("x|", (0..<1234).map { "x\($0)" })
    session.model.screen = ScreenSize(columns: 40, rows: 10)
    session.press("⇥")
    #expect(session.rows.count == 8)
    #expect(session.rows.first?.hasPrefix("x0 ") == true)
    #expect(session.rows.last == "rows 1 to 7 of 247")
    session.press("pageDown")
    #expect(session.rows.first?.hasPrefix("x7 ") == true)
    session.press("⇥ ←")
    #expect(session.model.view.rows.contains { $0.runs.contains { $0.style.isInverse } })
  }

  @Test("indents where a line has only blanks before the cursor")
  func indentation() {
    let session = session("|", ["counter"])
    session.press("⇥ ⇥", shows: "    |")
    session.press("␣ ⇥", shows: "      |")
  }

  @Test("lists in as many columns as fit, and in one on the narrowest screen")
  func columns() {
    let session = session("日|", ["日本", "日曜日", "日a"])
    session.model.screen = ScreenSize(columns: 20, rows: 24)
    session.press("⇥")
    #expect(session.rows == ["日本    日a", "日曜日"])
    session.press("⎋")
    session.model.screen = ScreenSize(columns: 1, rows: 1)
    session.press("⇥")
    #expect(session.rows == ["日本", "rows 1 to 1 of 3"])
  }
}
