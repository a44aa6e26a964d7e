public import Lua
import PrimereplFoundation
public import PrimereplLoading
public import StateStore

/// The app's services, and those of the kit, as the modules of an app use them.
public struct ScriptEnvironment: Sendable {
  /// The app's services: a value of any type, which modules get as theirs.
  public var app: any Sendable

  /// The clock that measures waiting; a scenario has its own.
  public var clock: any Clock<Duration>

  /// Answers in place of services; `NoStubs()` except in a scenario.
  public var stubs: any ServiceStubs

  /// The documents that code may read and write.
  public var documents: DocumentAccess

  /// Makes an environment.
  public init(
    app: any Sendable = NoServices(), clock: any Clock<Duration> = ContinuousClock(),
    stubs: any ServiceStubs = NoStubs(), documents: DocumentAccess = DocumentAccess()
  ) {
    (self.app, self.clock, self.stubs, self.documents) = (app, clock, stubs, documents)
  }

  func context<Services>(
    of type: Services.Type, for module: String
  ) throws(ScriptError) -> ServiceContext<Services> {
    guard let services = app as? Services ?? NoServices() as? Services else {
      throw .wrongServices(of: module, needed: "\(Services.self)", given: "\(Swift.type(of: app))")
    }
    return ServiceContext(services, clock: clock, stubs: stubs)
  }
}

extension ScriptEnvironment {
  /// The time: that of the app's clock in scenarios, where it begins with the year 1970.
  var now: TimeStamp {
    let seconds =
      if let clock = clock as? any AdvanceableClock { clock.elapsed / .seconds(1) } else {
        Date().timeIntervalSince1970
      }
    let milliseconds = Int((seconds * 1000).rounded())
    return TimeStamp(millisecondsSince1970: milliseconds) ?? .start
  }

  /// The day: where the app runs; in scenarios, in UTC.
  var today: String {
    clock is any AdvanceableClock ? now.date.description : Date().localTime("%Y-%m-%d")
  }
}

/// A module whose functions ask an app's services.
///
/// ```swift
/// ScriptModule("weather", services: Services.self, help: "The weather.") { module in
///   module.function(Services.forecast, "city", help: "...", example: "weather.forecast(\"Rome\")")
/// }
/// ```
public class ServiceModule<Services: Sendable>: LuaModule {
  let context: ServiceContext<Services>

  var stubbable: [String] = []

  /// Whether functions may use the services otherwise than by requests and service functions.
  var functionsUseServices: Bool { false }

  /// The functions that only send an action.
  var senders: Set<String> = []

  /// The problem of the description, found while it was made; nil if there is none.
  private(set) var problem: ScriptError?

  init(_ name: String, help: String, _ context: ServiceContext<Services>) {
    self.context = context
    super.init(name, help: help)
  }

  /// The app's services.
  public var services: Services { context.services }

  /// The clock that measures waiting: virtual time in a scenario.
  public var clock: any Clock<Duration> { context.clock }

  /// Adds a function that asks the services.
  ///
  /// - Parameters:
  ///   - function: The function, whose name begins with the module's.
  ///   - parameter: The name of its parameter.
  ///   - help: What it does, in one line.
  ///   - example: A line of Lua that uses it.
  public func function<Argument: LuaReadable, Result: LuaPushable>(
    _ function: ServiceFunction<Services, Argument, Result>, _ parameter: String,
    help: String = "", example: String = ""
  ) {
    let name = function.name.split(separator: ".").last.map(String.init) ?? function.name
    if function.name != "\(self.name).\(name)" {
      recordProblem(.wrongModule(function.name, in: self.name))
    }
    stubbable.append(name)
    let context = context
    asyncFunction(name, parameter, help: help, example: example) { (argument: Argument) in
      { () async throws -> Result in try await context.answer(of: function, argument) }
    }
  }

  func recordProblem(_ problem: ScriptError) { self.problem = self.problem ?? problem }
}
