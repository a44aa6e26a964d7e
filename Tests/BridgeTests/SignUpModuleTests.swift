import Lua
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

  @Test("goes forward and back, and returns the step")
  func steps() async throws {
    #expect(
      try await app.text(
        """
        signup.data.topics = {"Testing"}
        local before = signup.step
        local steps = {}
        for _ = 1, 4 do steps[#steps + 1] = signup.next() end
        local path = table.concat(signup.path, " ")
        signup.back() signup.back()
        return before, table.concat(steps, " "), path, signup.back(), signup.step, signup.back(),
          signup.step, #signup.path
        """)
        == "nil basics personal_info topics summary basics personal_info topics summary "
        + "basics basics nil nil 0")
  }

  @Test("returns copies of the path and the topics: changing them changes nothing in the app")
  func copies() async throws {
    #expect(
      try await app.text(
        """
        signup.next()
        signup.path[1] = "summary"
        signup.topics[1] = "Cooking"
        return signup.path[1], table.concat(signup.topics, ", ")
        """)
        == "basics Advanced Swift, Composable Architecture, Concurrency, Modern SwiftUI, SwiftUI, "
        + "Testing")
  }

  @Test("doesn't move past its ends")
  func ends() async throws {
    #expect(await app.failure("signup.back()")?.code == "at_root")
    #expect(await app.failure("\(Self.toSummary) signup.next()")?.code == "no_next_step")
  }

  @Test("stays on the topics with an alert if none is chosen, without an error")
  func refusesToLeaveTopics() async throws {
    #expect(
      try await app.text(
        """
        for _ = 1, 3 do signup.next() end
        local step = signup.next()
        local title, problems, length = signup.alert.title, signup.alert.problems, #signup.path
        signup.dismiss_alert()
        return step, title, problems, length, signup.alert
        """) == "topics Please choose at least one topic. nil 3 nil")
  }

  @Test("edits in a sheet on the summary, which shows the changes at once")
  func sheet() async throws {
    #expect(
      try await app.text(
        """
        \(Self.toSummary)
        local data = signup.data
        local before = signup.sheet
        signup.edit("personal_info")
        local open = signup.sheet
        data.first_name = "Jane"
        local shown = store.state().signup.data.first_name
        signup.done()
        signup.edit("topics")
        data.topics = {}
        signup.done()
        return before, open, shown, signup.sheet, signup.alert.title
        """) == "nil personal_info Jane topics Please choose at least one topic.")
  }

  @Test(
    "refuses functions of other steps",
    arguments: [
      ("signup.done()", "no_sheet"), ("signup.submit()", "not_on_summary"),
      ("signup.edit('topics')", "not_on_summary"),
      ("\(toSummary) signup.edit('topics') signup.edit('personal_info')", "sheet_open"),
      ("\(toSummary) signup.edit('topics') signup.next()", "sheet_open"),
      ("\(toSummary) signup.edit('topics') signup.back()", "sheet_open"),
      ("\(toSummary) signup.edit('topics') signup.submit()", "sheet_open"),
      ("\(fill) \(toSummary) signup.submit() signup.submit()", "already_submitted"),
    ])
  func refuses(code: String, error: String) async {
    #expect(await app.failure(code)?.code.rawValue == error)
  }

  @Test(
    "has no sheet for other steps, and lists the valid ones",
    arguments: [
      ("'topic'", "\"topic\": did you mean \"topics\"? What"),
      ("'Personal_Info'", "\"Personal_Info\": did you mean \"personal_info\"? What"),
      ("'basics'", "\"basics\". What"), ("'summary'", "\"summary\". What"), ("''", "\"\". What"),
      ("'\\27[31m'", "\"\\x1b[31m\". What"),
    ])
  func notEditable(step: String, words: String) async {
    let error = await app.failure("\(Self.toSummary) signup.edit(\(step))")
    #expect(error?.code == "not_editable")
    #expect(
      error?.message
        == "No sheet exists for \(words) can be edited on the summary: personal_info, topics.")
  }

  @Test("submits a record without problems, once, and wipes the passwords")
  func submits() async throws {
    #expect(
      try await app.text(
        """
        \(Self.fill) \(Self.toSummary)
        local before = signup.submitted
        return before, signup.submit(), signup.submitted, data.password == "",
          data.password_confirmation == "", data.email, signup.alert
        """) == "false true true true true jane@example.com nil")
  }

  @Test("lists every problem of a refused record")
  func refusesSubmission() async throws {
    #expect(
      try await app.text(
        """
        \(Self.toSummary)
        signup.data.password = "sesame"
        signup.data.topics = {}
        return signup.submit(), signup.submitted, table.concat(signup.alert.problems, " "),
          signup.alert.title
        """) == """
          false false invalid_email passwords_differ no_topics \
          Please enter an email address, such as jane@example.com.
          Please confirm the password: the two are not the same.
          Please choose at least one topic.
          """)
  }

  @Test("starts over")
  func resets() async throws {
    #expect(
      try await app.text(
        """
        \(Self.fill) \(Self.toSummary) signup.submit() signup.reset()
        return signup.step, signup.submitted, data.email == "", #data.topics, signup.next()
        """) == "nil false true 0 basics")
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

  @Test("accepts no other arguments", arguments: ["", "nil", "7", "true", "{}", "print"])
  func arguments(argument: String) async {
    let error = await app.failure("signup.edit(\(argument))")
    #expect(error?.code == "bad_argument")
    #expect(
      error?.message.hasPrefix("bad argument #1 to 'signup.edit' (step: string expected, got ")
        == true)
  }

  @Test("suggests the dot for a colon")
  func colon() async {
    let error = await app.failure("signup:edit('topics')")
    #expect(
      error?.message.hasSuffix("; call it with a dot, not a colon: signup.edit(...)") == true)
  }

  @Test(
    "can be changed by its functions and by its record only",
    arguments: ["path", "step", "data", "sheet", "alert", "submitted", "topics"])
  func readOnly(field: String) async {
    let error = await app.failure("signup.\(field) = {}")
    #expect(error?.message == "signup.\(field) is read-only and can't be assigned")
  }
}
