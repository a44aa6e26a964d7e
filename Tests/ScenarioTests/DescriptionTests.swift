@testable import Scenarios
import Testing

@Suite("A scenario's description")
struct DescriptionTests {
  @Test("has a full name of its groups' names and its own")
  func fullName() {
    let scenario = ScenarioDescription(
      id: .init(file: "a.scenario.lua", number: 1), names: ["signup", "topics", "one is needed"],
      line: 3)
    #expect(scenario.fullName == "signup > topics > one is needed")
    #expect(scenario.name == "one is needed")
  }
}
