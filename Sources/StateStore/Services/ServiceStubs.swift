/// Answers in place of services, as scenarios and tests give them.
///
/// The app's logic asks the stubs before it asks a service. Its actions are the same either way.
public protocol ServiceStubs: Sendable {
  /// The answer to a function that would ask a service.
  ///
  /// - Parameters:
  ///   - function: The function as scripts call it, such as `todo.fetch`.
  ///   - arguments: The function's arguments.
  ///   - type: The type of the answer.
  /// - Returns: The answer; nil if the function has no stub, so that the service is to be asked.
  /// - Throws: What the service shall fail with, such as a ``StubError``; or why the stub's answer isn't of the type.
  func answer<Answer: Decodable>(
    to function: String, with arguments: [StateValue], as type: Answer.Type
  ) async throws -> Answer?
}

extension ServiceStubs {
  /// The answer of a stub or, without one, of a service.
  ///
  /// - Parameters:
  ///   - function: The function as scripts call it, such as `todo.fetch`.
  ///   - arguments: The function's arguments.
  ///   - service: Asks the service.
  /// - Returns: The answer.
  /// - Throws: What the stub or the service throws.
  public func answer<Answer: Decodable>(
    to function: String, with arguments: [StateValue] = [], or service: () async throws -> Answer
  ) async throws -> Answer {
    if let answer = try await answer(to: function, with: arguments, as: Answer.self) {
      return answer
    }
    return try await service()
  }
}

/// Stubs of nothing: every function asks its service.
public struct NoStubs: ServiceStubs {
  /// Makes stubs of nothing.
  public init() {}

  /// Returns nil.
  public func answer<Answer: Decodable>(
    to function: String, with arguments: [StateValue], as type: Answer.Type
  ) async throws -> Answer? { nil }
}

/// The failure of a service that a stub stands for, with the stub's own code and message.
public typealias StubError = PlainError<any ServiceStubs>

/// Whether code may use the network.
public enum NetworkAccess: Sendable {
  /// It may.
  case allowed
  /// It may not, as it runs in a sandbox.
  case refusedInSandbox
  /// It may not, as it runs in a scenario, whose result must not depend on what others answer.
  case refusedInScenario
}
