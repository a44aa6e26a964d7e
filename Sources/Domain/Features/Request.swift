import StateStore

/// A feature's request: its actions say that something is requested, that the answer came, and that none came.
///
/// Of overlapping requests, the latest decides what the state shows. The answer to an earlier one goes only to its
/// caller: its action would only clear the redo stack.
struct Request<F: Feature, Answer> {
  /// The latest unanswered request.
  let pending: KeyPath<F.State, Int?>
  let requested: (_ request: Int) -> F.Action
  let succeeded: (_ request: Int, _ answer: Answer) -> F.Action
  let failed: (_ request: Int, _ message: String) -> F.Action

  /// Sends the request, which a number identifies, and then its answer or failure.
  ///
  /// It throws what `answer` throws, or why the request is refused.
  @discardableResult
  func send(
    _ request: Int, to store: Store, _ answer: () async throws -> Answer
  ) async throws -> Answer {
    func isPending() -> Bool { store.read(F.self) { $0[keyPath: pending] } == request }
    try store.send(requested(request), to: F.self)
    do {
      let answer = try await answer()
      if isPending() { try store.send(succeeded(request, answer), to: F.self) }
      return answer
    } catch {
      if isPending() { try store.send(failed(request, Self.reason(of: error)), to: F.self) }
      throw error
    }
  }

  private static func reason(of error: any Error) -> String {
    switch error {
    case let error as any CodedError: error.message
    case is CancellationError: "The fetch was cancelled."
    default: String(describing: error)
    }
  }
}

extension Feature {
  /// The message for a request whose process ended before the answer came.
  static var recoveryMessage: String { "The process that asked ended before the answer came." }
}
