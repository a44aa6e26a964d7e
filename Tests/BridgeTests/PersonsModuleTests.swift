import Testing

@MainActor
@Suite("persons")
struct PersonsModuleTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test(
    "names the field of a table that has the wrong type, or is missing",
    arguments: [
      ("add{name = 1, age = 1}", "#1 to 'persons.add' (person: name: string expected, got number)"),
      (
        "add{name = 'x', age = 1.5}", "#1 to 'persons.add' (person: age: integer expected, got 1.5)"
      ),
      (
        #"add{name = "\xff", age = 1}"#,
        "#1 to 'persons.add' (person: name: a string of valid UTF-8 expected, got other bytes)"
      ),
      ("add{name = 'x'}", "#1 to 'persons.add' (person: age: missing)"),
      (
        "add()", "#1 to 'persons.add' (person: {name=string, age=integer} expected, got no value)"
      ),
      (
        "edit(1, {name = false})",
        "#2 to 'persons.edit' (person: name: string expected, got boolean)"
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

  @Test(
    "reports an unknown field with the known ones, and the closest name",
    arguments: [
      ("{nmae = 'x', age = 'x'}", "'nmae'; did you mean 'name'? It has: age, name"),
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
}
