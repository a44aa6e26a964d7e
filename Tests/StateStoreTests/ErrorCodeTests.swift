import SampleFeatures
import Testing

@testable import StateStore

@Suite("Errors that are hard to cause")
struct ErrorCodeTests {
  @Test(
    "have codes that never change, and a message of one line",
    arguments: [
      (StoreError.actedElsewhere, "acted_elsewhere"),
      (SchemaError.unknownAction(of: "notes"), "unknown_action"),
      (SchemaError.goneRequest("x"), "gone_request"),
    ] as [(any CodedError, String)])
  func codes(error: any CodedError, code: String) {
    #expect(error.code == code)
    #expect(!error.message.isEmpty && !error.message.contains("\n"))
  }
}

@Suite("Errors of features")
struct FeatureErrorTests {
  @Test("have the codes of their cases' names in snake case")
  func codes() {
    #expect(CounterError.outOfRange(-1).code == "out_of_range")
    #expect(People.ErrorCode.allCases.map(\.code) == ["age_out_of_range", "not_found"])
  }

  @Test("show their message")
  func message() {
    #expect("\(PeopleError.notFound(id: 3))" == "There is no person 3.")
  }

  @Test("have no codes unless the feature declares some")
  func none() {
    #expect(NoErrorCode.allCases.isEmpty)
  }
}
