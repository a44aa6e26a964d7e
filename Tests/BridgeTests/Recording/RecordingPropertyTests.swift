import Foundation
import Scripting
import StateStore
import Testing
import TestSupport

@testable import Scenarios

/// Properties of the recordings of random sessions.
@MainActor
@Suite("Recorded scenarios, for random sessions of all features")
struct RecordingPropertyTests {
  @Test("pass as they stand, and fail if one expected value is altered", arguments: 0..<8)
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

  @Test("pass for any part of the history, with what was pinned on the way", arguments: 0..<4)
  func part(seed: Int) async throws {
    let session = try RandomSession(seed: seed)
    var pinned: [PinnedExpectation] = []
    for _ in 0..<10 {
      _ = try await session.record(steps: 10)
      // Not whether something is loading: no scenario begins with a request that is pending.
      for expression in ["counter.count", "todo.query", "favorites", "#persons", "todo.items"] {
        let value = try await session.app.run("return \(expression)").first ?? .nil
        pinned.append(try session.app.session.expectation(of: expression, being: value))
      }
    }
    let store = session.app.session.store
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<3 {
      let bounds = (0..<2).map { _ in Int.random(in: store.reachable, using: &random) }.sorted()
      let recording = try await session.app.session.scenario(
        named: "part", actions: bounds[0] + 1..<bounds[1] + 1, expectations: pinned)
      do {
        try await RecordedScenario(text: recording.text).run()
      } catch {
        Issue.record("\(bounds): \(error)\n\(recording.text)")
      }
    }
  }

  /// The scenario with another value in place of one that it expects.
  private static func altered(_ scenario: String, _ random: inout SeededGenerator) -> String? {
    // A document that is imported isn't expected.
    let documents = scenario.ranges(of: #/json\.encode\((?s).*?\)\)\)\n/#)
    let values = scenario.ranges(of: #/\["[a-z_.\[\]0-9]+"\] = /#)
      .filter { value in !documents.contains { $0.overlaps(value) } }
    guard let value = values.randomElement(using: &random) else { return nil }
    return scenario.replacingCharacters(in: value.upperBound..<value.upperBound, with: "not ")
  }
}
