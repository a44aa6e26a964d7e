import Foundation
import PrimereplLoading
import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("The app's state as a document")
struct AppDocumentTests {
  private func states(_ json: String) throws -> States {
    try DocumentDecoder(source: "x.json").states(of: App.schema, from: Data(json.utf8))
  }

  @Test(
    "reports problems with their place",
    arguments: [
      #"{"counter": "#: "line 1, column 13: not JSON: expected a value, found the end",
      #"{"counter": {"modal": false}}"#: "counter.modal: ",
      #"{"signup": {"alert": {"problems": []}}}"#: "signup.alert: an alert has at least one",
      #"{"todo": {"last_query": " "}}"#: "todo.last_query",
      #"{"favorites": [2, 8]}"#: "favorites[2]: 8 is not prime",
      #"{"persons": [{"id": 1, "name": "Ann", "age": 151}]}"#:
        "persons[1]: The age 151 is out of range",
      #"{"todo": {"items": [{"id": 1, "text": " ", "done": false}]}}"#:
        "todo.items[1]: The text of an item is empty",
      #"{"landmarks": {"selected": 4}}"#: "landmarks.selected: No landmark",
      #"{"signup": {"path": ["topics"]}}"#: "signup.path: the steps are basics, personal_info",
      #"{"signup": {"path": ["x"]}}"#: #"signup.path[1]: "x" isn't known; expected one of basics"#,
      #"{"signup": {"sheet": "topics"}}"#: "signup.sheet: topics opens on the summary only",
      #"{"signup": {"data": {"topics": ["Testing", "Testing"]}}}"#: "signup.data.topics: ",
    ])
  func problems(json: String, expected: String) {
    let error = #expect(throws: SourceError.self) { try states(json) }
    #expect(error?.message.hasPrefix("x.json: ") == true)
    #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
  }
}
