/// An app's services, with the clock and the stubs that belong to a run.
public struct ServiceContext<Services: Sendable>: Sendable {
  /// The app's services.
  public let services: Services

  /// The clock that measures waiting: virtual time in a scenario.
  public let clock: any Clock<Duration>

  let stubs: any ServiceStubs

  /// Makes a context, by default with the real clock and without stubs.
  public init(
    _ services: Services, clock: any Clock<Duration> = ContinuousClock(),
    stubs: any ServiceStubs = NoStubs()
  ) {
    (self.services, self.clock, self.stubs) = (services, clock, stubs)
  }

  /// The answer of a function that asks the services, or that of its stub.
  ///
  /// - Throws: The error of the stub or the service.
  public func answer<Argument, Result>(
    of function: ServiceFunction<Services, Argument, Result>, _ argument: Argument
  ) async throws -> Result {
    try await stubs.answer(
      to: function.name, with: [argument.stateValue], isLocal: function.isLocal
    ) {
      try await function.ask(services, argument)
    }
  }
}

/// The services of an app that needs none.
public struct NoServices: Sendable {
  /// Makes them.
  public init() {}
}

/// A function of a module that asks the app's services and changes no state, such as `prime.nth`.
///
/// Scenarios can replace it by a stub.
public struct ServiceFunction<
  Services: Sendable, Argument: FieldValue & Sendable, Result: Decodable & Sendable
>: Sendable {
  /// The name as scripts call it: the module, a dot, and the function.
  public let name: String

  let isLocal: Bool
  let ask: @Sendable (Services, Argument) async throws -> Result

  /// Makes a function.
  ///
  /// - Parameters:
  ///   - name: The module, a dot, and the function's name.
  ///   - isLocal: Whether the answer comes from this machine alone, so that a scenario may ask the service without a
  ///     stub.
  ///   - ask: Asks the service.
  public init(
    _ name: String, isLocal: Bool = false,
    ask: @escaping @Sendable (Services, Argument) async throws -> Result
  ) {
    (self.name, self.isLocal, self.ask) = (name, isLocal, ask)
  }
}

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
  /// - Throws: The service's failure, such as a ``StubError``; or why the stub's answer isn't of the type.
  func answer<Answer: Decodable>(
    to function: String, with arguments: [StateValue], as type: Answer.Type
  ) async throws -> Answer?

  /// Checks that a function without a stub may ask its service.
  ///
  /// - Parameter function: The function as scripts call it.
  /// - Throws: ``StubError`` in a scenario that isn't live.
  func checkAsking(_ function: String) throws
}

extension ServiceStubs {
  /// Lets every function ask its service.
  public func checkAsking(_ function: String) throws {}

  /// The answer of a stub or, without one, of a service.
  ///
  /// - Parameters:
  ///   - function: The function as scripts call it, such as `todo.fetch`.
  ///   - arguments: The function's arguments.
  ///   - isLocal: Whether the answer comes from this machine alone, such as a computation or a file of the user's. In a
  ///     scenario, only such a service may be asked without a stub.
  ///   - service: Asks the service.
  /// - Returns: The answer.
  /// - Throws: The error of the stub or the service.
  public func answer<Answer: Decodable>(
    to function: String, with arguments: [StateValue] = [], isLocal: Bool = false,
    or service: () async throws -> Answer
  ) async throws -> Answer {
    if let answer = try await answer(to: function, with: arguments, as: Answer.self) {
      return answer
    }
    if !isLocal { try checkAsking(function) }
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
