import Lua
import Testing

@MainActor
@Suite("App objects at the prompt")
struct ValuesAppTests {
  private let lua: ValuesInLua

  init() throws { lua = try ValuesInLua() }

  @Test(
    "in full",
    arguments: PromptCase.list(
      #"""
      -- shows a record by its fields
      > persons.add { name = 'Majid', age = 27 } return persons[1]
      person 1 { name = "Majid", age = 27 }
      -- shows the only record of its kind, with bullets for passwords
      > signup.data.password = 'Zx9pwd' signup.data.first_name = 'Annabel' return signup.data
      signup.data {
        email = "",
        password = "••••••",
        password_confirmation = "",
        first_name = "Annabel",
      }
      -- says that a record was removed
      > local ann = persons.add { name = 'Ann', age = 30 } persons.remove(1) return ann, { ann }
      person 1 (removed)   { person 1 (removed) }
      -- escapes what a record's text contains
      > return todo.add('\27[2J\u{202e}')
      ☐ \x1b[2J\u{202e}  todo.item 1 {
        text = "\x1b[2J\u{202e}",
        done = false,
      }
      -- shows a record with a mark by its title
      > return todo.add('bread')
      ☐ bread  todo.item 1 { text = "bread", done = false }
      -- shows records with a mark among others by their titles alone
      > local item = todo.add('milk') item.done = true return { todo.add('bread'), item, 1 }
      { ☐ bread, ☑ milk, 1 }
      -- shows a module that is a list with its elements
      > favorites.add(2) favorites.add(3) return favorites
      favorites { 2, 3 }
      module favorites: 3 members, help(favorites)
      -- shows a module that is an empty list with braces
      > return app.favorites
      favorites {}
      module favorites: 3 members, help(favorites)
      -- shows the module of a fresh app as the session's
      > local a = store.new() a.favorites.add(7) return a.favorites
      favorites { 7 }
      module favorites: 3 members, help(favorites)
      -- shows a fresh app with the modules that were used
      > local a = store.new() a.counter.increment() return a
      app { counter = module counter }
      -- shows modules among others by their names alone
      > return { json, task }
      { module json, module task }
      -- shows tasks with their status
      > local waiting = task.spawn(function() task.sleep(1) end)
      . local failed = task.spawn(error)
      . pcall(failed.await, failed)
      . return task.spawn(type, 1), waiting, failed
      task (done)   task (waiting)   task (failed)
      -- shows subscriptions
      > return store.subscribe('todo', print)
      subscription
      """#)
      + PromptCase.list(
        columns: 80,
        """
        -- shows the values of a module, and how to learn more
        > counter.increment(2) return counter
        counter { count = 2, loading = false, alert = nil, modal = nil }
        module counter: 8 members, help(counter)
        """))
  func shown(_ example: PromptCase) async throws { try await lua.check(example) }

  @Test("shows a module without values by its name and how to learn more")
  func modules() async throws {
    #expect(try await lua.shown("return task").hasPrefix("module task: "))
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
}
