import StateStore

/// A request of a feature: which actions say that something is asked for, that the answer came, and that none came.
///
/// Of overlapping requests the latest decides what the state shows. The answer to an earlier one goes to its caller only:
/// its action would have no effect but to clear what can be redone.
struct Request<F: Feature, Answer> {
  /// The latest request that isn't answered yet.
  let pending: KeyPath<F.State, Int?>
  let requested: (_ request: Int) -> F.Action
  let succeeded: (_ request: Int, _ answer: Answer) -> F.Action
  let failed: (_ request: Int, _ message: String) -> F.Action

  /// Sends the request, and then what came of it.
  ///
  /// - Parameters:
  ///   - request: The number that tells this request from others.
  ///   - store: The store that hears of it.
  ///   - answer: Gets the answer.
  /// - Returns: The answer.
  /// - Throws: What `answer` throws, or why the request is refused.
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
  /// Why no answer came to a request of a process that has ended.
  static var recoveryMessage: String { "The process that asked ended before the answer came." }
}
