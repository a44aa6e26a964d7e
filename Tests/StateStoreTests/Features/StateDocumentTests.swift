import Foundation
import SampleFeatures
import Testing

@testable import StateStore

@Suite("A state as a document")
struct StateDocumentTests {
  private func states(_ json: String) throws(DocumentError) -> States {
    try StateDocument.states(from: Data(json.utf8), Sample.schema)
  }

  @Test("has no pending requests")
  func requests() throws {
    let store = Store()
    try store.send(.step(of: People.fetch, 1, .asked("")))
    #expect(try states(StateDocument.json(of: store.states, Sample.schema)) == States())
  }

  @Test("includes the fields beside a list that is shown under its feature's name")
  func fieldsBesideList() throws {
    let store = Store()
    try store.send(.step(of: People.fetch, 1, .asked("")))
    try store.send(.step(of: People.fetch, 1, .failed(message: "no people")))
    let read = try states(StateDocument.json(of: store.states, Sample.schema))
    #expect(Store(states: read).error(of: People.fetch) == "no people")
  }

  @Test("has no secrets, and doesn't reveal their length")
  func secrets() throws {
    let store = Store()
    try store.send(.edit(.init(password: Secret("hunter2"))), to: Account.self)
    let json = StateDocument.json(of: store.states, Sample.schema)
    #expect(!json.contains("hunter2"))
    #expect(!json.contains("•"))
    #expect(try states(json)[Account.self].profile.password.isEmpty)
    let hidden = try states(#"{"account": {"profile": {"password": "hunter2"}}}"#)
    #expect(hidden[Account.self].profile.password.isEmpty)
  }

  @Test("gives missing parts their initial values", arguments: ["{}", #"{"format": 1}"#])
  func empty(json: String) throws {
    #expect(try states(json) == States())
  }

  @Test("gives missing parts of records and forms their initial values")
  func missingParts() throws {
    let read = try states(
      #"{"people": [{"id": 1, "name": "Ann"}], "account": {"profile": {"last_name": "Lee"}}}"#)
    #expect(Array(read[People.self].list) == [.init(id: 1, name: "Ann", age: 18)])
    #expect(read[Account.self].profile == .init(lastName: "Lee"))
  }

  @Test("opens a card whose content is derived")
  func derived() throws {
    let card = #"{"number": 5, "is_listed": false, "text": "5 is new"}"#
    // The card's content in the document is ignored.
    #expect(try states(#"{"counter": {"card": \#(card)}}"#)[Counter.self].isCardOpen)
    #expect(try states(#"{"counter": {"card": null}}"#)[Counter.self].isCardOpen == false)
  }

  @Test(
    "reports problems with their place",
    arguments: [
      "[]": "expected an object",
      #"{"format": 2}"#: "format: this version reads format 1: 2 may be",
      #"{"format": 0}"#: "format: this version reads format 1",
      #"{"counter": {"card": false}}"#: "counter.card: ",
      #"{"people.error": 1}"#: "people.error: expected text, found a number",
      #"{"count": 1}"#: #""count" isn't known; expected one of account, counter"#,
      #"{"counter": {"cuont": 1}}"#:
        #"counter: "cuont" isn't known; expected one of alert, card, count"#,
      #"{"counter": {"count": "1"}}"#: "counter.count: expected a whole number, found text",
      #"{"counter": {"count": 1.5}}"#:
        "counter.count: a number is out of range, or has a fraction where none is allowed",
      #"{"counter": {"count": 1e99}}"#:
        "counter.count: a number is out of range, or has a fraction where none is allowed",
      #"{"numbers": [2, -8]}"#: "numbers[2]: -8 is negative",
      #"{"numbers": [2, 2]}"#: "numbers: Two records have the id 2",
      #"{"notes": {"items": [{"id": 1, "text": "a"}]}}"#: "notes.items[1].done: is missing",
      #"{"people": [{"id": 1, "name": "Ann", "age": 151}]}"#:
        "people[1]: The age 151 is out of range",
      #"{"notes": {"items": [{"id": 1, "text": "", "done": false}]}}"#:
        "notes.items[1]: The text of a note is empty",
      #"{"account": {"profile": {"topics": ["x"]}}}"#:
        #"account.profile.topics[1]: "x" isn't known; expected one of"#,
      #"{"account": {"profile": {"topics": ["Testing", "Testing"]}}}"#:
        "account: A topic is there twice",
    ])
  func problems(json: String, expected: String) {
    let error = #expect(throws: DocumentError.self) { try states(json) }
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
  }
}
