import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("Landmarks")
struct LandmarksTests {
  let store = Store()

  init() throws { try store.load(Self.three) }

  private static let three = [
    landmark(7, "Turtle Rock", isFavorite: true), landmark(3, "Silver Salmon Creek"),
    landmark(5, "Denali", isFavorite: true),
  ]

  private static func landmark(_ id: Int, _ name: String, isFavorite: Bool = false) -> Landmark {
    Landmark(
      id: id, name: name, park: "Park", state: "State", category: "Rocks", latitude: 34.5,
      longitude: -116, isFavorite: isFavorite)
  }

  private var state: Landmarks.State { store.state(of: Landmarks.self) }
  private var visible: [String] { state.visible.map(\.name) }

  @Test("the app starts without landmarks")
  func startsEmpty() {
    let state = Landmarks.State()
    #expect(state.all.isEmpty)
    #expect(!state.showFavoritesOnly)
    #expect(state.selected == nil)
  }

  @Test("all are shown, or only the favorites")
  func filters() throws {
    #expect(visible == ["Turtle Rock", "Silver Salmon Creek", "Denali"])
    try store.send(.setShowFavoritesOnly(true), to: Landmarks.self)
    #expect(visible == ["Turtle Rock", "Denali"])
    try store.send(.setShowFavoritesOnly(false), to: Landmarks.self)
    #expect(visible.count == 3)
  }

  @Test("favorites are set by the id, not the row")
  func setsByID() throws {
    try store.send(.setShowFavoritesOnly(true), to: Landmarks.self)
    // The second that is shown is the third of all.
    let id = state.visible[1].id
    #expect(try state.isFavorite(id))
    try store.send(.setFavorite(id: id, isFavorite: false), to: Landmarks.self)
    #expect(try !state.isFavorite(id))
    #expect(state.all.map(\.isFavorite) == [true, false, false])
    try store.send(.setFavorite(id: 3, isFavorite: true), to: Landmarks.self)
    #expect(state.all.map(\.isFavorite) == [true, true, false])
  }

  @Test("a landmark that is no longer a favorite leaves the favorites, and stays selected")
  func leavesVisible() throws {
    try store.send(.setShowFavoritesOnly(true), to: Landmarks.self)
    try store.send(.select(id: 7), to: Landmarks.self)
    try store.send(.setFavorite(id: 7, isFavorite: false), to: Landmarks.self)
    #expect(visible == ["Denali"])
    #expect(state.selected == 7)
  }

  @Test("an unknown id is not found, and nothing changes", arguments: [1, 0, -1, Int.min, Int.max])
  func refusesUnknownIDs(id: Int) throws {
    try store.send(.select(id: 3), to: Landmarks.self)
    let before = store.states
    #expect(code { _ = try state.isFavorite(id) } == "not_found")
    #expect(code { try store.send(.select(id: id), to: Landmarks.self) } == "not_found")
    #expect(
      code { try store.send(.setFavorite(id: id, isFavorite: true), to: Landmarks.self) }
        == "not_found")
    #expect(store.states == before)
  }

  @Test("one is selected at a time, or none")
  func selects() throws {
    try store.send(.select(id: 3), to: Landmarks.self)
    try store.send(.select(id: 5), to: Landmarks.self)
    #expect(state.selected == 5)
    try store.send(.deselect, to: Landmarks.self)
    #expect(state.selected == nil)
    try store.send(.deselect, to: Landmarks.self)
    #expect(state.selected == nil)
  }

  @Test("loading keeps the selection if it still exists, and clears it otherwise")
  func loadedSelection() throws {
    try store.send(.select(id: 3), to: Landmarks.self)
    try store.load(Self.three.reversed())
    #expect(state.selected == 3)
    try store.load([Self.three[0]])
    #expect(state.selected == nil)
  }

  @Test("two of the same id are refused, and nothing changes")
  func refusesDuplicates() throws {
    try store.send(.select(id: 3), to: Landmarks.self)
    try store.send(.asked(Landmarks.load, Source(), number: 2))
    let before = store.states
    let same = [Self.landmark(1, "A"), Self.landmark(1, "B")]
    #expect(
      code { try store.send(.answered(Landmarks.load, same, number: 2)) } == "duplicate_id")
    #expect(store.states == before)
  }

  @Test("a row has a star, which is filled for a favorite")
  func rows() {
    #expect(Self.three.map(\.row) == ["★ Turtle Rock", "☆ Silver Salmon Creek", "★ Denali"])
  }
}
