import Foundation
import TestSupport
import Testing

/// What holds for the recordings of random sessions.
@MainActor
@Suite("Recorded scenarios, for random sessions of all features")
struct RecordingPropertyTests {
  @Test("pass as they stand, and fail if one expected value is altered", arguments: 0..<30)
  func random(seed: Int) async throws {
    let session = try RandomSession(seed: seed)
    let scenario = try await session.record(steps: 150)
    do {
      try await RecordedScenario(text: scenario).run()
    } catch {
      Issue.record("\(error)\n\(scenario)")
      return
    }
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<3 {
      guard let altered = Self.altered(scenario, &random) else { continue }
      let failures = try await RecordedScenario(text: altered).failures()
      #expect(failures.contains { $0.kind == .expectation }, "\(altered)")
    }
  }

  /// The scenario with another value in place of one that it expects.
  private static func altered(_ scenario: String, _ random: inout SeededGenerator) -> String? {
    let values = scenario.ranges(of: #/\["[a-z_.\[\]0-9]+"\] = /#)
    guard let value = values.randomElement(using: &random) else { return nil }
    return scenario.replacingCharacters(in: value.upperBound..<value.upperBound, with: "not ")
  }
}
