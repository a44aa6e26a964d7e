import LineEditing
import Testing

@Suite("Styled text")
struct StyledTextTests {
  @Test("joins runs of the same style")
  func joins() {
    var text = StyledText("a", .bold)
    text.append(StyledText("b", .bold) + StyledText("c"))
    #expect(text.runs.map(\.text) == ["ab", "c"])
    #expect(text.text == "abc")
  }
}
