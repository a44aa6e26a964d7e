import Testing

@MainActor
@Suite("signup.data")
struct SignUpRecordTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test("is one object, and so are its topics")
  func identity() async throws {
    #expect(
      try await app.text(
        """
        return signup.data == signup.data, signup.data.topics == signup.data.topics,
          signup.data == store.new().signup.data
        """) == "true true false")
  }

  @Test(
    "accepts only valid UTF-8, and names the field",
    arguments: ["email", "password"],
    [
      ("nil", "string expected, got nil"), ("7", "string expected, got number"),
      ("true", "string expected, got boolean"), ("{}", "string expected, got table"),
      (#""\xff""#, "a string of valid UTF-8 expected, got other bytes"),
    ])
  func wrongText(field: String, value: (code: String, problem: String)) async {
    let error = await app.failure("signup.data.\(field) = \(value.code)")
    #expect(error?.code == "bad_argument")
    #expect(error?.message == "bad value for 'signup.data.\(field)' (\(value.problem))")
    #expect(error?.location == "test:1")
  }

  @Test("accepts text of ten megabytes")
  func hugeText() async throws {
    #expect(
      try await app.text(
        """
        local huge, data = ("x"):rep(10 * 1024 * 1024), signup.data
        data.email, data.password, data.phone_number = huge, huge, huge
        local function code(body) return select(2, pcall(body)).code end
        return #data.email, utf8.len(data.password), #data.phone_number,
          code(function() data.topics = { huge } end), code(function() signup.edit(huge) end),
          code(function() data[huge] = 1 end)
        """) == "10485760 10485760 10485760 unknown_topic not_editable unknown_field")
  }

  @Test("is written as Lua text, with bullets for the passwords")
  func text() async throws {
    #expect(
      try await app.text(
        """
        local data = signup.data
        data.email, data.password, data.first_name = "jane@example.com", "ab", 'J"'
        data.topics = {"Testing", "SwiftUI"}
        return tostring(data) == "" .. data and tostring(data)
        """)
        == #"{ email = "jane@example.com", password = "••", password_confirmation = "", "#
        + #"first_name = "J\"", last_name = "", phone_number = "", "#
        + #"topics = { "Testing", "SwiftUI" } }"#)
  }

  @Test("lets pairs go through its fields in their order, with the live topics")
  func pairs() async throws {
    #expect(
      try await app.text(
        """
        signup.data.email, signup.data.password = "jane@example.com", "ab"
        local names, values = {}, {}
        for name, value in pairs(signup.data) do
          names[#names + 1] = name
          values[name] = value
        end
        return table.concat(names, " "), values.email, values.password, values.topics == signup.data.topics
        """)
        == "email password password_confirmation first_name last_name phone_number topics "
        + "jane@example.com •• true")
  }
}
