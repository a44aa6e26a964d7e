import Lua
import SampleApp
import Testing

@MainActor
@Suite("App objects at the prompt")
struct ValuesAppTests {
  private let lua: ValuesInLua

  init() throws { lua = try ValuesInLua() }

  @Test(
    "in full",
    arguments: [
      ShownCase(
        "shows the values of a module, and how to learn more",
        "counter.increment(2) return counter",
        """
        counter { count = 2, loading = false, alert = nil, modal = nil }
        module counter: 8 members, help(counter)
        """, columns: 80),
      ShownCase(
        "shows a record by its fields",
        "\(Persons.three) return persons[1]", #"person 1 { name = "Majid", age = 27 }"#),
      ShownCase(
        "shows the only record of its kind, with bullets for passwords",
        "signup.data.password = 'Zx9pwd' signup.data.first_name = 'Annabel' return signup.data",
        """
        signup.data {
          email = "",
          password = "••••••",
          password_confirmation = "",
          first_name = "Annabel",
        }
        """),
      ShownCase(
        "says that a record was removed",
        "\(Persons.three) local john = persons[2] persons.remove(2) return john, { john }",
        "person 2 (removed)   { person 2 (removed) }"),
      ShownCase(
        "escapes what a record's text contains",
        "return todo.add('\\27[2J\\u{202e}')",
        #"""
        ☐ \x1b[2J\u{202e}  todo.item 1 {
          text = "\x1b[2J\u{202e}",
          done = false,
        }
        """#),
      ShownCase(
        "shows a record with a mark by its title",
        "return todo.add('bread')", #"☐ bread  todo.item 1 { text = "bread", done = false }"#),
      ShownCase(
        "shows records with a mark among others by their titles alone",
        "local item = todo.add('milk') item.done = true return { todo.add('bread'), item, 1 }",
        "{ ☐ bread, ☑ milk, 1 }"),
      ShownCase(
        "shows a module that is a list with its elements",
        "favorites.add(2) favorites.add(3) return favorites",
        """
        favorites { 2, 3 }
        module favorites: 3 members, help(favorites)
        """),
      ShownCase(
        "shows a module that is an empty list with braces",
        "return app.favorites",
        """
        favorites {}
        module favorites: 3 members, help(favorites)
        """),
      ShownCase(
        "shows the module of a fresh app as the session's",
        "local a = store.new() a.favorites.add(7) return a.favorites",
        """
        favorites { 7 }
        module favorites: 3 members, help(favorites)
        """),
      ShownCase(
        "shows a fresh app with the modules that were used",
        "local a = store.new() a.counter.increment() return a",
        "app { counter = module counter }"),
    ])
  func shown(_ example: ShownCase) async throws {
    #expect(try await lua.shown(example) == example.text)
  }

  @Test("shows a module without values by its name and how to learn more")
  func modules() async throws {
    #expect(try await lua.shown("return task").hasPrefix("module task: "))
    #expect(try await lua.shown("return { json, task }") == "{ module json, module task }")
  }

  /// A sequence of texts.
  private final class Words: LuaExposed {
    static let luaTypeName = "words"

    static func describe(_ members: LuaClass<Words>) {
      members.sequence(count: { _ in 2 }, element: { ["milk", "tea"][$1] })
    }
  }

  @Test("shows a sequence of the host by its name, with its elements")
  func sequence() async throws {
    try lua.state.setGlobal("words", to: Words())
    #expect(try await lua.shown("return words") == #"words { "milk", "tea" }"#)
  }

  @Test("shows tasks with their status, and subscriptions")
  func tasks() async throws {
    #expect(
      try await lua.shown(
        """
        local waiting = task.spawn(function() task.sleep(1) end)
        local failed = task.spawn(error)
        pcall(failed.await, failed)
        return task.spawn(type, 1), waiting, failed
        """) == "task (done)   task (waiting)   task (failed)")
    #expect(try await lua.shown("return store.subscribe('todo', print)") == "subscription")
  }
}
