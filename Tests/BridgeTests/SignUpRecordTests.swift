import Testing
import TestSupport

@MainActor
@Suite("signup.data")
struct SignUpRecordTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      #"""
      -- is one object, and so are its topics
      return signup.data == signup.data, signup.data.topics == signup.data.topics,
        signup.data == store.new().signup.data --> true true false
      -- is written as Lua text, with bullets for the passwords
      local data = signup.data
      data.email, data.password, data.first_name = "jane@example.com", "ab", 'J"'
      data.topics = {"Testing", "SwiftUI"}
      return tostring(data) == "" .. data and tostring(data)
      --> { email = "jane@example.com", password = "••", password_confirmation = "", first_name =
      --> "J\"", last_name = "", phone_number = "", topics = { "Testing", "SwiftUI" } }
      -- lets pairs go through its fields in their order, with the live topics
      signup.data.email, signup.data.password = "jane@example.com", "ab"
      local names, values = {}, {}
      for name, value in pairs(signup.data) do
        names[#names + 1] = name
        values[name] = value
      end
      return table.concat(names, " "), values.email, values.password, values.topics == signup.data.topics
      --> email password password_confirmation first_name last_name phone_number topics
      --> jane@example.com •• true
      """#))
  func scripts(example: LuaCase) async throws { try await app.check(example) }
}
