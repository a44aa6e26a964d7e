import Testing

@MainActor
@Suite("help and inspect")
struct HelpTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  /// What a call of `help` prints.
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
    #expect(text.hasPrefix(title))
    #expect(text.contains("\n  \(member)"))
  }

  @Test(
    "shows a function's signature, description and example, and whether it waits",
    arguments: ["prime.nth", "'prime.nth'"])
  func function(subject: String) async throws {
    let text = try await help(subject)
    #expect(text.hasPrefix("prime.nth(n: integer): integer\n"))
    #expect(text.contains("Waits"))
    #expect(text.contains("Example: prime.nth("))
  }

  @Test(
    "says so if no help exists", arguments: ["1", "{}", "print", "'nothing'", "'counter.x'"])
  func nothing(subject: String) async throws {
    #expect(try await help(subject).contains("help("))
  }

  @Test("every member has a line of help and an example that compiles")
  func complete() throws {
    for module in app.session.modules {
      #expect(!module.help.isEmpty)
      for member in module.documentation {
        #expect(!member.help.isEmpty && !member.help.contains("\n"))
        #expect(throws: Never.self, "\(module.name).\(member.name): \(member.example)") {
          let code = member.example.split(separator: " -->")[0]
          do {
            _ = try app.state.load("return \(code)", name: .text("example"))
          } catch {
            _ = try app.state.load(String(code), name: .text("example"))
          }
        }
      }
    }
  }

  @Test(
    "inspect writes values as Lua text",
    arguments: [
      ("nil", "nil"), ("1.0", "1.0"), ("'a\"\\n'", #""a\"\n""#), ("{}", "{}"),
      ("{1, 2}", "{ 1, 2 }"),
      ("{b = 1, a = {true}}", "{ a = { true }, b = 1 }"),
      ("{['a b'] = 1, ['end'] = 2, [10] = 3}", #"{ [10] = 3, ["a b"] = 1, ["end"] = 2 }"#),
      ("(function() local t = {} t.t = t return t end)()", "{ t = <cycle> }"),
      ("favorites", "{ 2, 3 }"), ("todo.items", "{}"), ("counter.alert", "nil"),
    ])
  func inspect(value: String, text: String) async throws {
    try await app.run("favorites.add(2) favorites.add(3)")
    #expect(try await app.text("return inspect(\(value))") == text)
  }

  @Test("inspect wraps values that don't fit on a line")
  func inspectLong() async throws {
    #expect(
      try await app.text("return inspect({ ('x'):rep(50), { ('y'):rep(30) } })")
        == """
        {
          "\(String(repeating: "x", count: 50))",
          {
            "\(String(repeating: "y", count: 30))",
          },
        }
        """)
  }
}
