import Foundation
import PrimereplLoading
import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("Records of the app's sources")
struct SourceRecordTests {
  /// The problem of a document whose second record is some JSON.
  private func problem<Record: Decodable>(
    of second: String, after first: String, _ type: Record.Type
  ) -> String? {
    let error = #expect(throws: SourceError.self) {
      try DocumentDecoder(source: "x.json")
        .records(of: type, from: Data("[\(first), \(second)]".utf8))
    }
    #expect(error?.code == "source_wrong_shape")
    return error?.message.replacing("x.json: record 2: ", with: "")
  }

  // MARK: - Todo

  @Test("of todo are texts, or objects")
  func todo() throws {
    let json =
      #"["a", {"text": "b", "extra": 1}, {"text": "c", "done": true}, {"text": "d", "done": null}]"#
    #expect(
      try DocumentDecoder(source: "x.json")
        .records(of: Todo.SourceRecord.self, from: Data(json.utf8)) == [
          Todo.SourceRecord(text: "a"), Todo.SourceRecord(text: "b"),
          Todo.SourceRecord(text: "c", done: true), Todo.SourceRecord(text: "d"),
        ])
  }

  @Test(
    "of todo are nothing else",
    arguments: [
      ("17", #"expected text, or an object like {"text": "buy milk", "done": false}"#),
      (#"["a"]"#, #"expected text, or an object like {"text": "buy milk", "done": false}"#),
      ("\"  \"", "the text is empty"), (#"{"done": true}"#, "text: is missing"),
      (#"{"text": 17}"#, "text: expected text, found a number"),
      (#"{"text": "b", "done": 1}"#, "done: expected true or false, found a number"),
    ])
  func notTodo(json: String, expected: String) {
    #expect(problem(of: json, after: "\"a\"", Todo.SourceRecord.self) == expected)
  }

  // MARK: - Persons

  @Test(
    "of persons have a name and an age",
    arguments: [
      (#"{"age": 1}"#, "name: is missing"), (#"{"name": "Bob"}"#, "age: is missing"),
      (#"{"name": " \n", "age": 1}"#, "name: is empty"),
      (#"{"name": "Bob", "age": -1}"#, "age: -1 isn't from 0 to 150"),
      (#"{"name": "Bob", "age": 151}"#, "age: 151 isn't from 0 to 150"),
    ])
  func notPersons(json: String, expected: String) {
    let first = #"{"name": "Ann", "age": 150}"#
    #expect(problem(of: json, after: first, Persons.SourceRecord.self) == expected)
  }

  // MARK: - Landmarks

  private static let fields = [
    "id": "1", "name": #""Denali""#, "park": #""P""#, "state": #""Alaska""#,
    "category": #""Mountains""#, "latitude": "63.069", "longitude": "-151", "is_favorite": "true",
    "is_featured": "false",
  ]

  /// The JSON of a landmark, with another value of a field, or without it.
  private static func landmark(_ name: String? = nil, _ value: String? = nil) -> String {
    var fields = fields
    if let name { fields[name] = value }
    return "{\(fields.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", "))}"
  }

  @Test("of landmarks have every field", arguments: fields.keys.sorted())
  func missingField(name: String) {
    #expect(
      problem(of: Self.landmark(name), after: Self.landmark(), Landmarks.SourceRecord.self)
        == "\(name): is missing")
  }

  @Test(
    "of landmarks have a name and a place on Earth",
    arguments: [
      ("name", "\" \"", "is empty"), ("latitude", "90.01", "90.01 isn't from -90 to 90"),
      ("latitude", "-91", "-91.0 isn't from -90 to 90"),
      ("longitude", "180.5", "180.5 isn't from -180 to 180"),
      ("longitude", "-1e300", "-1e+300 isn't from -180 to 180"),
    ])
  func wrongField(name: String, value: String, expected: String) {
    #expect(
      problem(of: Self.landmark(name, value), after: Self.landmark(), Landmarks.SourceRecord.self)
        == "\(name): \(expected)")
  }

  @Test(
    "of landmarks can be at the poles and the antimeridian",
    arguments: [
      ("latitude", "-90"), ("latitude", "90"), ("longitude", "-180"), ("longitude", "180"),
    ])
  func extremes(name: String, value: String) throws {
    let json = Data("[\(Self.landmark(name, value))]".utf8)
    let records = try DocumentDecoder(source: "x.json")
      .identifiedRecords(of: Landmarks.SourceRecord.self, from: json)
    #expect(records.count == 1)
  }

  @Test("of landmarks have ids of their own")
  func duplicateID() {
    let json = "[\(Self.landmark("id", "9")), \(Self.landmark()), \(Self.landmark("id", "9"))]"
    let error = #expect(throws: SourceError.self) {
      try DocumentDecoder(source: "x.json")
        .identifiedRecords(of: Landmarks.SourceRecord.self, from: Data(json.utf8))
    }
    #expect(error?.message == "x.json: record 3: id: 9 is the id of record 1 already")
  }
}
