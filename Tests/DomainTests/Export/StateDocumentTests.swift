import Foundation
import Testing

@testable import Domain
@testable import StateStore

@Suite("A state as a document")
struct StateDocumentTests {
  private func state(_ json: String) throws -> States {
    try RecordDecoder(source: "x.json").states(of: App.schema, from: Data(json.utf8))
  }

  /// What is wrong with a document.
  private func problem(_ json: String) -> String? {
    do {
      _ = try state(json)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "restores the state that was written, but for secrets and pending requests", arguments: 0..<60)
  func roundTrip(seed: Int) throws {
    var actions = RandomActions(seed: seed)
    let store = Store()
    for _ in 0..<300 {
      do {
        try store.send(actions.next())
      } catch is any CodedError {
        continue
      }
    }
    let json = StateDocument.json(of: store.states, App.schema)
    let read = try state(json)
    #expect(StateDocument.json(of: read, App.schema) == json)
    #expect(read == exported(store.states))
  }

  /// The part of a state that a document has: everything but secrets, pending requests, and the greatest ids ever used.
  private func exported(_ state: States) -> States {
    var state = state
    state.signUp.data.removeSecrets()
    state.counter.pendingRequest = nil
    state.todo.pendingRequest = nil
    state.landmarks.pendingRequest = nil
    state.persons.pendingRequest = nil
    state.todo.lastID = state.todo.items.map(\.id).max() ?? 0
    state.persons.lastID = state.persons.list.map(\.id).max() ?? 0
    return state
  }

  @Test("includes each list's last fetch error")
  func errors() throws {
    let store = Store()
    try store.send(.fetchRequested(request: 1), to: Todo.self)
    try store.send(.fetchFailed(request: 1, message: "no todos"), to: Todo.self)
    try store.send(.fetchRequested(request: 2), to: Persons.self)
    try store.send(.fetchFailed(request: 2, message: "no persons"), to: Persons.self)
    let read = try state(StateDocument.json(of: store.states, App.schema))
    #expect(read.todo.error == "no todos")
    #expect(read.persons.error == "no persons")
  }

  @Test("has no secrets, and doesn't reveal their length")
  func secrets() throws {
    let store = Store()
    let secret = Secret("hunter2")
    try store.send(.edit([.password(secret), .passwordConfirmation(secret)]), to: SignUp.self)
    let json = StateDocument.json(of: store.states, App.schema)
    #expect(!json.contains("hunter2"))
    #expect(!json.contains("•"))
    #expect(try state(json).signUp.data.password.isEmpty)
    let hidden = try state(#"{"signup": {"data": {"password": "hunter2"}}}"#)
    #expect(hidden.signUp.data.password.isEmpty)
  }

  @Test("gives missing parts their initial values", arguments: ["{}", #"{"format": 1}"#])
  func empty(json: String) throws {
    #expect(try state(json) == States())
  }

  @Test("continues with the ids after its own")
  func identifiers() throws {
    let state = try state(
      #"{"todo": {"items": [{"id": 7, "text": "milk", "done": true}, {"id": 3, "text": "bread", "done": false}]}}"#
    )
    #expect(state.todo.lastID == 7)
    #expect(state.todo.items.map(\.id) == [7, 3])
  }

  @Test(
    "reports what is wrong, and where",
    arguments: [
      ("", "is empty: at least {} is needed"),
      ("[]", "expected an object"),
      (#"{"format": 2}"#, "format: this version reads format 1: 2 may be"),
      (#"{"format": 0}"#, "format: this version reads format 1"),
      (#"{"counter": {"modal": false}}"#, "counter.modal: "),
      (#"{"signup": {"alert": {"problems": []}}}"#, "signup.alert: an alert tells of at least one"),
      (#"{"todo": {"last_query": " "}}"#, "todo.last_query"),
      (#"{"persons.error": 1}"#, "persons.error: expected text, found a number"),
      (#"{"count": 1}"#, #""count" isn't known; expected one of counter, favorites"#),
      (
        #"{"counter": {"cuont": 1}}"#,
        #"counter: "cuont" isn't known; expected one of alert, count"#
      ),
      (#"{"counter": {"count": "1"}}"#, "counter.count: expected a whole number, found text"),
      (
        #"{"counter": {"count": 1.5}}"#,
        "a number is out of range, or has a fraction where none is allowed"
      ),
      (#"{"favorites": [2, 8]}"#, "favorites[2]: 8 is not prime"),
      (#"{"favorites": [2, 2]}"#, "favorites: Two records have the id 2"),
      (#"{"persons": [{"id": 1, "name": "Ann"}]}"#, "persons[1].age: is missing"),
      (
        #"{"persons": [{"id": 1, "name": "Ann", "age": 151}]}"#,
        "persons[1]: The age 151 is out of range"
      ),
      (
        #"{"todo": {"items": [{"id": 1, "text": " ", "done": false}]}}"#,
        "todo.items[1]: The text of an item is empty"
      ),
      (#"{"landmarks": {"selected": 4}}"#, "landmarks.selected: No landmark"),
      (#"{"signup": {"path": ["topics"]}}"#, "signup.path: the steps are basics, personal_info"),
      (
        #"{"signup": {"path": ["x"]}}"#, #"signup.path[1]: "x" isn't known; expected one of basics"#
      ),
      (#"{"signup": {"sheet": "topics"}}"#, "signup.sheet: topics opens on the summary only"),
      (
        #"{"signup": {"data": {"topics": ["Testing", "Testing"]}}}"#,
        "signup.data.topics: "
      ),
      (#"{"counter": "#, "not valid JSON"),
    ])
  func problems(json: String, expected: String) {
    #expect(problem(json)?.hasPrefix("x.json: ") == true)
    #expect(problem(json)?.contains(expected) == true, "\(problem(json) ?? "")")
  }
}
