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
