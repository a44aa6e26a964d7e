import Testing

@MainActor
@Suite("signup")
struct SignUpModuleTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  /// Lua code that moves to the summary, with a topic chosen.
  private nonisolated static let toSummary =
    "signup.data.topics = {'Testing'} for _ = 1, 4 do signup.next() end "

  /// Lua that fills in what is accepted.
  private nonisolated static let fill = """
    local data = signup.data
    data.email, data.password, data.password_confirmation = "jane@example.com", "sesame", "sesame"
    """

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

  @Test("is separate in each app")
  func sharesNothing() async throws {
    #expect(
      try await app.text(
        """
        local other = store.new()
        other.signup.next()
        other.signup.data.email = "jane@example.com"
        other.signup.data.topics = {"Testing"}
        signup.data.topics = other.signup.data.topics
        other.signup.data.topics = {}
        return signup.step, signup.data.email == "", other.signup.step, signup.data.topics[1]
        """) == "nil true basics Testing")
  }

  @Test("is observed by the paths of its parts")
  func observed() async throws {
    #expect(
      try await app.text(
        """
        local seen = {}
        for _, path in ipairs({ "path", "step", "data", "sheet", "alert", "submitted" }) do
          store.subscribe("signup." .. path, function() seen[#seen + 1] = path end)
        end
        \(Self.fill)
        \(Self.toSummary)
        signup.edit("topics") signup.done() signup.submit()
        return table.concat(seen, " ")
        """)
        == "data data data data path step path step path step path step sheet sheet data submitted")
  }
}
