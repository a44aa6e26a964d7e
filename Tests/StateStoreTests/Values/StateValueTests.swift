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

  @Test("records are equal with the same members in the same order")
  func equality() {
    #expect(record == ["id": .integer(7), "text": .text("milk")])
    #expect(record != ["text": .text("milk"), "id": .integer(7)])
    #expect(record != ["id": .integer(8), "text": .text("milk")])
  }

  @Test("integers and floating-point numbers are different")
  func numbers() {
    #expect(StateValue.integer(1) != .number(1))
  }
}
