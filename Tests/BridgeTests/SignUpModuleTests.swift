import Testing

@MainActor
@Suite("signup")
struct SignUpModuleTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  /// Lua code that moves to the summary, with a topic chosen.
  private nonisolated static let toSummary =
    "signup.data.topics = {'Testing'} for _ = 1, 4 do signup.next() end "

  @Test(
    "has no sheet for other steps, and lists the valid ones",
    arguments: [
      ("'topic'", "\"topic\": did you mean \"topics\"? What"), ("'basics'", "\"basics\". What"),
      ("'\\27[31m'", "\"\\x1b[31m\". What"),
    ])
  func notEditable(step: String, words: String) async {
    let error = await app.failure("\(Self.toSummary) signup.edit(\(step))")
    #expect(error?.code == "not_editable")
    #expect(
      error?.message
        == "No sheet exists for \(words) can be edited on the summary: personal_info, topics.")
  }
}
