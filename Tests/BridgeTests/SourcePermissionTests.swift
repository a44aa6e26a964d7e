import PrimereplLoading
import Testing

@MainActor
@Suite("Sources without permission to read files")
struct SourcePermissionTests {
  private let app: AppInLua

  init() throws { app = try AppInLua(documents: .refusing) }

  @Test("are refused", arguments: ["todo.fetch", "persons.fetch", "landmarks.load"])
  func refused(fetch: String) async {
    #expect(await app.failure("\(fetch)('todos.json')")?.code == "source_not_allowed")
  }

  @Test("are there if they are built in")
  func builtIn() async throws {
    #expect(
      try await app.text("persons.fetch() landmarks.load() return #persons, #landmarks.all")
        == "3 12")
  }
}
