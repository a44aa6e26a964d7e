import PrimereplLineEditing
import SampleApp
import Testing

@testable import PrimereplTerminal
@testable import StateStore

@Suite("Time travel")
struct TravelViewTests {
  private let store: Store
  private let clock = ActionClock(now: SampleStore.noon)

  init() throws {
    store = try SampleStore.counting(3)
    try store.add("milk")
    for _ in 0..<8 { try store.increment() }
  }

  private func view(_ watched: [String] = []) throws -> TravelView {
    try TravelView(store, SampleStore.texts, watched: watched, clock: clock)
  }

  private func positions(_ keys: [Key], watched: [String] = []) throws -> [Int] {
    var view = try view(watched)
    return keys.map { key in
      #expect(view.handle(key) == .moved)
      return view.position
    }
  }

  @Test("begins at the present, and shows the action, what it changed, and the values")
  func rows() throws {
    var view = try view(["counter.count", "#todo.items"])
    _ = view.handle(.left)
    let rows = view.rows(in: ScreenSize(columns: 30, rows: 10)).texts
    #expect(
      rows == [
        "├────────────────●──┤ 11 of 12", "#11  12:00:00  counter.increm…",
        "counter.count 9 → 10", "  counter.count 10", "  #todo.items 1",
        "←/→ one action · ↑/↓ ten", "    n/N change · / find", "    Enter: go here",
        "    Esc: go back",
      ])
  }

  @Test("moves by one action, by ten, and to the ends, and no farther")
  func moves() throws {
    #expect(try positions([.left, .left, .right, .right, .right]) == [11, 10, 11, 12, 12])
    #expect(try positions([.up, .up, .down, .down]) == [2, 0, 10, 12])
    #expect(try positions([.home, .left, .end, .right]) == [0, 0, 12, 12])
    #expect(try positions([.pageUp, .pageDown, .unknown, .tab]) == [2, 12, 12, 12])
  }

  @Test("goes to the next and previous change of a watched value")
  func changes() throws {
    let next = Key.character("n")
    let previous = Key.character("N")
    #expect(
      try positions([.home, next, next, previous], watched: ["#todo.items"]) == [0, 4, 4, 4])
    #expect(try positions([previous, .home, next], watched: ["todo.items"]) == [4, 0, 4])
    #expect(try positions([previous, .home, next, next, previous]) == [11, 0, 1, 2, 1])
  }

  @Test("says if there is no other change")
  func noChange() throws {
    var view = try view(["favorites"])
    _ = view.handle(.character("n"))
    #expect(view.rows(in: .usual).last?.text == "no later change")
    _ = view.handle(.character("N"))
    #expect(view.rows(in: .usual).last?.text == "no earlier change")
  }

  @Test("finds an action by its text, again with an empty text, and says if there is none")
  func finding() throws {
    var view = try view()
    for key in [Key.character("/"), .character("M"), .character("i"), .character("x"), .backspace] {
      #expect(view.handle(key) == .moved)
    }
    #expect(view.rows(in: .usual).last?.text == "/Mi ")
    _ = view.handle(.enter)
    #expect(view.position == 4)
    for key in [Key.end, .character("/"), .enter] { _ = view.handle(key) }
    #expect(view.position == 4)
    for key in [Key.character("/"), .paste("\u{1B}"), .enter] { _ = view.handle(key) }
    #expect(view.position == 4)
    #expect(view.rows(in: .usual).last?.text == "no action contains \"\\x1b\"")
  }

  @Test("leaves the search with Escape, and only the search")
  func endOfSearch() throws {
    var view = try view()
    _ = view.handle(.character("/"))
    #expect(view.handle(.character("q")) == .moved)
    #expect(view.handle(.escape) == .moved)
    #expect(view.handle(.escape) == .returns)
  }

  @Test("shows fields that changed within the history, unless some are watched")
  func defaultFields() throws {
    let rows = try view().rows(in: .usual).texts
    #expect(rows.contains("  counter.count 11"))
    #expect(rows.contains("  todo.last_query \"milk\""))
    #expect(!rows.contains { $0.contains("favorites") })
  }

  @Test("stays within any screen", arguments: [1, 8, 200], [1, 2, 6])
  func small(columns: Int, rows: Int) throws {
    var view = try view()
    for key in [Key.left, .character("/"), .character("宽")] {
      _ = view.handle(key)
      let shown = view.rows(in: ScreenSize(columns: columns, rows: rows))
      #expect(shown.count <= rows)
      #expect(shown.allSatisfy { $0.columns <= columns })
    }
  }

  @Test("works without any action")
  func empty() throws {
    var view = try TravelView(SampleStore.empty(), SampleStore.texts)
    for key in [Key.left, .right, .home, .end, .character("n"), .character("N")] {
      #expect(view.handle(key) == .moved)
    }
    #expect(view.rows(in: .usual)[1].text == "#0  the beginning of the history")
  }
}
