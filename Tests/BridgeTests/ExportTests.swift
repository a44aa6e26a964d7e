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

  /// Lua code that changes every part of the state that actions can recreate.
  private static let setup = """
    counter.count = 17 counter.ask_is_prime()
    favorites.add(17) favorites.add(2)
    todo.add("milk\\n\\"quoted\\" \\0 ]]").done = true
    todo.add("bread")
    todo.query = "é"
    persons.add{name = "Ann", age = 30} persons.add{name = "Bob", age = 0}
    landmarks.load() landmarks.toggle_favorite(2) landmarks.select(3)
    landmarks.show_favorites_only = true
    signup.data.email = "ann@example.com" signup.data.topics = {"Testing", "SwiftUI"}
    signup.next() signup.next() signup.next() signup.next()
    signup.edit("topics") signup.data.topics = {}
    """

  @Test("write a script that recreates the state", arguments: ["state.lua", "state.LUA"])
  func script(name: String) async throws {
    let first = try app()
    try await first.run(
      """
      \(Self.setup)
      store.export("\(folder.path)/\(name)") store.export("\(folder.path)/first.json")
      """)
    let second = try app()
    try await second.run("counter.count = 5 favorites.add(3)")
    try await second.run(read(name))
    try await second.run("store.export(\"\(folder.path)/second.json\")")
    #expect(try read("second.json") == read("first.json"))
  }

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
    let script = LuaDocument(of: store.states, store.schema).linesThatWrite()
    try await second.run(
      (["local path = '\(folder.path)/state.json'"] + script + ["store.import(path)"])
        .joined(separator: "\n"))
    try await second.run("store.export('\(folder.path)/second.json')")
    #expect(try read("second.json") == StateDocument.json(of: store.states, store.schema))
  }

  @Test("write a script that brings its own landmarks, and the last query of a removed item")
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
      store.export("\(folder.path)/state.lua") store.export("\(folder.path)/first.json")
      """)
    let second = try app()
    try await second.run(read("state.lua"))
    #expect(
      try await second.text("return landmarks.selected, landmarks.get(5).longitude, #todo.items")
        == "5 -1e-07 1")
    #expect(try await second.text("todo.recover_last_query() return todo.query") == "second")
  }
}
