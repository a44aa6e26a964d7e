import Foundation
import SampleFeatures
import Testing

@testable import StateStore

@Suite("Problems of JSON")
struct DocumentErrorTests {
  private func problem(_ json: String) -> String? {
    let json = Data(json.utf8)
    do {
      _ = try StateCoding.decoder(for: Sample.schema).decode(StoreAction.self, from: json)
      return nil
    } catch {
      return DocumentError(describing: error, in: json).message
    }
  }

  @Test(
    "are described in words, with the place",
    arguments: [
      #"{"feature":"notes","action":{"add":{"id":"x","text":"a"}}}"#:
        "action.add.id: expected a whole number, found text",
      #"{"feature":"notes","action":{"add":{"id":1,"text":null}}}"#:
        "action.add.text: expected text, found null",
      #"{"feature":"notes","action":{"add":{"id":1}}}"#: "action.add.text: is missing",
      #"{"feature":"notes","action":[]}"#: "action: expected an object, found a list",
      #"{"feature":"notes","action":{"later":{}}}"#: "action: a value isn't known to this version",
      #"{}"#: "feature: is missing",
      #"{"feature":"counter","action":{"set":{"count":1e400}}}"#:
        "a number is out of range, or has a fraction where none is allowed",
      #"{"feature":"counter","action":{"set":{"count":99999999999999999999}}}"#:
        "a number is out of range, or has a fraction where none is allowed",
      #"{"reset":1"#: "it isn't JSON", "": "it isn't JSON",
      #"{"feature":"account","action":{"edit":{"_0":{"lastName":"","password":"","topics":["x"]}}}}"#:
        "action.edit.topics[1]: a value isn't known to this version",
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
