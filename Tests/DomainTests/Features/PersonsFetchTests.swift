import PrimereplLoading
import Testing
import TestSupport

@testable import PrimereplDomain
@testable import StateStore

@MainActor @Suite("Fetching persons")
struct PersonsFetchTests {
  let store = Store()

  init() throws {
    try store.addPerson(name: "Ann", age: 30)
  }

  private var names: [String] { store.state(of: Persons.self).list.map(\.name) }

  private func fetch(_ source: String? = nil) async throws {
    try await store.ask(Persons.fetch, Source(source), in: .forTests())
  }

  @Test("the built-in source has Majid, John and Fred, who replace the others")
  func fetches() async throws {
    try await fetch()
    #expect(names == ["Majid", "John", "Fred"])
    #expect(store.state(of: Persons.self).list.map(\.age) == [27, 31, 25])
    #expect(!store.isPending(Persons.fetch))
  }

  @Test("a source is a JSON array of objects")
  func fetchesFile() async throws {
    let directory = try TemporaryFolder()
    let path = try directory.write(
      #"[{"name": "Zoë", "age": 0}, {"age": 150, "name": "Bob", "extra": 1}]"#, to: "persons.json")
    try await fetch(path)
    #expect(names == ["Zoë", "Bob"])
    #expect(store.state(of: Persons.self).list.map(\.age) == [0, 150])
  }

  @Test(
    "records without a valid name and age are refused by record and field; the persons stay",
    arguments: [
      ("17", "record 2: expected an object, found a number"),
      (#"{"age": 1}"#, "record 2: name: is missing"),
      (#"{"name": "Bob"}"#, "record 2: age: is missing"),
      (#"{"name": "", "age": 1}"#, "record 2: name: is empty"),
      (#"{"name": " \n", "age": 1}"#, "record 2: name: is empty"),
      (#"{"name": 1, "age": 1}"#, "record 2: name: expected text, found a number"),
      (#"{"name": "Bob", "age": "1"}"#, "record 2: age: expected a whole number, found text"),
      (#"{"name": "Bob", "age": -1}"#, "record 2: age: -1 isn't from 0 to 150"),
      (#"{"name": "Bob", "age": 151}"#, "record 2: age: 151 isn't from 0 to 150"),
      (
        #"{"name": "Bob", "age": 9223372036854775807}"#,
        "record 2: age: 9223372036854775807 isn't from 0 to 150"
      ),
      (
        #"{"name": "Bob", "age": 1.5}"#,
        "record 2: a number is out of range, or has a fraction where none is allowed"
      ),
    ])
  func refusesShape(json: String, words: String) async throws {
    let directory = try TemporaryFolder()
    let path = try directory.write(#"[{"name": "Zoë", "age": 1}, \#(json)]"#, to: "persons.json")
    let error = await #expect(throws: SourceError.self) { try await fetch(path) }
    #expect(error?.code == "source_wrong_shape")
    #expect(error?.message.hasPrefix("\(path): \(words)") == true, "\(error?.message ?? "")")
    #expect(names == ["Ann"])
    #expect(store.error(of: Persons.fetch) == error?.message)
    #expect(!store.isPending(Persons.fetch))
  }
}
