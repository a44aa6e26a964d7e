import Foundation
import Testing

@MainActor
@Suite("todo")
struct TodoModuleTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test("adds items first, and returns them")
  func adds() async throws {
    #expect(
      try await app.text(
        """
        todo.query = "x"
        local a, b = todo.add("milk"), todo.add("bread")
        return a.text, a.done, a.id ~= b.id, #todo.items, todo.items[1].text, todo.items[2].id == a.id,
          todo.items[3], todo.query == ""
        """) == "milk false true 2 bread true nil true")
  }

  @Test("completes, reopens, renames and removes by id")
  func changes() async throws {
    #expect(
      try await app.text(
        """
        local id = todo.add("milk").id
        todo.complete(id) local done = todo.items[1].done
        todo.reopen(id) local reopened = todo.items[1].done
        todo.rename(id, "oat milk") local text = todo.items[1].text
        todo.remove(id)
        return done, reopened, text, #todo.items
        """) == "true false oat milk 0")
  }

  @Test(
    "doesn't find ids that never existed, or were removed",
    arguments: ["complete(99)", "reopen(-1)", "rename(0, 'x')", "remove(math.mininteger)"])
  func notFound(call: String) async {
    #expect(await app.failure("todo.\(call)")?.code == "not_found")
  }

  @Test("refuses blank text", arguments: ["''", "'  '", "'\\n\\t'"])
  func emptyText(text: String) async throws {
    #expect(await app.failure("todo.add(\(text))")?.code == "empty_text")
    #expect(
      await app.failure("todo.rename(todo.add('x').id, \(text))")?.code == "empty_text")
  }

  @Test("accepts texts of ten megabytes, and any Unicode")
  func hugeText() async throws {
    #expect(
      try await app.text(
        "todo.add(('é'):rep(5 * 1024 * 1024)) todo.add('\\u{1F389}') return #todo.items[2].text, todo.items[1].text"
      ) == "10485760 🎉")
  }

  @Test("ignores case in queries")
  func filtered() async throws {
    #expect(
      try await app.text(
        """
        todo.add("Éclair") todo.add("milk")
        todo.query = "é" local found = todo.filtered()
        todo.query = ""  local all = todo.filtered()
        return #found, found[1].text, #all
        """) == "1 Éclair 2")
  }

  @Test("recovers the last added text as the query, if any")
  func recovers() async throws {
    #expect(await app.failure("todo.recover_last_query()")?.code == "nothing_saved")
    #expect(
      try await app.text("todo.add('milk') todo.recover_last_query() return todo.query") == "milk")
  }

  @Test("fetches from the built-in source for two seconds, and is loading meanwhile")
  func fetches() async throws {
    async let text = app.text(
      """
      todo.add("old")
      local t = task.spawn(todo.fetch)
      local loading = todo.loading
      t:await()
      return loading, todo.loading, #todo.items, todo.items[1].text, todo.items[2].text
      """)
    await app.clock.waitForSleepers(1)
    app.clock.advance(by: .seconds(2))
    #expect(try await text == "true false 2 first item second item")
  }

  @Test("fetches from a JSON file")
  func fetchesFile() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    try Data(#"["a", {"text": "b", "done": true}]"#.utf8).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    #expect(
      try await app.text(
        "todo.fetch('\(file.path)') return todo.items[1].text, todo.items[2].text, todo.items[2].done"
      ) == "a b true")
  }

  @Test("keeps the items and says why when a fetch fails")
  func fetchFails() async throws {
    #expect(
      try await app.text(
        """
        todo.add("old")
        local ok, err = pcall(todo.fetch, "/nowhere.json")
        return ok, err.code, todo.error == err.message, todo.loading, #todo.items
        """) == "false not_readable true false 1")
  }

  @Test("ends a cancelled fetch")
  func cancels() async throws {
    #expect(
      try await app.text(
        """
        local t = task.spawn(todo.fetch)
        t:cancel()
        local ok, err = pcall(t.await, t)
        return ok, err.code, t.status, todo.loading, #todo.items
        """) == "false cancelled cancelled false 0")
  }
}
