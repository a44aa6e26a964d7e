import Testing

@testable import Domain
@testable import StateStore

/// Runs something that has to fail, and gives the code of its error.
func code(
  sourceLocation: SourceLocation = #_sourceLocation, of body: () throws -> Void
) -> String? {
  let error = #expect(throws: (any Error).self, sourceLocation: sourceLocation) { try body() }
  return (error as? any CodedError)?.code
}

/// Runs something that has to fail, and gives the code of its error.
nonisolated(nonsending) func code(
  sourceLocation: SourceLocation = #_sourceLocation,
  of body: nonisolated(nonsending) () async throws -> Void
) async -> String? {
  do {
    try await body()
    Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    return nil
  } catch {
    return (error as? any CodedError)?.code
  }
}

/// An error of no feature.
struct Refusal: CodedError, Equatable {
  let code = "refused"
  let message = "The source refused."
}
