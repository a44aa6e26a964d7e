import Testing

@testable import Console

@Suite("Column layout")
struct ColumnLayoutTests {
  @Test("fills the width, downwards")
  func fillsDownwards() {
    let lines = ColumnLayout.lines(["a", "bb", "ccc", "d", "e"], width: 16)
    #expect(lines == ["a    ccc  e", "bb   d"])
  }

  @Test("puts a name that is too long on its own line")
  func longNames() {
    #expect(ColumnLayout.lines(["long", "name"], width: 3) == ["long", "name"])
  }

  @Test("returns no lines for no names")
  func empty() {
    #expect(ColumnLayout.lines([], width: 80) == [])
  }
}
