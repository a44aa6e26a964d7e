import Foundation
import Testing

@testable import PrimereplDomain
@testable import StateStore

/// Earlier versions kept a history of actions, and tables for people: of their sessions, only the tables are read.
@Suite("The app's state in the tables of an earlier version")
struct EarlierVersionTests {
  private static let turtleRock = Landmark(
    id: 1, name: "Turtle Rock", park: "Joshua Tree", state: "California", category: "Rocks",
    latitude: 34.011, longitude: -116.167, isFavorite: true)

  private static let actions: [StoreAction] = [
    .counter(.set(count: 17)), .favorites(.add(number: 17)),
    .todo(.add(id: 1, text: "milk")),
    .asked(Todo.fetch, Source("missing.json"), number: 30),
    .failed(Todo.fetch, "no such file", number: 30),
    .persons(.add(Persons.Person(id: 1, name: "Majid", age: 27))),
    .asked(Landmarks.load, Source(), number: 32),
    .answered(Landmarks.load, [turtleRock], number: 32),
    .asked(Persons.fetch, Source(), number: 33),
  ]

  /// Opens a session of tables that have some states as an earlier version wrote them: the values that are shown, also
  /// derived ones, and neither the states of requests nor versions.
  private func open(_ states: States) throws -> JournaledSession {
    var state = SavedState()
    for field in App.schema.fields {
      if let elements = field.elements(in: states) {
        state.lists[field.path] = elements.map(\.savedJSON)
      } else {
        state.values[field.path] = field.value(in: states).savedJSON
      }
    }
    let journal = InMemoryJournal()
    let empty = journal.load()
    let saved = SavedSession(point: empty.point, state: state, entries: [], extent: HistoryExtent())
    _ = try journal.exchange(SessionWrite(copying: saved), after: empty.point)
    return try JournaledSession(App.schema, in: journal)
  }

  @Test("is all there, except for pending requests and what wasn't shown")
  func tables() throws {
    let earlier = Store()
    for action in Self.actions { try earlier.send(action) }
    let session = try open(earlier.states)
    let states = session.store.states
    #expect(states.counter.count == 17)
    #expect(states.favorites.list.sorted() == [17])
    #expect(states.todo.items.map(\.text) == ["milk"])
    #expect(states.persons.list.map(\.name) == ["Majid"])
    #expect(Array(states.landmarks.all) == [Self.turtleRock])
    #expect(session.store.error(of: Todo.fetch) == "no such file")
    #expect(!session.store.isPending(Persons.fetch))
    #expect(session.store.reachable == 0...0)
  }

  @Test("leaves nothing behind that this version doesn't know")
  func derivedValues() throws {
    let session = try open(Store().states)
    #expect(session.store.states.unused.isEmpty)
  }
}
