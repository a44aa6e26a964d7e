import StateStore
import Testing
import TestSupport

/// Expects that something takes about the same time in a store with few records and in one with a hundred times as many.
func expectSameCost<Subject: AnyObject>(
  few: Subject, many: Subject, repetitions: Int = 1_000,
  sourceLocation: SourceLocation = #_sourceLocation, of body: (Subject, Int) throws -> Void
) throws {
  func cost(on subject: Subject) throws -> Duration {
    try ThreadTime.measure {
      for index in 0..<repetitions { try body(subject, index) }
    }
  }
  let expected = try cost(on: few)
  // The margin is for storage that grows.
  #expect(try cost(on: many) < expected * 10 + .milliseconds(500), sourceLocation: sourceLocation)
}
