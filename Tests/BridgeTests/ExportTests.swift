import Scripting
import StateStore
import Testing
import TestSupport

@Suite("store.export and store.import")
@MainActor
struct ExportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func app() throws -> AppInLua { try AppInLua() }

  private func read(_ name: String) throws -> String { try folder.read(name) }

  @Test("write the state in a script as an indented table, with json.null for nothing")
  func readable() async throws {
    try await app().run(
      """
      counter.count = 17 counter.ask_is_prime() todo.add("milk") todo.add("bread")
      store.export("\(folder.path)/state.lua")
      """)
    let text = try read("state.lua")
    #expect(
      text.contains(
        """
        assert(file:write(json.encode({
          format = 1,
          counter = {
            count = 17,
            loading = false,
            alert = json.null,
        """))
    #expect(text.contains("    items = { { id = 2, text = \"bread\""))
    #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 120 })
  }

  @Test("give back the same state by a script, for random sessions", arguments: 0..<5)
  func random(seed: Int) async throws {
    let session = try RandomSession(seed: seed)
    _ = try await session.record(steps: 100)
    let store = session.app.session.store
    let second = try app()
    let script = LuaText(documentOf: store.states, store.schema).linesThatWrite()
    try await second.run(
      (["local path = '\(folder.path)/state.json'"] + script + ["store.import(path)"])
        .joined(separator: "\n"))
    try await second.run("store.export('\(folder.path)/second.json')")
    #expect(try read("second.json") == StateDocument.json(of: store.states, store.schema))
  }

  @Test(
    "write a script that brings its own landmarks, and the last query of a removed item, also for a name in capitals"
  )
  func otherLandmarks() async throws {
    let path = try folder.write(
      #"""
      [{"id": 5, "name": "Pond", "park": "", "state": "", "category": "", "latitude": 0.1,
        "longitude": -1e-7, "is_favorite": true, "is_featured": false}]
      """#, to: "landmarks.json")
    let first = try app()
    try await first.run(
      """
      landmarks.load("\(path)") landmarks.select(5)
      todo.add("first") todo.remove(todo.add("second").id)
      store.export("\(folder.path)/state.LUA")
      """)
    let second = try app()
    try await second.run(read("state.LUA"))
    #expect(
      try await second.text("return landmarks.selected, landmarks.get(5).longitude, #todo.items")
        == "5 -1e-07 1")
    #expect(try await second.text("todo.recover_last_query() return todo.query") == "second")
  }
}
