import Foundation
import Testing

@testable import Domain

@Suite("What is wrong with JSON")
struct JSONProblemTests {
  private func problem(_ json: String) -> String? {
    let json = Data(json.utf8)
    do {
      _ = try JSONDecoder().decode(JournalEntry.Event.self, from: json)
      return nil
    } catch {
      return JSONProblem(error, in: json).message
    }
  }

  @Test(
    "is said in words, with the place",
    arguments: [
      (
        #"{"action":{"_0":{"todo":{"_0":{"add":{"id":"x","text":"a"}}}}}}"#,
        "action.todo.add.id: expected a whole number, found text"
      ),
      (
        #"{"action":{"_0":{"todo":{"_0":{"add":{"id":1,"text":null}}}}}}"#,
        "action.todo.add.text: expected text, found null"
      ),
      (#"{"action":{"_0":{"todo":{"_0":{"add":{"id":1}}}}}}"#, "action.todo.add.text: is missing"),
      (#"{"action":{"_0":{"todo":[]}}}"#, "action.todo: expected an object, found a list"),
      (
        #"{"action":{"_0":{"later":{"_0":{}}}}}"#,
        "action: there is a value that this version doesn't know"
      ),
      (#"{}"#, "there is a value that this version doesn't know"),
      (#"{"travel":{"to":1e400}}"#, "a number doesn't fit"),
      (#"{"travel":{"to":99999999999999999999}}"#, "a number doesn't fit"),
      (#"{"travel":{"to":1"#, "it isn't JSON"), ("", "it isn't JSON"),
      (
        #"{"action":{"_0":{"signUp":{"_0":{"openSheet":{"_0":"x"}}}}}}"#,
        "action.signUp.openSheet: there is a value that this version doesn't know"
      ),
    ])
  func words(json: String, expected: String) {
    #expect(problem(json)?.hasPrefix(expected) == true, "\(problem(json) ?? "nothing")")
  }

  @Test("says of what can't be written that it is a number that JSON doesn't have")
  func encoding() {
    do {
      _ = try JSONEncoder().encode(["latitude": Double.nan])
      Issue.record("It was encoded.")
    } catch {
      #expect(JSONProblem(encoding: error).message == "latitude: JSON has no such number")
    }
  }
}
