import SampleApp
import Testing

@testable import Scripting

@MainActor
@Suite("help")
struct HelpTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  /// The output of a call of `help`.
  private func help(_ arguments: String) async throws -> String {
    try await app.text(
      """
      local lines, original = {}, print
      function print(text) lines[#lines + 1] = text end
      local ok, err = pcall(help\(arguments.isEmpty ? "" : ", " + arguments))
      print = original
      return ok and table.concat(lines, "\\n") or err
      """)
  }

  @Test("lists all modules")
  func overview() async throws {
    let text = try await help("")
    for module in app.session.modules { #expect(text.contains("\(module.name) ")) }
  }

  @Test("lists the members of a module", arguments: ["counter", "'counter'"])
  func module(subject: String) async throws {
    let text = try await help(subject)
    #expect(text.hasPrefix("counter: "))
    #expect(text.contains("  increment([by: integer]): integer  "))
    #expect(text.contains("  count: integer  "))
  }

  @Test(
    "lists the members of an object",
    arguments: [
      ("persons.add{name='Ann', age=30}", "An object of the kind person:", "age: integer"),
      ("todo.add('milk')", "An object of the kind todo.item:", "done: boolean"),
      ("signup.data", "An object of the kind signup.data:", "email: string"),
      ("store.subscribe('', print)", "An object of the kind subscription:", "cancel()"),
      ("task.spawn(print)", "An object of the kind task:", "await()"),
    ])
  func object(code: String, title: String, member: String) async throws {
    let text = try await help(code)
    #expect(text.contains(title))
    #expect(text.contains("\n  \(member)"))
  }

  @Test(
    "shows a function's signature, description and example, and whether it waits",
    arguments: ["oracle.nth", "'oracle.nth'"])
  func function(subject: String) async throws {
    let text = try await help(subject)
    #expect(text.hasPrefix("oracle.nth(n: integer): integer\n"))
    #expect(text.contains("Waits"))
    #expect(text.contains("Example: oracle.nth("))
  }

  @Test(
    "says so if no help exists", arguments: ["1", "{}", "function() end", "true", "'\\255'"])
  func nothing(subject: String) async throws {
    #expect(try await help(subject).contains("help()"))
  }

  @Test(
    "lists the elements' type of a sequence",
    arguments: [
      ("todo.items", "todo.items", "todo.item: #list, list[i], ipairs(list)"),
      ("favorites", "favorites", "integer: #favorites, favorites[i], ipairs(favorites)"),
      ("persons", "persons", "person: #persons, persons[i], ipairs(persons)"),
    ])
  func sequence(subject: String, name: String, uses: String) async throws {
    let text = try await help(subject).replacing("\n", with: " ")
    #expect(text.contains("A sequence of elements of the type \(uses)."))
    #expect(text.contains(name))
  }

  @Test("lists the members of a sequence's elements", arguments: ["todo.items", "'todo.items'"])
  func elements(subject: String) async throws {
    let text = try await help(subject)
    #expect(text.contains("An object of the kind todo.item:\n"))
    #expect(text.contains("  done: boolean  "))
  }

  @Test("lists the codes of a module's errors")
  func errorCodes() async throws {
    #expect(try await help("favorites").contains("Error codes: "))
    #expect(try await help("favorites").contains("not_prime"))
    #expect(try await !help("task").contains("Error codes"))
  }

  @Test(
    "describes the other global variables",
    arguments: [
      ("help", "help([x: any])"), ("'inspect'", "inspect(value: any): string"), ("app", "app: app"),
    ])
  func globals(subject: String, signature: String) async throws {
    #expect(try await help(subject).hasPrefix(signature))
  }

  @Test("describes a method by its class")
  func method() async throws {
    #expect(try await help("'task.await'").hasPrefix("task:await(): any...\n  Waits for the task"))
    #expect(try await help("'person.age'").hasPrefix("person.age: integer\n"))
  }

  // MARK: - Search

  /// The signatures that a search finds, in their order.
  private func found(_ text: String) async throws -> [String] {
    try await help("'\(text)'").split(separator: "\n").dropFirst()
      .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .map { String($0.dropFirst(2).prefix { $0 != " " && $0 != "(" && $0 != ":" }) }
  }

  @Test("finds every member with a text in its name, help or example, the best first")
  func search() async throws {
    let nth = try await found("nth")
    #expect(nth.prefix(1) == ["oracle.nth"])
    #expect(nth.contains("counter.ask_nth_prime"))
    let count = try await found("count")
    #expect(count.first == "counter.count")
    #expect(count.contains("counter"))
    #expect(try await found("ask_nth").first == "counter.ask_nth_prime")
  }

  @Test("finds what has all words, in upper or lower case")
  func words() async throws {
    #expect(try await found("ANSWERS question") == ["oracle.ask"])
    #expect(try await found("question  answers") == ["oracle.ask"])
    #expect(try await found("ends subscription").contains("subscription"))
  }

  @Test(
    "without a match names the nearest",
    arguments: [
      ("conter", "counter"), ("counter.cuont", "counter.count"), ("incremnt", "increment"),
      ("task.awiat", "task.await"),
    ])
  func nearest(text: String, name: String) async throws {
    let text = try await help("'\(text)'").replacing("\n", with: " ")
    #expect(text.hasPrefix("There is no help on '"))
    #expect(text.contains("did you mean '\(name)'?"))
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
