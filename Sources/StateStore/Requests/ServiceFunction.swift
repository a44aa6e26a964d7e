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
