import Testing

@testable import PrimereplDomain
@testable import StateStore

/// What `Examples/scenarios/landmarks.scenario.lua` doesn't show.
@Suite("Landmarks")
struct LandmarksTests {
  private let store = Store()

  /// Replaces the store's landmarks, as loading them does.
  private func load(_ landmarks: [Landmark], number: Int = 1) throws {
    try store.send(.asked(Landmarks.load, Source(), number: number))
    try store.send(.answered(Landmarks.load, landmarks, number: number))
  }

  private func landmark(_ id: Int, _ name: String) -> Landmark {
    Landmark(
      id: id, name: name, park: "Park", state: "State", category: "Rocks", latitude: 34.5,
      longitude: -116)
  }

  @Test("stay selected if they are loaded again")
  func loadedSelection() throws {
    try load([landmark(7, "Turtle Rock"), landmark(3, "Denali")])
    try store.send(.select(id: 3), to: Landmarks.self)
    try load([landmark(3, "Denali"), landmark(7, "Turtle Rock")], number: 2)
    #expect(store.state(of: Landmarks.self).selected == 3)
  }

  @Test("two of the same id are refused, and nothing changes")
  func refusesDuplicates() throws {
    try load([landmark(3, "Denali")])
    try store.send(.asked(Landmarks.load, Source(), number: 2))
    let before = store.states
    let same = [landmark(1, "A"), landmark(1, "B")]
    #expect(
      code { try store.send(.answered(Landmarks.load, same, number: 2)) } == "duplicate_id")
    #expect(store.states == before)
  }
}
