import Foundation
import Testing

@testable import Domain
@testable import StateStore

@Suite("Problems of JSON")
struct DocumentErrorTests {
  private func problem(_ json: String) -> String? {
    let json = Data(json.utf8)
    do {
      _ = try StateCoding.decoder(for: App.schema).decode(JournalEntry.Event.self, from: json)
      return nil
    } catch {
      return DocumentError(describing: error, in: json).message
    }
  }

  @Test(
    "are described in words, with the place",
    arguments: [
      (
        #"{"feature":"todo","action":{"add":{"id":"x","text":"a"}}}"#,
        "todo.add.id: expected a whole number, found text"
      ),
      (
        #"{"feature":"todo","action":{"add":{"id":1,"text":null}}}"#,
        "todo.add.text: expected text, found null"
      ),
      (#"{"feature":"todo","action":{"add":{"id":1}}}"#, "todo.add.text: is missing"),
      (#"{"feature":"todo","action":[]}"#, "todo: expected an object, found a list"),
      (
        #"{"feature":"todo","action":{"later":{}}}"#,
        "todo has no action \"later\" in this version"
      ),
      (#"{}"#, "feature: is missing"),
      (#"{"travel":1e400}"#, "a number is out of range, or has a fraction where none is allowed"),
      (
        #"{"travel":99999999999999999999}"#,
        "a number is out of range, or has a fraction where none is allowed"
      ),
      (#"{"travel":1"#, "it isn't JSON"), ("", "it isn't JSON"),
      (
        #"{"feature":"signup","action":{"openSheet":{"_0":"x"}}}"#,
        "signup.openSheet: a value isn't known to this version"
      ),
    ])
  func words(json: String, expected: String) {
    #expect(problem(json)?.hasPrefix(expected) == true, "\(problem(json) ?? "nothing")")
  }

  @Test("include numbers that JSON can't represent")
  func encoding() {
    do {
      _ = try JSONEncoder().encode(["latitude": Double.nan])
      Issue.record("It was encoded.")
    } catch {
      #expect(DocumentError(encoding: error).message == "latitude: JSON can't represent the number")
    }
  }
}
