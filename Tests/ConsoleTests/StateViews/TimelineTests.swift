import LineEditing
import SampleApp
import Testing

@testable import Console
@testable import StateStore

@Suite("The timeline")
struct TimelineTests {
  private func texts(
    _ store: Store, _ paths: [String] = [], in size: ScreenSize = .usual
  ) throws -> [String] {
    try Timeline(paths, of: store).lines(in: size).texts.map {
      String($0.reversed().drop { $0 == " " }.reversed())
    }
  }

  @Test("draws numbers as sparklines, with the actions below, and marks the present")
  func numbers() throws {
    let store = try SampleStore.counting(7)
    try store.jump(to: 3)
    #expect(
      try texts(store) == [
        "counter.count  ▁▁▁▁▂▂▂▂▃▃▃▃▄▄▄▄▅▅▅▅▆▆▆▆▇▇▇▇████  0 … 7",
        "               0   1   2   3   4   5   6   7",
        "                           ▲ #3 of 7",
      ])
  }

  @Test("draws undone actions dim")
  func undone() throws {
    let store = try SampleStore.counting(3)
    try store.undo()
    let row = try Timeline(of: store).lines(in: .usual)[0]
    #expect(row.runs.contains { $0.text == "████" && $0.style.isDim })
    #expect(row.runs.contains { $0.text.hasPrefix("▁▁▁▁") && !$0.style.isDim })
  }

  @Test("draws truth values and texts as bands, and lists by their sizes")
  func bands() async throws {
    let store = SampleStore.empty()
    try store.send(.set(count: 5), to: Counter.self)
    try await store.askInVain()
    try store.send(.add(number: 17), to: Favorites.self)
    try store.send(.next, to: SignUp.self)
    #expect(
      try texts(store, ["counter.loading", "favorites", "signup.step"]).prefix(3) == [
        "counter.loading  ░░░░░░░░████░░░░░░░░░░░░",
        "favorites        ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁████████  0 … 1 element",
        "signup.step      nil░░░░░░░░░░░░░░░░░bas…",
      ])
  }

  @Test("cuts labels off, alternates the fill of bands, and escapes what a terminal obeys")
  func labels() throws {
    let store = SampleStore.empty()
    for query in ["first query", "\u{1B}[2J", "宽", ""] {
      try store.send(.set(query: query), to: Todo.self)
    }
    #expect(
      try texts(store, ["todo.query"])[0]
        == "todo.query  \"\"░░fir…\\x1…████\"\"░░")
  }

  @Test("shows all fields that changed, unless some are named")
  func fields() throws {
    let store = try SampleStore.counting(2)
    try store.add("milk")
    let names = try texts(store).compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(names.prefix(3) == ["counter.count", "todo.items", "todo.last_query"])
    #expect(try texts(store, ["favorites"])[0].hasPrefix("favorites  ▁"))
  }

  @Test("has a column for many actions where there are more than columns")
  func manyActions() async throws {
    let store = try SampleStore.counting(5_000)
    try await store.askInVain()
    for _ in 0..<500 { try store.increment() }
    let lines = try texts(store, ["counter.count", "counter.loading"])
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines[0].contains("▁") && lines[0].contains("█"))
    // One action of a column is enough for it to be seen.
    #expect(lines[1].filter { $0 == "█" }.count == 1)
    #expect(lines.last?.hasSuffix("#5502 of 5502 ▲") == true)
  }

  @Test("draws numbers that can't be compared or are too far apart")
  func extremes() throws {
    let store = SampleStore.empty()
    try store.send(.set(count: .max), to: Counter.self)
    try store.send(.set(count: .min), to: Counter.self)
    #expect(
      try texts(store)[0]
        == "counter.count  ▅▅▅▅████▁▁▁▁  \(Int.min) … \(Int.max)")
  }

  @Test("says so if nothing changed, and fails for unknown paths")
  func nothing() throws {
    let store = SampleStore.empty()
    #expect(try texts(store) == ["Nothing has changed within the history."])
    #expect(throws: StatePathError.self) { try Timeline(["nothing"], of: store) }
  }

  @Test("stays within any screen", arguments: [1, 7, 30])
  func narrow(columns: Int) throws {
    let store = try SampleStore.counting(100)
    try store.add("milk")
    let rows = try Timeline(of: store).lines(in: ScreenSize(columns: columns, rows: 6))
    #expect(rows.allSatisfy { $0.columns <= columns })
    #expect(rows.count <= 6)
  }
}

@Suite("The row of watched values")
struct WatchRowTests {
  @Test("shows values and the sizes of lists")
  func values() throws {
    let store = try SampleStore.counting(7)
    try store.send(.add(number: 17), to: Favorites.self)
    let row = try WatchRow(
      expressions: ["counter.count", "#favorites", "favorites", "todo.query"], store.schema)
    #expect(
      row.row(of: store, columns: 80).text
        == "counter.count 7 · #favorites 1 · favorites { 17 } · todo.query \"\"")
    #expect(row.row(of: store, columns: 10).text == "counter.c…")
    #expect(row.row(of: store, columns: 80).runs.allSatisfy { $0.style == .dim })
  }

  @Test("reads only the first elements of large lists")
  func largeList() async throws {
    let store = try await SampleStore.large(100_000)
    let row = try WatchRow(expressions: ["todo.items"], store.schema)
    #expect(
      row.row(of: store, columns: 200).text
        == "todo.items { \"item 1\", \"item 2\", \"item 3\", \"item 4\", … 99,996 more }")
  }

  @Test("shows parts of records and lists, and nil where there are none")
  func parts() throws {
    let store = SampleStore.empty()
    let row = try WatchRow(
      expressions: ["todo.items[1].text", "signup.path", "#signup.path", "persons"], store.schema)
    #expect(
      row.row(of: store, columns: 200).text
        == "todo.items[1].text nil · signup.path {} · #signup.path 0 · persons {}")
    try store.add("milk")
    #expect(row.row(of: store, columns: 200).text.hasPrefix("todo.items[1].text \"milk\""))
  }

  @Test("names the nearest path for an unknown one")
  func unknownPath() {
    let error = #expect(throws: StatePathError.self) {
      try WatchRow(expressions: ["counter.count", "#favorits"], SampleApp.schema)
    }
    #expect(error?.message == "The state has nothing at \"favorits\"; did you mean \"favorites\"?")
  }

  @Test("refuses the size of what isn't a list", arguments: ["#counter.count", "#counter", "#"])
  func noList(text: String) {
    #expect(throws: StatePathError.self) { try StateExpression(text, in: SampleApp.schema) }
  }
}
