import Testing

@testable import Domain
@testable import StateStore

@Suite("A request")
struct RequestTests {
  private final class Log {
    var actions: [String] = []
  }

  private let store = Store()
  private let log = Log()

  /// A request that notes which actions it makes.
  private var fetch: Request<Persons, [Int]> {
    Request(
      pending: \.pendingRequest,
      requested: { [log] request in
        log.actions.append("requested \(request)")
        return .fetchRequested(request: request)
      },
      succeeded: { [log] request, records in
        log.actions.append("succeeded \(request): \(records)")
        return .fetchSucceeded(request: request, persons: [])
      },
      failed: { [log] request, message in
        log.actions.append("failed \(request): \(message)")
        return .fetchFailed(request: request, message: message)
      })
  }

  @Test("sends the request before it loads, and then the answer")
  func succeeds() async throws {
    try await fetch.send(1, to: store) {
      #expect(store.state(of: Persons.self).pendingRequest == 1)
      return [5, 6]
    }
    #expect(log.actions == ["requested 1", "succeeded 1: [5, 6]"])
    #expect(store.state(of: Persons.self).pendingRequest == nil)
  }

  @Test("sends the reason of a failure, and throws it")
  func fails() async throws {
    await #expect(throws: Refusal()) {
      try await fetch.send(1, to: store) { throw Refusal() }
    }
    await #expect(throws: CancellationError.self) {
      try await fetch.send(2, to: store) { throw CancellationError() }
    }
    #expect(
      log.actions == [
        "requested 1", "failed 1: The source refused.", "requested 2",
        "failed 2: The fetch was cancelled.",
      ])
  }

  @Test("sends nothing more if a later fetch was requested meanwhile")
  func superseded() async throws {
    try await fetch.send(1, to: store) {
      try store.send(.fetchRequested(request: 2), to: Persons.self)
      return []
    }
    await #expect(throws: Refusal()) {
      try await fetch.send(3, to: store) {
        try store.send(.fetchRequested(request: 4), to: Persons.self)
        throw Refusal()
      }
    }
    #expect(log.actions == ["requested 1", "requested 3"])
    #expect(store.state(of: Persons.self).pendingRequest == 4)
  }
}
