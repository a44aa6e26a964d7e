import SampleFeatures
import Testing

@testable import StateStore

@Suite("An action with a new identifier")
struct NewIdentifierTests {
  private let store = Store()

  @discardableResult
  private func add(_ text: String) throws -> Int {
    try store.send(to: Notes.self) { id in .add(id: id, text: text) }
  }

  @Test("adds a record with the identifier that it returns, counted from 1")
  func counting() throws {
    #expect(try [add("milk"), add("bread")] == [1, 2])
    #expect(store.state(of: Notes.self).items.map(\.text) == ["bread", "milk"])
    #expect(store.state(of: Notes.self).items.map(\.id) == [2, 1])
  }

  @Test("continues after the greatest identifier of a record")
  func greatest() throws {
    try store.send(.add(id: 41, text: "milk"), to: Notes.self)
    #expect(try add("bread") == 42)
  }

  @Test("counts for each feature by itself")
  func features() throws {
    try add("milk")
    let id = try store.send(to: People.self) { .add(.init(id: $0, name: "Ann", age: 30)) }
    #expect(id == 1)
  }

  @Test("uses up no identifier if it is refused")
  func refused() throws {
    try add("milk")
    #expect(throws: NotesError.emptyText) { try add("") }
    #expect(throws: NotesError.emptyText) { try add("") }
    #expect(try add("bread") == 2)
  }

  @Test("never gets the identifier of a record that was removed or undone")
  func gone() throws {
    try add("milk")
    try store.send(.remove(id: 1), to: Notes.self)
    #expect(try add("bread") == 2)
    try store.undo()
    #expect(try add("beer") == 3)
  }

  @Test("gets identifiers from the store's source")
  func source() throws {
    let identifiers = SequentialIdentifiers()
    _ = identifiers.next(IdentifierKind(Notes.name), from: 7)
    store.identifiers = identifiers
    #expect(try add("milk") == 8)
  }
}
