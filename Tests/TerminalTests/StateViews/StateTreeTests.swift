import PrimereplLineEditing
import SampleApp
import Testing

@testable import PrimereplTerminal
@testable import StateStore

@Suite("The tree of the state")
struct StateTreeTests {
  @Test("shows the whole state, nested by its paths")
  func whole() throws {
    let store = try SampleStore.counting(7)
    let lines = try StateTree(of: store).lines(in: ScreenSize(columns: 80, rows: 100)).texts
    #expect(
      lines.prefix(8) == [
        "state", "├─ counter", "│  ├─ count 7", "│  ├─ loading false", "│  ├─ alert nil",
        "│  └─ modal nil", "├─ favorites 0 elements", "├─ todo",
      ])
  }

  @Test("shows a part, with a line for each element")
  func part() throws {
    let store = SampleStore.empty()
    try store.add("milk")
    #expect(
      try StateTree("todo.items", of: store).lines(in: .usual).texts == [
        "todo.items 1 element", "└─ [1] { id = 1, text = \"milk\", done = false }",
      ])
    #expect(
      try StateTree("todo.items[1]", of: store).lines(in: .usual).texts == [
        "todo.items[1]", "├─ id 1", "├─ text \"milk\"", "└─ done false",
      ])
    #expect(
      try StateTree("counter.count", of: store).lines(in: .usual).texts == ["counter.count 0"])
    #expect(try StateTree("#todo.items", of: store).lines(in: .usual).texts == ["#todo.items 1"])
  }

  @Test("shows the first elements of a large list, and the number of the others")
  func largeList() async throws {
    let store = try await SampleStore.large(100_000)
    let lines = try StateTree("todo.items", of: store).lines(in: .usual).texts
    #expect(lines.first == "todo.items 100,000 elements")
    #expect(lines.last == "└─ ... 99,981 more")
    #expect(lines.count == 21)
    let whole = try StateTree(of: store).lines(in: .usual).texts
    #expect(whole.count <= 21)
    #expect(whole.contains { $0.contains("items") })
  }

  @Test("stays within any screen", arguments: [1, 5, 40], [1, 4, 10])
  func small(columns: Int, rows: Int) async throws {
    let store = try await SampleStore.large(100)
    let lines = try StateTree(of: store).lines(in: ScreenSize(columns: columns, rows: rows))
    #expect(lines.allSatisfy { $0.columns <= columns })
    #expect(lines.count <= max(4, rows))
  }

  @Test(
    "names the nearest path for an unknown one",
    arguments: [
      ("counter.cuont", "counter.count"), ("countr", "counter"),
      ("todo.items[3].txt", "todo.items[3].text"), ("signup.dat.email", "signup.data.email"),
    ])
  func unknownPath(path: String, nearest: String) throws {
    let error = #expect(throws: StatePathError.self) {
      try StateTree(path, of: SampleStore.empty())
    }
    #expect(
      error?.message == "The state has nothing at \"\(path)\"; did you mean \"\(nearest)\"?")
  }

  @Test(
    "says what there is for a path that is near to none",
    arguments: ["xyz", "\u{1B}[31m", "[[[", "]", "a..b", String(repeating: "é", count: 10_000)])
  func nonsense(path: String) throws {
    let error = #expect(throws: StatePathError.self) {
      try StateTree(path, of: SampleStore.empty())
    }
    #expect(error?.message.contains("it has counter, favorites, todo") == true)
    #expect(!commandsTerminal(error?.message ?? ""))
  }
}

@Suite("The difference between two states")
struct StateDiffTests {
  @Test("shows each change by its path, as after a command")
  func values() throws {
    let store = try SampleStore.counting(2)
    try store.add("milk")
    try store.send(.complete(id: 1), to: Todo.self)
    #expect(
      try StateDiff(from: 1, in: store).lines(in: .usual).texts == [
        "#1 → #4", "counter.count 1 → 2",
        "todo.items[1] +{ id = 1, text = \"milk\", done = true }",
        "todo.last_query nil → \"milk\"",
      ])
    #expect(
      try StateDiff(from: 4, to: 2, in: store).lines(in: .usual).texts[1]
        == "todo.items −{ id = 1, text = \"milk\", done = true }")
  }

  @Test("shows values that don't fit one line on two, red and green")
  func longValues() throws {
    let store = SampleStore.empty()
    try store.send(.set(query: "an old query that is long"), to: Todo.self)
    try store.send(.set(query: "and a new query that is as long"), to: Todo.self)
    let lines = try StateDiff(from: 1, in: store).lines(in: ScreenSize(columns: 60, rows: 24))
    #expect(
      lines.texts.dropFirst() == [
        "- todo.query \"an old query that is long\"",
        "+ todo.query \"and a new query that is as long\"",
      ])
    #expect(lines.dropFirst().map { $0.runs[0].style.color } == [.red, .green])
  }

  @Test("shows as many differences as fit, and counts the others")
  func bounded() throws {
    let store = SampleStore.empty()
    for id in 1...50 { try store.add("item \(id)", id: id) }
    let lines = try StateDiff(from: 0, in: store).lines(in: .usual).texts
    #expect(lines.count <= 22)
    #expect(lines.last == "... 31 more differences")
    let back = try StateDiff(from: 50, to: 0, in: store).lines(in: .usual).texts
    #expect(back.count <= 22)
    #expect(back.contains { $0.hasPrefix("todo.items −3") && $0.hasSuffix("more elements") })
  }

  @Test("fails for actions that the history doesn't have", arguments: [-1, 3, .max, .min])
  func unknownAction(number: Int) throws {
    let store = try SampleStore.counting(2)
    #expect(throws: StoreError.self) { try StateDiff(from: number, in: store) }
    #expect(throws: StoreError.self) { try StateDiff(from: 0, to: number, in: store) }
  }
}
