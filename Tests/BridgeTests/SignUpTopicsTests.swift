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
    "can be changed like a table",
    arguments: [
      ("table.insert(topics, 'Modern SwiftUI')", "Concurrency, SwiftUI, Testing, Modern SwiftUI"),
      ("assert(table.remove(topics) == 'Testing')", "Concurrency, SwiftUI"),
      ("assert(table.remove(topics, 2) == 'SwiftUI')", "Concurrency, Testing"),
      ("for _ = 1, 3 do table.remove(topics, 1) end", ""),
      ("topics[2] = 'Modern SwiftUI'", "Concurrency, Modern SwiftUI, Testing"),
      ("topics[#topics] = nil", "Concurrency, SwiftUI"),
      ("table.sort(topics, function(a, b) return a > b end)", "Testing, SwiftUI, Concurrency"),
      ("topics[7] = nil", "Concurrency, SwiftUI, Testing"),
    ])
  func changes(code: String, topics: String) async throws {
    #expect(try await self.topics(after: code) == topics)
  }

  @Test("keeps each topic once: assigning a chosen one exchanges the two")
  func exchanges() async throws {
    #expect(try await topics(after: "topics[1] = 'Testing'") == "Testing, SwiftUI, Concurrency")
    #expect(try await topics(after: "topics[2] = topics[2]") == "Concurrency, SwiftUI, Testing")
  }

  @Test(
    "is replaced by a table of names or another such sequence",
    arguments: LuaCase.pairs(
      """
      {} -->
      {'Testing', 'Advanced Swift'} --> Testing, Advanced Swift
      signup.data.topics --> Concurrency, SwiftUI, Testing
      signup.topics
      --> Advanced Swift, Composable Architecture, Concurrency, Modern SwiftUI, SwiftUI, Testing
      store.new().signup.data.topics -->
      """))
  func replaced(value: String, topics: String) async throws {
    #expect(try await self.topics(after: "signup.data.topics = \(value)") == topics)
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

  @Test(
    "refuses a topic that is already chosen, and doesn't change",
    arguments: [
      "signup.data.topics = {'Testing', 'SwiftUI', 'Testing'}",
      "table.insert(topics, 'Testing')", "topics[4] = 'SwiftUI'",
      // It moves the last one before it puts the new one in place.
      "table.insert(topics, 1, 'Modern SwiftUI')",
    ])
  func duplicate(code: String) async throws {
    #expect(
      try await topics(
        after: """
          local ok, err = pcall(function() \(code) end)
          assert(not ok and err.code == "duplicate_topic", err)
          """) == "Concurrency, SwiftUI, Testing")
  }
}
