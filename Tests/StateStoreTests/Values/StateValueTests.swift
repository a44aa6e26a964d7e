import Foundation
import Testing

@testable import StateStore

@Suite("State value")
struct StateValueTests {
  private let record: StateValue = ["id": .integer(7), "text": .text("milk")]

  @Test("a record's members are read by name")
  func readsMembers() {
    #expect(record["id"] == .integer(7))
    #expect(record["text"] == .text("milk"))
    #expect(record["done"] == nil)
  }

  @Test("other values have no members", arguments: [StateValue.none, .integer(7), .list([])])
  func hasNoMembers(value: StateValue) {
    #expect(value["id"] == nil)
  }
}

@Suite("A state value as JSON")
struct StateValueJSONTests {
  @Test(
    "has its members in order, and numbers and texts unchanged",
    arguments: [
      (StateValue.none, "null"), (.boolean(true), "true"), (.boolean(false), "false"),
      (.integer(.min), "-9223372036854775808"), (.number(0.1), "0.1"), (.number(.infinity), "null"),
      (.text("a\"\\\n\r\t\u{1}é🎉/"), #""a\"\\\n\r\t\u0001é🎉/""#),
      (.list([.integer(1), .list([])], members: []), "[1,[]]"),
      (["b": .integer(1), "a": ["c": .none]], #"{"b":1,"a":{"c":null}}"#),
    ] as [(StateValue, String)])
  func json(value: StateValue, expected: String) throws {
    #expect(value.json == expected)
    #expect(throws: Never.self) {
      try JSONSerialization.jsonObject(with: Data(value.json.utf8), options: .fragmentsAllowed)
    }
  }

  @Test("has empty texts for secrets, wherever they are")
  func secrets() {
    let value: StateValue = .list([["name": .text("••"), "password": .secret(Secret("ab"))]])
    #expect(value.json == #"[{"name":"••","password":""}]"#)
  }
}
