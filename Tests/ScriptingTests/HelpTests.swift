import Lua
import SampleApp
import Testing
import TestSupport

@testable import Scripting

@MainActor
@Suite("help")
struct HelpTests {
  private let app: AppInLua

  init() throws {
    app = try AppInLua()
    try app.state.load(
      """
      function text(...)
        local lines, original = {}, print
        function print(text) lines[#lines + 1] = text end
        local ok, err = pcall(help, ...)
        print = original
        return ok and table.concat(lines, "\\n") or err
      end
      function line(...) return (text(...):gsub("\\n", " ")) end
      """
    ).call()
  }

  /// The output of a call of `help`.
  private func help(_ arguments: String) async throws -> String {
    try await app.text("return text(\(arguments))")
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      #"""
      -- lists the members of a module
      return text(counter) --> counter: …  increment([by: integer]): integer  …
      return text('counter') --> counter: …  count: integer  …
      -- lists the members of an object
      return text(persons.add{name='Ann', age=30})
      --> …An object of the kind person:…  age: integer…
      return text(todo.add('milk')) --> …An object of the kind todo.item:…  done: boolean…
      return text(signup.data) --> …An object of the kind signup.data:…  email: string…
      return text(store.subscribe('', print)) --> …An object of the kind subscription:…  cancel()…
      return text(task.spawn(print)) --> …An object of the kind task:…  await()…
      -- shows a function's signature, description and example, and whether it waits
      return text(oracle.nth) --> oracle.nth(n: integer): integer…Example: oracle.nth(…
      return text('oracle.nth') --> oracle.nth(n: integer): integer…Waits…
      -- says so if no help exists
      return text(1) --> …help()…
      return text({}) --> …help()…
      return text(function() end) --> …help()…
      return text(true) --> …help()…
      return text('\255') --> …help()…
      -- lists the elements' type of a sequence
      return line(todo.items)
      --> …A sequence of elements of the type todo.item: #list, list[i], ipairs(list).…
      return line(favorites)
      --> …A sequence of elements of the type integer: #favorites, favorites[i], ipairs(favorites).…
      return line(persons)
      --> …A sequence of elements of the type person: #persons, persons[i], ipairs(persons).…
      -- lists the members of a sequence's elements
      return text(todo.items) --> …An object of the kind todo.item:…  done: boolean  …
      return text('todo.items') --> …An object of the kind todo.item:…  done: boolean  …
      -- lists the codes of a module's errors
      return text(favorites) --> …Error codes: …not_prime…
      return text(task):find('Error codes') --> nil
      -- describes the other global variables
      return text(help) --> help([x: any])…
      return text('inspect') --> inspect(value: any): string…
      return text(app) --> app: app…
      -- describes a method by its class
      return line('task.await') --> task:await(): any...   Waits for the task…
      return text('person.age') --> person.age: integer…
      -- without a match names the nearest
      return line('conter') --> There is no help on '…did you mean 'counter'?…
      return line('counter.cuont') --> There is no help on '…did you mean 'counter.count'?…
      return line('incremnt') --> There is no help on '…did you mean 'increment'?…
      return line('task.awiat') --> There is no help on '…did you mean 'task.await'?…
      """#))
  func scripts(example: LuaCase) async throws { try await app.state.check(example) }

  @Test("lists all modules")
  func overview() async throws {
    let text = try await help("")
    for module in app.session.modules { #expect(text.contains("\(module.name) ")) }
  }

  // MARK: - Search

  /// The signatures that a search finds, in their order.
  private func found(_ text: String) async throws -> [String] {
    try await help("'\(text)'").split(separator: "\n").dropFirst()
      .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .map { String($0.dropFirst(2).prefix { $0 != " " && $0 != "(" && $0 != ":" }) }
  }

  @Test("finds every member with a text in its name or help, the best first")
  func search() async throws {
    let nth = try await found("nth")
    #expect(nth.prefix(1) == ["oracle.nth"])
    #expect(nth.contains("counter.ask_nth_prime"))
    let count = try await found("count")
    #expect(count.first == "counter.count")
    #expect(count.contains("counter"))
    #expect(try await found("ask_nth").first == "counter.ask_nth_prime")
  }

  @Test("leaves out what has a text only in its example")
  func examples() async throws {
    #expect(try await help("'counter.loading'").contains("Example: print("))
    #expect(try await !found("print").contains("counter.loading"))
  }

  @Test("finds what has all words, in upper or lower case")
  func words() async throws {
    #expect(try await found("ANSWERS question") == ["oracle.ask"])
    #expect(try await found("question  answers") == ["oracle.ask"])
    #expect(try await found("ends subscription").contains("subscription"))
  }

  @Test(
    "of a text that no name can be is short and harmless",
    arguments: [
      "('x'):rep(1000000)", "'\\27[31m'", "'zzzzzzzzzz'", "'\\0'", "'.'", "'..'", "'counter.'",
    ])
  func nonsense(subject: String) async throws {
    let text = try await help(subject)
    #expect(text.contains("help()") || text.contains("What has"))
    #expect(text.utf8.count < 20_000)
    #expect(!text.utf8.contains(0x1B))
  }

  @Test("of a blank text lists all modules")
  func blank() async throws {
    #expect(try await help("'  '") == help(""))
  }

  // MARK: - Width

  @Test("is wrapped at words to the width", arguments: [40, 60, 80, 132])
  func width(columns: Int) async throws {
    app.session.help.width = { columns }
    for subject in ["", "counter", "store", "'the'", "oracle.nth", "help"] {
      for line in try await help(subject).split(separator: "\n") where !line.contains("Example:") {
        let words = line.split(separator: " ")
        #expect(line.count <= columns || words.count == 1, "\(line)")
      }
    }
  }

  @Test("is readable even in a window without a width", arguments: [0, -1, Int.min])
  func noWidth(columns: Int) async throws {
    app.session.help.width = { columns }
    #expect(try await help("counter").contains("increment"))
  }

  @Test("has a line of usage, shown when only its name is typed")
  func usage() throws {
    #expect(
      app.session.help.usage.hasPrefix("help() lists the modules, help(counter) describes one")
    )
  }
}
