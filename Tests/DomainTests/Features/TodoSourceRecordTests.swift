import PrimereplLoading
import Testing
import TestSupport

@testable import PrimereplDomain
@testable import StateStore

@Suite("An item of a todo source")
struct TodoSourceRecordTests {
  @Test("is text, or an object")
  func forms() async throws {
    let json =
      #"["a", {"text": "b", "extra": 1}, {"text": "c", "done": true}, {"text": "d", "done": null}]"#
    let drafts = try await load(json)
    #expect(
      drafts == [
        Todo.SourceRecord(text: "a"), Todo.SourceRecord(text: "b"),
        Todo.SourceRecord(text: "c", done: true),
        Todo.SourceRecord(text: "d"),
      ])
  }

  @Test(
    "is nothing else",
    arguments: [
      ("17", "record 2: expected text, or an object"),
      ("null", "record 2: expected text, or an object"),
      (#"["a"]"#, "record 2: expected text, or an object"),
      ("\"  \"", "record 2: the text is empty"),
      (#"{"done": true}"#, "record 2: text: is missing"),
      (#"{"text": 17}"#, "record 2: text: expected text, found a number"),
      (#"{"text": "b", "done": 1}"#, "record 2: done: expected true or false, found a number"),
    ])
  func others(json: String, words: String) async throws {
    let error = await #expect(throws: SourceError.self) {
      try await load("[\"a\", \(json)]")
    }
    #expect(error?.code == "source_wrong_shape")
    #expect(error?.message.contains("data.json: \(words)") == true)
  }

  private func load(_ json: String) async throws -> [Todo.SourceRecord] {
    let directory = try TemporaryFolder()
    return try await DocumentAccess().records(
      of: Todo.SourceRecord.self, from: directory.write(json, to: "data.json"))
  }
}
