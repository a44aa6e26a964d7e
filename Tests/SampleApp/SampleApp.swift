package import Lua
package import PrimereplLoading
package import Scripting
package import StateStore

/// A small app for tests of the kit, with a feature of each kind that scripts can meet.
package enum SampleApp {
  /// The features.
  package static let features: [any ScriptableFeature.Type] = [
    Counter.self, Favorites.self, Todo.self, Persons.self, SignUp.self,
  ]

  /// The features, and a card that depends on two of them.
  package static let schema: StoreSchema = {
    do throws(SchemaError) {
      return try StoreSchema(features: features, derived: [PrimeCard.field])
    } catch {
      preconditionFailure(error.message)
    }
  }()

  /// The modules of the features, and one without a state.
  package static let modules = features.map { ScriptModule($0) } + [.oracle]
}

extension ScriptedApp {
  /// Makes the sample app and installs it in a state.
  package convenience init(
    in state: LuaState, store: Store = Store(SampleApp.schema),
    environment: ScriptEnvironment = .sample()
  ) throws {
    try self.init(in: state, store: store, modules: SampleApp.modules, environment: environment)
  }
}

extension ScriptEnvironment {
  /// The services of the sample app; it reads and writes no files unless a test lets it.
  package static func sample(
    clock: any Clock<Duration> = ContinuousClock(), stubs: any ServiceStubs = NoStubs(),
    documents: DocumentAccess = .refusing
  ) -> ScriptEnvironment {
    ScriptEnvironment(app: SampleServices(), clock: clock, stubs: stubs, documents: documents)
  }
}

/// The services of the sample app: this machine, and another one, which never answers.
package struct SampleServices: Sendable {
  package init() {}

  static let nthPrime = ServiceFunction<SampleServices, Int, Int>("oracle.nth", isLocal: true) {
    _, n in try Primes.nth(n)
  }

  static let answer = ServiceFunction<SampleServices, String, String>("oracle.ask") { _, _ in
    throw SampleError.offline
  }
}

extension ScriptModule {
  /// `oracle`: a module without a state, whose functions ask the services.
  package static let oracle = ScriptModule(
    "oracle", services: SampleServices.self, help: "Questions to services."
  ) { module in
    module.function(
      SampleServices.nthPrime, "n", help: "The nth prime.", example: "oracle.nth(4) --> 7")
    module.function(
      SampleServices.answer, "question", help: "Answers a question.",
      example: "oracle.ask(\"1+1\")")
  }
}

package typealias SampleError = PlainError<SampleServices>

extension SampleError {
  static func noFile(_ path: String) -> Self { Self("not_readable", "\(path): no such file") }
  static func tooLarge(_ n: Int) -> Self { Self("too_large", "\(n) is more than 10000.") }
  static var offline: Self { Self("offline", "No service answers.") }
}

/// Small primes.
enum Primes {
  static func isPrime(_ n: Int) -> Bool {
    guard n > 1 else { return false }
    var divisor = 2
    while divisor <= n / divisor {
      if n.isMultiple(of: divisor) { return false }
      divisor += 1
    }
    return true
  }

  static func nth(_ n: Int) throws -> Int {
    guard n <= 10_000 else { throw SampleError.tooLarge(n) }
    var (prime, count) = (2, 1)
    while count < n {
      prime += 1
      if isPrime(prime) { count += 1 }
    }
    return prime
  }
}
