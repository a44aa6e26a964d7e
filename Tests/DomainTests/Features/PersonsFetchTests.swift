import Foundation
import Testing
import TestSupport

@testable import Domain
@testable import StateStore

@MainActor @Suite("Fetching persons")
struct PersonsFetchTests {
  let store = Store()
  let persons: PersonsLogic

  init() throws {
    persons = PersonsLogic(store: store, services: .forTests())
    try persons.add(name: "Ann", age: 30)
  }

  private var names: [String] { store.state(of: Persons.self).list.map(\.name) }

  @Test("the built-in source has Majid, John and Fred, who replace the others")
  func fetches() async throws {
    try await persons.fetch()
    #expect(names == ["Majid", "John", "Fred"])
    #expect(store.state(of: Persons.self).list.map(\.age) == [27, 31, 25])
    #expect(!store.state(of: Persons.self).isLoading)
  }

  @Test("fetched persons have ids that no person had before, also when they are fetched again")
  func fetchedIDs() async throws {
    try await persons.fetch()
    #expect(store.state(of: Persons.self).list.map(\.id) == [2, 3, 4])
    try await persons.fetch()
    #expect(store.state(of: Persons.self).list.map(\.id) == [5, 6, 7])
  }

  @Test("a source is a JSON array of objects")
  func fetchesFile() async throws {
    let directory = try TemporaryFolder()
    let path = try directory.write(
      #"[{"name": "Zoë", "age": 0}, {"age": 150, "name": "Bob", "extra": 1}]"#, to: "persons.json")
    try await persons.fetch(from: path)
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
      (#"{"name": "Bob", "age": 1.5}"#, "record 2: age: a number that doesn't fit"),
    ])
  func refusesShape(json: String, words: String) async throws {
    let directory = try TemporaryFolder()
    let path = try directory.write(#"[{"name": "Zoë", "age": 1}, \#(json)]"#, to: "persons.json")
    let error = await #expect(throws: SourceError.self) { try await persons.fetch(from: path) }
    #expect(error?.code == "source_wrong_shape")
    #expect(error?.message.hasPrefix("\(path): \(words)") == true, "\(error?.message ?? "")")
    #expect(names == ["Ann"])
    #expect(store.state(of: Persons.self).error == error?.message)
    #expect(!store.state(of: Persons.self).isLoading)
  }

  @Test("a new fetch clears the error")
  func clearsError() async throws {
    await #expect(throws: SourceError.self) { try await persons.fetch(from: "/nowhere.json") }
    #expect(store.state(of: Persons.self).error != nil)
    try await persons.fetch()
    #expect(store.state(of: Persons.self).error == nil)
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
      let earlier = Task { try await persons.fetch(from: server.url.absoluteString) }
      while !store.state(of: Persons.self).isLoading { await Task.yield() }
      try await persons.fetch()
      var changes = 0
      try store.observe("") { _ in changes += 1 }
      laterEnded.finish()
      switch await earlier.result {
      case .success: #expect(!fails)
      case .failure(let error): #expect((error as? SourceError)?.code == "source_http_status")
      }
      #expect(changes == 0)
      #expect(names == ["Majid", "John", "Fred"])
      #expect(store.state(of: Persons.self).error == nil)
    }
  }

  @Test("an edit meanwhile is kept until the fetched persons replace all")
  func editsMeanwhile() async throws {
    try store.send(.fetchRequested(request: 99), to: Persons.self)
    try persons.edit(1, name: "Anna")
    #expect(names == ["Anna"])
    try store.send(.fetchSucceeded(request: 98, persons: []), to: Persons.self)
    #expect(names == ["Anna"])
    try store.send(.fetchSucceeded(request: 99, persons: []), to: Persons.self)
    #expect(names == [])
  }
}
