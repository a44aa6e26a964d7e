import PrimereplLineEditing
import SampleApp
import Synchronization
import Testing

@testable import PrimereplTerminal
@testable import StateStore

@Suite("The summary of a command's changes")
struct ChangeSummaryTests {
  private let store = SampleStore.empty()

  private func summary(
    _ detail: ChangeDetail = .folded, columns: Int = 80, of body: () throws -> Void
  ) throws -> [String] {
    var start = ChangeBaseline(of: store)
    let subscription = store.observeEvents { start.record($0) }
    defer { subscription.cancel() }
    try body()
    return try ChangeSummary(since: start, in: store, SampleStore.texts, detail)
      .lines(columns: columns).texts
  }

  @Test("says nothing of others if nothing happened, whatever a derived value is meanwhile")
  func nothingOfOthers() throws {
    let count = Atomic(0)
    let derived = DerivedField("counter.computed", of: Counter.self) { _ in
      count.add(1, ordering: .relaxed).newValue
    }
    let store = Store(try StoreSchema(features: [Counter.self], derived: [derived]))
    let start = ChangeBaseline(of: store)
    for source in [RemoteChange.task, .process(RemoteActions())] {
      #expect(try source.line(since: start, in: store, SampleStore.texts, columns: 80) == nil)
    }
  }

  @Test("has no lines if nothing changed")
  func nothing() throws {
    #expect(try summary {} == [])
    #expect(try summary { try store.send(.set(count: 0), to: Counter.self) } == [])
    #expect(
      try summary {
        try store.increment()
        try store.undo()
      } == [])
  }

  @Test("shows added and removed elements of lists")
  func elements() throws {
    #expect(
      try summary { try store.send(.add(number: 17), to: Favorites.self) }
        == ["#1  favorites +17"])
    #expect(
      try summary { try store.send(.remove(number: 17), to: Favorites.self) }
        == ["#2  favorites −17"])
  }

  @Test("names records by their titles, and shows what changed of them by its path")
  func records() throws {
    #expect(
      try summary { try store.add("milk") }
        == ["#1  todo.items +\"milk\" · todo.last_query nil → \"milk\""])
    #expect(
      try summary { try store.send(.complete(id: 1), to: Todo.self) }
        == ["#2  todo.items[1].done false → true"])
    #expect(
      try summary { try store.send(.remove(id: 1), to: Todo.self) } == ["#3  todo.items −\"milk\""])
  }

  @Test("counts elements where there are many")
  func manyElements() throws {
    let lines = try summary {
      for number in [2, 3, 5, 7, 11] {
        try store.send(.add(number: number), to: Favorites.self)
      }
    }
    #expect(lines == ["#1…#5  5 actions: favorites +5 elements"])
  }

  @Test("shortens long values")
  func longValues() throws {
    let lines = try summary {
      try store.send(.set(query: String(repeating: "long ", count: 1000)), to: Todo.self)
    }
    #expect(lines == ["#1  todo.query \"\" → \"long long long long long…\""])
  }

  @Test("counts the changed fields of a derived record")
  func derivedRecord() throws {
    try store.send(.askIsPrime, to: Counter.self)
    #expect(
      try summary { try store.increment() }
        == ["#2  counter.count 0 → 1 · counter.modal (2 fields)"])
  }

  @Test("shows everything on request, on as many lines as it takes")
  func full() throws {
    try store.send(.askIsPrime, to: Counter.self)
    let long = String(repeating: "long ", count: 30)
    let lines = try summary(.full) {
      try store.increment()
      try store.send(.set(query: long), to: Todo.self)
      for number in [2, 3, 5, 7] { try store.send(.add(number: number), to: Favorites.self) }
    }
    #expect(lines.joined(separator: " ").contains(long.trimmingCharacters(in: .whitespaces)))
    #expect(lines.joined().contains("counter.modal.number 0 → 1"))
    #expect(lines.joined().contains("favorites +2 +3 +5 +7"))
  }

  @Test("never shows a password, nor its length")
  func secrets() throws {
    try store.send(.edit([.password(Secret("hunter2"))]), to: SignUp.self)
    let changed = try summary {
      try store.send(.edit([.password(Secret("another password"))]), to: SignUp.self)
    }
    #expect(changed == ["#2  signup.data.password changed to \"••••••\""])
  }

  @Test("says that a command undid actions before its own")
  func travelAndActions() throws {
    for _ in 0..<3 { try store.increment() }
    let lines = try summary {
      try store.undo()
      try store.add("milk")
    }
    #expect(lines.first?.hasPrefix("#3  1 action and undo: ") == true)
  }

  @Test("has at most five lines within the width, and says what is left out")
  func bounded() throws {
    let lines = try summary(columns: 20) {
      try store.increment()
      for number in [2, 3, 5] { try store.send(.add(number: number), to: Favorites.self) }
      try store.add("milk")
      try store.send(.set(query: "a"), to: Todo.self)
      try store.send(.next, to: SignUp.self)
      try store.send(.edit([.email("a@b.c"), .firstName("A")]), to: SignUp.self)
    }
    #expect(lines.count == 5)
    #expect(lines.allSatisfy { $0.count <= 20 })
    #expect(lines.last?.contains("more changes") == true)
  }

  @Test("counts the elements of large lists that replaced each other")
  func replacedLists() async throws {
    let store = try await SampleStore.large(2_000)
    let start = ChangeBaseline(of: store)
    try store.reset()
    let change = try RemoteChange.task.line(
      since: start, in: store, SampleStore.texts, columns: 200)
    #expect(change?.text == "task  #3 todo.items 2,000 → 0 elements")
  }

  @Test("lets no text command the terminal")
  func hostileText() throws {
    let lines = try summary { try store.add("\u{1B}[31m\u{9B}\u{202E}\u{7}\nx") }
    #expect(!lines.contains(where: commandsTerminal))
    #expect(lines.first?.contains("\\x1b[31m") == true)
  }
}

@Suite("The line of a change that comes by itself")
struct RemoteChangeTests {
  private let store = SampleStore.empty()
  private let start: ChangeBaseline

  init() { start = ChangeBaseline(of: store) }

  private func line(of change: RemoteChange, columns: Int = 80) throws -> StyledText? {
    try change.line(since: start, in: store, SampleStore.texts, columns: columns)
  }

  @Test("says where it came from")
  func sources() throws {
    #expect(try line(of: .task) == nil)
    try store.increment()
    var remote = RemoteActions()
    remote.numbers = 1...1
    #expect(
      try line(of: .process(remote))?.text
        == "another process  #1 counter.increment()  counter.count 0 → 1")
    try store.increment()
    // The second action is this process's own, on top of the other's.
    remote.authors = ["anna@laptop", "ben@desk"]
    #expect(
      try line(of: .process(remote))?.text
        == "anna@laptop, ben@desk  #1 counter.increment()  counter.count 0 → 2")
    #expect(try line(of: .task)?.text == "task  #1…#2 2 actions: counter.count 0 → 2")
  }

  @Test("is one line within the width")
  func width() throws {
    try store.add(String(repeating: "宽", count: 100))
    let shown = try #require(try line(of: .task, columns: 30))
    #expect(shown.columns <= 30)
  }
}
