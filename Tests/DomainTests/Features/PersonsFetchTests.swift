import Foundation
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

  @Test("fetched persons have ids that no person had before, also when they are fetched again")
  func fetchedIDs() async throws {
    try await fetch()
    #expect(store.state(of: Persons.self).list.map(\.id) == [2, 3, 4])
    try await fetch()
    #expect(store.state(of: Persons.self).list.map(\.id) == [5, 6, 7])
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

  @Test("a new fetch clears the error")
  func clearsError() async throws {
    await #expect(throws: SourceError.self) { try await fetch("/nowhere.json") }
    #expect(store.error(of: Persons.fetch) != nil)
    try await fetch()
    #expect(store.error(of: Persons.fetch) == nil)
  }

  @Test(
    "a superseded fetch reports to its caller, and sends no action",
    arguments: [true, false])
  func supersedes(fails: Bool) async throws {
    let (later, laterEnded) = AsyncStream.makeStream(of: Never.self)
    try await StandInServer.run(respond: { request, _ in
      for await _ in later {}
      return fails
        ? .text("", status: 404) : .text(#"[{"name": "Too late", "age": 1}]"#)
    }) { server in
      let earlier = Task { try await fetch(server.url.absoluteString) }
      try await wait(for: "the request") { store.isPending(Persons.fetch) }
      try await fetch()
      var changes = 0
      try store.observe("") { _ in changes += 1 }
      laterEnded.finish()
      switch await earlier.result {
      case .success: #expect(!fails)
      case .failure(let error): #expect((error as? SourceError)?.code == "source_http_status")
      }
      #expect(changes == 0)
      #expect(names == ["Majid", "John", "Fred"])
      #expect(store.error(of: Persons.fetch) == nil)
    }
  }

  @Test("an edit meanwhile is kept until the fetched persons replace all")
  func editsMeanwhile() async throws {
    try store.send(.asked(Persons.fetch, Source(), number: 99))
    try store.editPerson(1, name: "Anna")
    #expect(names == ["Anna"])
    try store.send(.answered(Persons.fetch, [], number: 98))
    #expect(names == ["Anna"])
    try store.send(.answered(Persons.fetch, [], number: 99))
    #expect(names == [])
  }
}
