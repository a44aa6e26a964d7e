import Foundation
import Testing

@testable import StateStore

@Suite("A scanner of JSON")
struct JSONScannerTests {
  private func tokens(_ text: String) throws -> [JSONScanner.Token] {
    var scanner = try JSONScanner(Array(text.utf8))
    var tokens: [JSONScanner.Token] = []
    while let token = try scanner.next() { tokens.append(token) }
    return tokens
  }

  @Test(
    "distinguishes integers and floats",
    arguments: [
      ("1", .integer(1)), ("1.0", .number(1)), ("1e2", .number(100)), ("0", .integer(0)),
      ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("0e-400", .number(0)),
      ("5e-324", .number(.leastNonzeroMagnitude)), ("-0.0", .number(-0.0)),
    ] as [(String, JSONScanner.Token)])
  func numbers(text: String, token: JSONScanner.Token) throws {
    #expect(try tokens(text) == [token])
  }

  @Test("keeps the sign of -0")
  func minusZero() throws {
    guard case .number(let number) = try tokens("-0").first else {
      Issue.record("It isn't a float.")
      return
    }
    #expect(number.sign == .minus)
  }

  @Test("gives the parts in their order")
  func parts() throws {
    #expect(
      try tokens(#"{"a":[1,{}],"b":null}"#) == [
        .beginObject, .name, .beginArray, .integer(1), .beginObject, .endObject, .endArray, .name,
        .null, .endObject,
      ])
  }

  @Test(
    "lets Foundation's decoder take the last of members with the same name",
    arguments: [
      (#"{"a":1,"a":2}"#, #"{        "a":2}"#),
      (#"{"a":{"a":1,"a":2},"b":0,"a":3}"#, #"{                    "b":0,"a":3}"#),
      (#"{"a":{"b":1},"a":[],"a":2}"#, #"{"a":2}"#),
      (#"[{"a":1},{"a":2}]"#, #"[{"a":1},{"a":2}]"#), ("\u{FEFF}[]", "[]"),
    ])
  func duplicates(text: String, checked: String) throws {
    let data = try CheckedJSON(Data(text.utf8)).data
    let plain = String(decoding: data, as: UTF8.self)
    #expect(plain.filter { $0 != " " } == checked.filter { $0 != " " })
    #expect(plain.utf8.count == text.utf8.count - (text.hasPrefix("\u{FEFF}") ? 3 : 0))
  }

  @Test("stops when it is asked to")
  func stop() {
    let text = "[" + String(repeating: "1,", count: 10_000) + "1]"
    #expect(throws: CancellationError.self) {
      try CheckedJSON(Data(text.utf8)) { throw CancellationError() }
    }
  }
}
