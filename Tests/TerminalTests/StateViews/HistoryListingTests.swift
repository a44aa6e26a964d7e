import Foundation
import PrimereplLineEditing
import SampleApp
import Testing

@testable import PrimereplTerminal
@testable import StateStore

@Suite("The listing of the history")
struct HistoryListingTests {
  private func lines(
    _ store: Store, _ filter: HistoryListing.Filter = .all, now: Date = SampleStore.noon
  ) throws -> [String] {
    try HistoryListing(store, SampleStore.texts, now: now).lines(filter, in: .usual).texts
  }

  @Test("has a line for each action with its number, time, text and changes, and marks the present")
  func actions() throws {
    let store = SampleStore.empty()
    try store.increment()
    try store.send(.add(number: 17), to: Favorites.self)
    #expect(
      try lines(store) == [
        "  1  12:00:00  counter.increment()  counter.count 0 → 1",
        "▸ 2  12:00:00  favorites.add(17)    favorites +17",
      ])
  }

  @Test("shows undone actions dim")
  func undone() throws {
    let store = try SampleStore.counting(2)
    try store.undo()
    let rows = try HistoryListing(store, SampleStore.texts, now: SampleStore.noon)
      .lines(in: .usual)
    #expect(rows.texts.map { $0.prefix(3) } == ["▸ 1", "  2"])
    let action = rows[1].runs.first { $0.text.contains("counter.increment") }
    #expect(action?.style.isDim == true)
  }

  @Test("shows the date of actions of another day")
  func dates() throws {
    let store = try SampleStore.counting(1)
    let tomorrow = SampleStore.noon.addingTimeInterval(86_400)
    #expect(try lines(store, now: tomorrow)[0].contains("  2026-11-21  "))
  }

  @Test("shows as many as fit, and how many came before")
  func manyActions() throws {
    let store = try SampleStore.counting(1_000)
    let lines = try lines(store)
    #expect(lines.count <= 22)
    #expect(lines[0] == "  ... 980 earlier")
    #expect(lines.last?.hasPrefix("▸ 1000  ") == true)
  }

  @Test("shows the actions around the present if the last ones are undone")
  func presentInTheMiddle() throws {
    let store = try SampleStore.counting(1_000)
    try store.jump(to: 300)
    let lines = try lines(store)
    #expect(lines.contains { $0.hasPrefix("▸ 300") || $0.hasPrefix("▸  300") })
    #expect(lines.first?.hasSuffix("earlier") == true)
    #expect(lines.last?.hasSuffix("later") == true)
  }

  @Test("marks the beginning if everything is undone")
  func beginning() throws {
    let store = try SampleStore.counting(1)
    try store.undo()
    #expect(try lines(store)[0] == "▸ 0            the beginning")
  }

  @Test("filters by number and by text")
  func filters() throws {
    let store = try SampleStore.counting(5)
    try store.add("Milk", id: 1)
    #expect(HistoryListing.Filter(" 3 ") == .last(3))
    #expect(HistoryListing.Filter("milk") == .containing("milk"))
    #expect(HistoryListing.Filter("") == .all)
    #expect(try lines(store, .last(2)).map { $0.prefix(3) } == ["  5", "▸ 6"])
    #expect(try lines(store, .last(.max)).count == 6)
    #expect(try lines(store, .containing("milk")).map { $0.prefix(3) } == ["▸ 6"])
    #expect(try lines(store, .containing("\u{1B}")) == ["No action contains \"\\x1b\"."])
    #expect(try lines(SampleStore.empty()) == ["The history is empty."])
  }

  @Test("stays within any screen", arguments: [1, 10, 40])
  func narrow(columns: Int) throws {
    let store = try SampleStore.counting(30)
    let size = ScreenSize(columns: columns, rows: 5)
    let rows = try HistoryListing(store, SampleStore.texts).lines(in: size)
    #expect(rows.allSatisfy { $0.columns <= columns })
    #expect(rows.count <= 5)
  }
}
