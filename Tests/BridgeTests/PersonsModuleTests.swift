import Foundation
import Testing

@MainActor
@Suite("persons")
struct PersonsModuleTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test("fetches from the built-in source, and is a sequence of persons")
  func fetches() async throws {
    #expect(
      try await app.text(
        """
        persons.fetch()
        local seen = {}
        for i, person in ipairs(persons) do seen[#seen + 1] = i .. person.name .. person.age end
        for i, person in pairs(persons) do seen[#seen + 1] = i .. person.id end
        return #persons, table.concat(seen, " "), persons.loading, persons.error
        """) == "3 1Majid27 2John31 3Fred25 11 22 33 false nil")
  }

  @Test("fetches from a JSON file, whose persons replace the others")
  func fetchesFile() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json")
    try Data(#"[{"name": "Zoë", "age": 150}]"#.utf8).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    #expect(
      try await app.text(
        """
        persons.fetch()
        persons.fetch("\(file.path)")
        return #persons, persons[1].name, persons[1].age, persons[1].id
        """) == "1 Zoë 150 4")
  }

  @Test("keeps the persons and says why when a fetch fails")
  func fetchFails() async throws {
    #expect(
      try await app.text(
        """
        persons.fetch()
        local ok, err = pcall(persons.fetch, "/nowhere.json")
        return ok, err.code, persons.error == err.message, persons.loading, #persons
        """) == "false not_readable true false 3")
  }

  @Test("edits a person by assigning a field, and every other handle sees it at once")
  func editsByField() async throws {
    #expect(
      try await app.text(
        """
        persons.fetch()
        local held, got = persons[2], persons.get(2)
        persons[2].name = "Jane"
        got.age = 32
        return held.name, held.age, persons[2].name, persons[2].age, store.state().persons[2].name
        """) == "Jane 32 Jane 32 Jane")
  }

  @Test("keeps a handle on its person, at any position")
  func boundToID() async throws {
    #expect(
      try await app.text(
        """
        persons.fetch()
        local john = persons[2]
        persons.remove(1)
        john.name = "Jane"
        local first = persons[1].name
        persons.remove(john.id)
        local ok, err = pcall(function() john.name = "Fred" end)
        return first, ok, err.code, err.message, persons[1].name
        """)
        == "Jane false not_found No person has the id 2: they were removed, "
        + "or never existed. Fred")
  }

  @Test(
    "raises an error for any use of a field of a removed person",
    arguments: ["persons.remove(2)", "persons.fetch()"],
    [
      "return john.id", "return john.name", "return john.age", "john.name = 'x'", "john.age = 1",
      "for _ in pairs(john) do end",
    ])
  func removed(removal: String, use: String) async {
    let error = await app.failure("persons.fetch() local john = persons[2] \(removal) \(use)")
    #expect(error?.code == "not_found")
  }

  @Test("prints a person with name and age, and marks a removed one")
  func prints() async throws {
    #expect(
      try await app.text(
        """
        persons.fetch()
        local john = persons[2]
        local text = tostring(john)
        persons.remove(2)
        return text, john, "it was " .. john
        """) == "person 2: John, 31 person 2 (removed) it was person 2 (removed)")
  }

  @Test("lists a person's fields by pairs, in their order")
  func pairs() async throws {
    #expect(
      try await app.text(
        """
        persons.fetch()
        local fields = {}
        for name, value in pairs(persons[2]) do fields[#fields + 1] = name .. "=" .. value end
        return table.concat(fields, " ")
        """) == "id=2 name=John age=31")
  }

  @Test("adds a person last, and returns the live record")
  func adds() async throws {
    #expect(
      try await app.text(
        """
        persons.fetch()
        local ann = persons.add{ name = "Ann", age = 30.0 }
        ann.age = ann.age + 1
        return #persons, persons[4] == ann, ann.id, ann.name, ann.age, math.type(ann.age)
        """) == "4 true 4 Ann 31 integer")
  }

  @Test("edits several fields in one action")
  func edits() async throws {
    #expect(
      try await app.text(
        """
        persons.fetch()
        local edits = 0
        local sub = store.subscribe("persons", function(list) edits = edits + #list end)
        persons.edit(2, { name = "Jane", age = 32 })
        persons.edit(1, { age = 28 })
        persons.edit(3, {})
        persons.edit(3, { name = "Fred", age = 25 })
        return edits, persons[1], persons[2], persons[3]
        """)
        == "2 person 1: Majid, 28 person 2: Jane, 32 person 3: Fred, 25")
  }

  @Test(
    "doesn't find persons that never existed",
    arguments: [
      "get(99)", "get(0)", "get(-1)", "get(math.maxinteger)", "get(math.mininteger)", "remove(99)",
      "remove(math.mininteger)", "edit(99, {name = 'x'})", "edit(math.maxinteger, {})",
    ])
  func notFound(call: String) async {
    #expect(await app.failure("persons.fetch() persons.\(call)")?.code == "not_found")
  }

  @Test("refuses a blank name, and nothing changes", arguments: ["''", "'  '", "'\\n\\t'"])
  func refusesNames(name: String) async throws {
    try await app.run("persons.fetch()")
    for code in [
      "persons.add{name = \(name), age = 1}", "persons.edit(1, {name = \(name), age = 1})",
      "persons[1].name = \(name)",
    ] {
      let error = await app.failure(code)
      #expect(error?.code == "empty_name")
      #expect(error?.message.contains("name") == true)
    }
    #expect(try await app.text("return #persons, persons[1]") == "3 person 1: Majid, 27")
  }

  @Test(
    "refuses an age that isn't from 0 to 150, and nothing changes",
    arguments: ["-1", "151", "math.maxinteger", "math.mininteger"])
  func refusesAges(age: String) async throws {
    try await app.run("persons.fetch()")
    for code in [
      "persons.add{name = 'x', age = \(age)}", "persons.edit(1, {name = 'x', age = \(age)})",
      "persons[1].age = \(age)",
    ] {
      let error = await app.failure(code)
      #expect(error?.code == "age_out_of_range")
      #expect(error?.message.contains("age") == true)
    }
    #expect(try await app.text("return #persons, persons[1]") == "3 person 1: Majid, 27")
  }

  @Test(
    "names the field of a table that has the wrong type, or is missing",
    arguments: [
      ("add{name = 1, age = 1}", "#1 to 'persons.add' (person: name: string expected, got number)"),
      (
        "add{name = 'x', age = '1'}",
        "#1 to 'persons.add' (person: age: integer expected, got string)"
      ),
      (
        "add{name = 'x', age = 1.5}", "#1 to 'persons.add' (person: age: integer expected, got 1.5)"
      ),
      ("add{name = 'x'}", "#1 to 'persons.add' (person: age: missing)"),
      ("add{age = 1}", "#1 to 'persons.add' (person: name: missing)"),
      ("add{}", "#1 to 'persons.add' (person: name: missing)"),
      (
        "add('x')",
        "#1 to 'persons.add' (person: {name=string, age=integer} expected, got string)"
      ),
      (
        "add()", "#1 to 'persons.add' (person: {name=string, age=integer} expected, got no value)"
      ),
      (
        "edit(1, {name = false})",
        "#2 to 'persons.edit' (person: name: string expected, got boolean)"
      ),
      (
        "edit(1)",
        "#2 to 'persons.edit' (person: {[name=string], [age=integer]} expected, got no value)"
      ),
      (
        "edit(1, counter)",
        "#2 to 'persons.edit' (person: {[name=string], [age=integer]} expected, got table)"
      ),
    ])
  func badFields(call: String, problem: String) async throws {
    let error = await app.failure("persons.fetch() persons.\(call)")
    #expect(error?.code == "bad_argument")
    #expect(error?.message == "bad argument \(problem)")
    #expect(try await app.text("return #persons, persons[1]") == "3 person 1: Majid, 27")
  }

  @Test("accepts only names of valid UTF-8", arguments: [#""\xff""#, #""a\xc0\x80""#])
  func otherBytes(name: String) async {
    let problem = "a string of valid UTF-8 expected, got other bytes)"
    #expect(
      await app.failure("persons.add{name = \(name), age = 1}")?.message
        == "bad argument #1 to 'persons.add' (person: name: \(problem)")
    #expect(
      await app.failure("persons.fetch() persons[1].name = \(name)")?.message
        == "bad value for 'person.name' (\(problem)")
  }

  @Test(
    "reports an unknown field with the known ones, and the closest name",
    arguments: [
      ("{nmae = 'x', age = 'x'}", "'nmae'; did you mean 'name'? It has: age, name"),
      ("{name = 'x', height = 1}", "'height'. It has: age, name"),
      ("{id = 3}", "'id'. It has: age, name"),
      ("{['\\xff'] = 3}", #"'\xff'. It has: age, name"#),
      ("{'x'}", "with the key 1. It has: age, name"),
    ])
  func unknownFields(fields: String, problem: String) async throws {
    try await app.run("persons.fetch()")
    for call in ["add(\(fields))", "edit(1, \(fields))"] {
      let error = await app.failure("persons.\(call)")
      #expect(error?.code == "unknown_field")
      #expect(error?.message == "person has no field \(problem)")
    }
    #expect(try await app.text("return #persons, persons[1]") == "3 person 1: Majid, 27")
  }

  @Test(
    "accepts for a field only its type",
    arguments: [
      ("name = 7", "person.name' (string expected, got number)"),
      ("name = nil", "person.name' (string expected, got nil)"),
      ("age = '7'", "person.age' (integer expected, got string)"),
      ("age = 7.5", "person.age' (integer expected, got 7.5)"),
    ])
  func badValues(assignment: String, problem: String) async {
    let error = await app.failure("persons.fetch() persons[1].\(assignment)")
    #expect(error?.code == "bad_argument")
    #expect(error?.message == "bad value for '\(problem)")
  }

  @Test("reports the list's edits to subscribers, and other fields by their paths")
  func subscribers() async throws {
    #expect(
      try await app.text(
        """
        local seen, calls = {}, 0
        store.subscribe("persons", function(edits)
          calls = calls + 1
          for _, e in ipairs(edits) do
            seen[#seen + 1] = e.edit .. (e.position or #e.values) .. type(e.value or e.new or e.values)
          end
        end)
        store.subscribe("persons.loading", function(new) seen[#seen + 1] = tostring(new) end)
        persons.fetch()
        persons[2].name = "Jane"
        persons.remove(1)
        persons.add{ name = "Ann", age = 30 }
        return calls, table.concat(seen, " ")
        """)
        == "4 true replaced3table false changed2table removed1table inserted3table")
  }

  @Test("of another app are separate")
  func otherApp() async throws {
    #expect(
      try await app.text(
        """
        local other = store.new()
        persons.fetch() other.persons.fetch()
        persons[1].name = "Mo"
        return persons[1] == other.persons[1], other.persons[1].name
        """) == "false Majid")
  }
}
