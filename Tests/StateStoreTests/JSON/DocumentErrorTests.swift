import Foundation
import SampleFeatures
import Testing

@testable import StateStore

@Suite("Problems of JSON")
struct DocumentErrorTests {
  private func problem(_ json: String) -> String? {
    let json = Data(json.utf8)
    do {
      _ = try StateCoding.decoder(for: Sample.schema).decode(JournalEntry.Event.self, from: json)
      return nil
    } catch {
      return DocumentError(describing: error, in: json).message
    }
  }

  @Test(
    "are described in words, with the place",
    arguments: [
      (
        #"{"feature":"notes","action":{"add":{"id":"x","text":"a"}}}"#,
        "notes.add.id: expected a whole number, found text"
      ),
      (
        #"{"feature":"notes","action":{"add":{"id":1,"text":null}}}"#,
        "notes.add.text: expected text, found null"
      ),
      (#"{"feature":"notes","action":{"add":{"id":1}}}"#, "notes.add.text: is missing"),
      (#"{"feature":"notes","action":[]}"#, "notes: expected an object, found a list"),
      (
        #"{"feature":"notes","action":{"later":{}}}"#,
        "notes has no action \"later\" in this version"
      ),
      (#"{}"#, "feature: is missing"),
      (#"{"travel":1e400}"#, "a number is out of range, or has a fraction where none is allowed"),
      (
        #"{"travel":99999999999999999999}"#,
        "a number is out of range, or has a fraction where none is allowed"
      ),
      (#"{"travel":1"#, "it isn't JSON"), ("", "it isn't JSON"),
      (
        #"{"feature":"account","action":{"edit":{"_0":{"lastName":"","password":"","topics":["x"]}}}}"#,
        "account.edit.topics[1]: a value isn't known to this version"
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
