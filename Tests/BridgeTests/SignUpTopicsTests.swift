import Testing
import TestSupport

@MainActor
@Suite("signup.data.topics")
struct SignUpTopicsTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  /// Runs Lua with the topics Concurrency, SwiftUI and Testing as `topics`, and gives those it leaves.
  private func topics(after code: String) async throws -> String {
    try await app.text(
      """
      signup.data.topics = {"Concurrency", "SwiftUI", "Testing"}
      local topics = signup.data.topics
      local function refused(change)
        local ok, err = pcall(change)
        assert(not ok and err.code == "duplicate_topic", err)
      end
      \(code)
      return table.concat(store.state().signup.data.topics, ", ")
      """)
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- is a sequence that always shows the current record
      local topics, seen = signup.data.topics, {}
      local before = #topics
      signup.data.topics = {"Testing", "SwiftUI"}
      for i, name in ipairs(topics) do seen[#seen + 1] = i .. name end
      for i, name in pairs(topics) do seen[#seen + 1] = i .. name end
      return before, #topics, topics[1], topics[2], table.concat(seen, " "),
        table.concat(topics, "+"), table.unpack(topics)
      --> 0 2 Testing SwiftUI 1Testing 2SwiftUI 1Testing 2SwiftUI Testing+SwiftUI Testing SwiftUI
      -- is written as its names
      signup.data.topics = {'Testing', 'SwiftUI'} return tostring(signup.data.topics)
      --> Testing, SwiftUI
      signup.data.topics = {'Testing', 'SwiftUI'} return inspect(signup.data.topics)
      --> { "Testing", "SwiftUI" }
      """))
  func scripts(example: LuaCase) async throws { try await app.check(example) }

  @Test(
    "in scripts that change them",
    arguments: LuaCase.list(
      """
      -- can be changed like a table
      table.insert(topics, 'Modern SwiftUI') --> Concurrency, SwiftUI, Testing, Modern SwiftUI
      assert(table.remove(topics) == 'Testing') --> Concurrency, SwiftUI
      assert(table.remove(topics, 2) == 'SwiftUI') --> Concurrency, Testing
      for _ = 1, 3 do table.remove(topics, 1) end -->
      topics[2] = 'Modern SwiftUI' --> Concurrency, Modern SwiftUI, Testing
      topics[#topics] = nil --> Concurrency, SwiftUI
      table.sort(topics, function(a, b) return a > b end) --> Testing, SwiftUI, Concurrency
      topics[7] = nil --> Concurrency, SwiftUI, Testing
      -- keeps each topic once: assigning a chosen one exchanges the two
      topics[1] = 'Testing' --> Testing, SwiftUI, Concurrency
      topics[2] = topics[2] --> Concurrency, SwiftUI, Testing
      -- is replaced by a table of names or another such sequence
      signup.data.topics = {} -->
      signup.data.topics = {'Testing', 'Advanced Swift'} --> Testing, Advanced Swift
      signup.data.topics = signup.data.topics --> Concurrency, SwiftUI, Testing
      signup.data.topics = signup.topics
      --> Advanced Swift, Composable Architecture, Concurrency, Modern SwiftUI, SwiftUI, Testing
      signup.data.topics = store.new().signup.data.topics -->
      -- refuses a topic that is already chosen, and doesn't change
      refused(function() signup.data.topics = {'Testing', 'SwiftUI', 'Testing'} end)
      --> Concurrency, SwiftUI, Testing
      refused(function() table.insert(topics, 'Testing') end) --> Concurrency, SwiftUI, Testing
      refused(function() topics[4] = 'SwiftUI' end) --> Concurrency, SwiftUI, Testing
      -- refuses to insert one, which would be there twice for a moment
      refused(function() table.insert(topics, 1, 'Modern SwiftUI') end)
      --> Concurrency, SwiftUI, Testing
      """))
  func changes(example: LuaCase) async throws {
    #expect(try await topics(after: example.code) == example.result)
  }

  @Test(
    "refuses an unknown topic, and lists the valid ones",
    arguments: [
      "signup.data.topics = {'Testing', V}", "signup.data.topics[1] = V",
      "table.insert(signup.data.topics, V)",
    ],
    [
      ("'swiftui'", "\"swiftui\": did you mean \"SwiftUI\"?"), ("'Cooking'", "\"Cooking\"."),
    ])
  func unknown(code: String, name: (code: String, words: String)) async throws {
    let error = await app.failure(code.replacing("V", with: name.code))
    #expect(error?.code == "unknown_topic")
    #expect(
      error?.message == "Unknown topic \(name.words) The topics are: Advanced Swift, "
        + "Composable Architecture, Concurrency, Modern SwiftUI, SwiftUI, Testing.")
    #expect(try await app.text("return #signup.data.topics") == "0")
  }
}
