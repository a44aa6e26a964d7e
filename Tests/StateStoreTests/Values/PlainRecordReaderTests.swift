import Foundation
import Testing

@testable import StateStore

@Suite("Records of declared lists in JSON text")
struct PlainRecordReaderTests {
  private static let type = RecordType(
    [
      .init("name", .string, initial: .text("none")), .init("count", .integer),
      .init("weight", .optional(.number)),
      .init("price", DecimalPlaces(2).map { .decimal($0) } ?? .any),
      .init("is_open", .boolean), .init("day", .optional(.date)), .init("time", .optional(.time)),
      .init(
        "owner",
        .optional(.reference(ReferenceType(to: "people", of: "shop", removal: .clear)))),
      .init("pin", .secret), .init("color", .oneOf(["red", "gr\u{FC}n"])), .init("parts", .any),
      .init("level", .range(NumberRange(.integer, from: 1, to: 5))),
      .init("code", .text(TextRule(matching: nil, maximumLength: 2, initial: nil))),
    ], hasID: true)

  @Test(
    "are read as a decoder reads them",
    arguments: [
      #"{"id": 1}"#, #"{"name": "", "id": 2}"#, #"{"id": 1, "name": "a \"\u00e9\" \ud83d\ude00"}"#,
      #"{"id": 1, "count": -9223372036854775808, "weight": 1e300, "price": 90}"#,
      #"{"id": 1, "weight": null, "day": null, "owner": null, "time": null}"#,
      #"{"id": 1, "weight": 3, "price": 0.05, "is_open": true, "owner": 7}"#,
      #"{"id": 1, "weight": -0.0, "price": -0, "count": 9007199254740993, "name": "u\u0308\u0000"}"#,
      #"{"id": 1, "color": "gr\u00fcn", "level": 9, "code": "long"}"#,
      #"{"id": 1, "gone": {"id": [1, {"a": null}], "name": "x"}, "name": "y", "old": 2}"#,
      #"{"id": 1, "day": "2026-02-28", "time": "2026-11-26T10:15:00.000Z"}"#,
    ])
  func plain(text: String) throws {
    let expected = try JSONDecoder().decode(
      DeclaredRecord.self, from: Data(text.utf8), configuration: Self.type)
    let records = try #require(PlainRecordReader.records(in: "[\(text)]", of: Self.type))
    // As text, in which -0 isn't 0, and a letter has one form.
    #expect(records.map(\.stateValue.json) == [expected.stateValue.json])
  }

  @Test(
    "are left to a decoder if they aren't plain, or something is wrong",
    arguments: [
      #"{"name": "no id"}"#, #"{"id": "1"}"#,
      #"{"id": 1, "count": 1.5}"#,
      #"{"id": 1, "count": "1"}"#, #"{"id": 1, "name": 1}"#, #"{"id": 1, "is_open": 1}"#,
      #"{"id": 1, "count": null}"#, #"{"id": 1, "weight": "inf"}"#, #"{"id": 1, "pin": "1234"}"#,
      #"{"id": 1, "color": "blue"}"#, #"{"id": 1, "color": "gru\u0308n"}"#, #"{"id": 1, "id": 2}"#,
      #"{"id": 1, "count": 1, "count": 2}"#, #"{"id": 1}], {"id": 2}"#,
      #"{"id": 1, "parts": {"a": 1}}"#,
      #"{"id": 1, "day": "2026-02-30"}"#,
      #"{"id": 1, "time": ""}"#, "1", "{",
    ])
  func other(text: String) {
    #expect(PlainRecordReader.records(in: "[\(text)]", of: Self.type) == nil)
    #expect(PlainRecordReader.records(in: text, of: Self.type) == nil)
  }
}
