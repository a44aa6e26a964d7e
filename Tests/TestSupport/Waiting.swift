/// Something awaited didn't happen in time.
package struct TimeLimitExceeded: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Waits until a condition holds, at most a minute.
///
/// - Parameters:
///   - awaited: The awaited event, for the error.
///   - condition: The condition, which is tested every millisecond.
/// - Throws: ``TimeLimitExceeded``; an error of the condition.
package nonisolated(nonsending) func wait(
  for awaited: String, until condition: () throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + .seconds(60)
  while try !condition() {
    guard ContinuousClock.now < deadline else {
      throw TimeLimitExceeded("\(awaited) didn't come within a minute")
    }
    try await Task.sleep(for: .milliseconds(1))
  }
}
