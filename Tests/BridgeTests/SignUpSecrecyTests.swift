import Lua
import Testing

@MainActor
@Suite("The passwords of signup")
struct SignUpSecrecyTests {
  private let app: AppInLua

  /// A password that must show nowhere; failing scripts don't contain it as text, since a traceback may quote them.
  private nonisolated static let password = "hunter2"

  /// Lua that gives the password.
  private nonisolated static let given = "('hun' .. 'ter' .. 2)"

  init() async throws {
    app = try AppInLua()
    try await app.run(
      """
      signup.data.email = "jane@example.com"
      signup.data.password, signup.data.password_confirmation = \(Self.given), \(Self.given)
      """)
  }

  @Test("don't appear in the tests by mistake")
  func given() async throws {
    #expect(try await app.text("return \(Self.given)") == Self.password)
    #expect(
      try await app.text(
        "signup.data.topics = {'Testing'} for _ = 1, 4 do signup.next() end return signup.submit()")
        == "true")
  }

  @Test(
    "never appear in anything a script can read",
    arguments: [
      "tostring(signup.data)", "'' .. signup.data", "inspect(signup.data)", "inspect(signup)",
      "inspect(store.state())", "inspect(app)", "signup.data.password",
      "signup.data.password_confirmation", "store.state().signup.data.password",
      "('%s'):format(signup.data)",
    ])
  func texts(code: String) async throws {
    let text = try await app.text("return \(code)")
    #expect(!text.contains(Self.password))
    #expect(!text.isEmpty)
  }

  @Test("never appear in reports to subscribers")
  func subscribers() async throws {
    let text = try await app.text(
      """
      local told = {}
      for _, path in ipairs({ "", "signup", "signup.data" }) do
        store.subscribe(path, function(...) told[#told + 1] = inspect({ ... }) end)
      end
      signup.data.password = "new " .. \(Self.given)
      return #told, table.concat(told, " ")
      """)
    #expect(text.hasPrefix("3 "))
    #expect(text.contains("•••••••••••"))
    #expect(!text.contains(Self.password))
  }

  @Test(
    "never appear in errors or tracebacks",
    arguments: [
      "signup.data.pasword = P", "signup.data.password = P .. '\\xff'",
      "signup.data.password = { P }", "signup.data.password = setmetatable({ P }, {})",
      "signup.data.password = function() return P end", "signup.data = P",
      "signup.submit(P)", "signup.data.password.x = P", "signup.data.password = nil",
      "signup.data:password(P)", "signup.data.password_confirmation = tonumber('7')",
      "store.subscribe('signup.data', function() error('no') end) signup.data.password = P .. P",
    ])
  func errors(code: String) async throws {
    var reported: [any Error] = []
    app.session.store.onObserverFailure = { reported.append($0) }
    let error = await app.failure("local P = \(Self.given) \(code)")
    let errors = reported + [error].compactMap { $0 }
    try #require(errors.count == 1)
    for error in errors {
      let luaError = try #require(error as? LuaError)
      let texts = [
        "\(luaError)", luaError.message, luaError.traceback ?? "", "\(luaError.location as Any)",
        "\(luaError.underlying as Any)",
      ]
      for text in texts { #expect(!text.contains(Self.password)) }
      var dumped = ""
      dump(luaError, to: &dumped)
      #expect(!dumped.contains(Self.password))
    }
  }
}
