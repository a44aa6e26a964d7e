import SampleFeatures
import StateStore
import Testing

@Suite("A store for tests")
struct TestStoreTests {
  private func failure(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("accepts an action whose changes are all mentioned")
  func success() throws {
    let test = try TestStore(Notes.self)
    try test.send(.add(id: 1, text: "milk")) {
      try $0.items.append(Notes.Note(id: 1, text: "milk"))
      $0.lastText = "milk"
    }
    try test.send(.finish(id: 1)) { $0.items.update(id: 1) { $0.done = true } }
    try test.send(.set(query: ""))
    #expect(test.state.items.map(\.done) == [true])
  }

  @Test("shows every difference with its path")
  func differences() throws {
    let test = try TestStore(Notes.self)
    let message = failure {
      try test.send(.add(id: 1, text: "milk")) {
        try $0.items.append(Notes.Note(id: 1, text: "Milk"))
        try $0.items.append(Notes.Note(id: 2, text: "bread"))
        $0.query = "m"
      }
    }
    #expect(
      message == """
        notes did add(id: 1, text: "milk"), but the state isn't as expected:
          items[1].text: expected "Milk", actual "milk"
          items: expected the element {"done":false,"id":2,"text":"bread"}, actual nothing
          lastText: expected nothing, actual "milk"
          query: expected "m", actual ""
        """)
  }

  @Test("refuses a change that isn't mentioned, even of a hidden part")
  func unmentioned() throws {
    let test = try TestStore(Counter.self)
    #expect(
      failure { try test.send(.openCard) } == """
        counter did openCard, but the state isn't as expected:
          isCardOpen: expected false, actual true
        """)
  }

  @Test("accepts an action that is refused as expected")
  func refusal() throws {
    let test = try TestStore(Notes.self)
    try test.fails(.finish(id: 5), with: .notFound)
    #expect(
      failure { try test.fails(.finish(id: 5), with: .emptyText) }
        == "notes refused finish(id: 5) with not_found: There is no note 5., instead of empty_text")
    #expect(
      failure { try test.fails(.set(query: "m"), with: .notFound) }
        == "notes did set(query: \"m\"), instead of refusing it with not_found")
  }

  @Test("passes the error of an action that is refused unexpectedly")
  func unexpectedRefusal() throws {
    let test = try TestStore(Notes.self)
    #expect(throws: NotesError.notFound(id: 5)) { try test.send(.finish(id: 5)) }
  }

  @Test("asks a request, whose steps must mention their changes")
  func request() async throws {
    let test = try TestStore(People.self)
    let services = ServiceContext(SampleServices(names: { _ in ["Ann"] }))
    try await test.ask(
      People.fetch, "friends", in: services,
      done: { state, people in
        try state.list.replaceAll(with: people)
      })
    #expect(test.state.list.map(\.name) == ["Ann"])
    do {
      try await test.ask(People.fetch, "friends", in: services)
      Issue.record("the new person isn't mentioned")
    } catch {
      #expect(
        "\(error)".hasPrefix("people.fetch was answered, but the state isn't as expected:\n  list")
      )
    }
  }

  @Test("begins in a given state")
  func start() throws {
    var state = Counter.initial
    state.count = 6
    let test = try TestStore(Counter.self, in: state)
    try test.send(.increment(by: 1)) { $0.count = 7 }
  }
}
