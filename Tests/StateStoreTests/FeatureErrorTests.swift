import SampleFeatures
import Testing

@testable import StateStore

@Suite("Errors of features")
struct FeatureErrorTests {
  @Test("have the codes of their cases' names in snake case")
  func codes() {
    #expect(CounterError.outOfRange(-1).code == "out_of_range")
    #expect(People.ErrorCode.allCases.map(\.code) == ["age_out_of_range", "not_found"])
  }
}
