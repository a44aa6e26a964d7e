import Testing

@testable import Console

@Suite("Prompt text")
struct PromptTextTests {
  private func marked(_ prompt: String) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: PromptText(prompt).marked)
    return String(text).replacing("\u{1}", with: "|").replacing("\u{1B}", with: "E")
  }

  @Test(
    "marks joined color sequences in front of a visible character",
    arguments: [
      ("> ", "> "),
      ("\u{1B}[36m>\u{1B}[0m ", "|E[36m|>|E[0m| "),
      ("\u{1B}[1m\u{1B}[36m>\u{1B}[0m ", "|E[1mE[36m|>|E[0m| "),
      ("\u{1B}[36m> \u{1B}[0m", "|E[36m|>|E[0m| "),
      ("", ""),
      ("\u{1B}[0m", ""),
      ("日> \u{1B}[", "日>|E[| "),
    ])
  func marks(prompt: String, expected: String) {
    #expect(marked(prompt) == expected)
  }

  @Test("knows what is visible")
  func knowsVisible() {
    #expect(PromptText("\u{1B}[1;36m>\u{1B}[0m ").visible == [">", " "])
  }
}
