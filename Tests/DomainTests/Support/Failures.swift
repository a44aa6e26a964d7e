import Testing

@testable import PrimereplDomain
@testable import StateStore

/// The code of the error that a closure must throw.
func code(
  sourceLocation: SourceLocation = #_sourceLocation, of body: () throws -> Void
) -> String? {
  let error = #expect(throws: (any Error).self, sourceLocation: sourceLocation) { try body() }
  return (error as? any CodedError)?.code
}

/// The code of the error that a closure must throw.
nonisolated(nonsending) func code(
  sourceLocation: SourceLocation = #_sourceLocation,
  of body: nonisolated(nonsending) () async throws -> Void
) async -> String? {
  do {
    try await body()
    Issue.record("no error was thrown", sourceLocation: sourceLocation)
    return nil
  } catch {
    return (error as? any CodedError)?.code
  }
}
