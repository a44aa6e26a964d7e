import Foundation
import SampleFeatures
import Testing

@testable import StateStore

@Suite("What people read of an error")
struct UserMessageTests {
  private struct Inside: Error { let token = "Zx9Secret" }
  private enum Case: Error { case refused(password: String) }
  private struct Localized: LocalizedError {
    var errorDescription: String? { "The shop is closed." }
  }
  private struct Described: Error, CustomStringConvertible { let description = "no bread left" }

  private static func decodingError(_ json: String) -> any Error {
    do {
      _ = try JSONDecoder().decode([String: [Int]].self, from: Data(json.utf8))
      return CancellationError()
    } catch {
      return error
    }
  }

  private static let errors: [(any Error, String)] = [
    (FeatureError<Notes>(.emptyText, "A note needs a text."), "A note needs a text."),
    (Localized(), "The shop is closed."), (Described(), "no bread left"),
    (Inside(), "an error without a description"),
    (Case.refused(password: "Zx9Secret"), "an error without a description"),
    (CancellationError(), "cancelled"), (decodingError("[]"), "expected an object"),
    (decodingError(#"{"a": [1, "x"]}"#), "a[2]: expected a whole number"),
    (decodingError("{"), "it isn't JSON"),
  ]

  @Test("is what it says itself, and nothing of its type and its values", arguments: errors)
  func message(error: any Error, message: String) {
    #expect(error.userMessage == message)
  }

  @Test("never has the type of an error of Foundation")
  func foundation() {
    let message = CocoaError(.fileNoSuchFile).userMessage
    #expect(!message.contains("Cocoa") && !message.isEmpty)
  }

  @Test("is the localized description of the kit's errors")
  func localized() {
    let errors: [any Error] = [
      FeatureError<Notes>(.emptyText, "A note needs a text."), SchemaError.badName("x"),
      DocumentError("a", "is missing"),
    ]
    for error in errors { #expect(error.localizedDescription == "\(error)") }
  }

  @Test("is why a request failed")
  @MainActor
  func request() async throws {
    let store = Store()
    for (error, message) in Self.errors where !(error is CancellationError) {
      let services = ServiceContext(SampleServices { throw error })
      await #expect(throws: (any Error).self) {
        try await store.ask(Counter.ask, NoQuestion(), in: services)
      }
      #expect(store.error(of: Counter.ask) == message)
    }
  }
}

@Suite("Errors of features")
struct FeatureErrorTests {
  @Test("have the codes of their cases' names in snake case")
  func codes() {
    #expect(CounterError.outOfRange(-1).code == "out_of_range")
    #expect(People.ErrorCode.allCases.map(\.code) == ["age_out_of_range", "not_found"])
  }
}
