import Lua
import StateStore

/// The functions of a scenario that answer in place of services.
///
/// Safe: it is used only on the actor of its Lua state, where the app's logic runs, too.
final class ScenarioStubs: ServiceStubs, @unchecked Sendable {
  private weak let state: LuaState?
  private var functions: [String: LuaFunction] = [:]
  private let isLive: Bool

  var stubbable = StubbableFunctions([])

  /// Makes stubs whose functions are in a state.
  ///
  /// If it `isLive`, functions without a stub may ask their services.
  init(in state: LuaState, isLive: Bool) {
    self.state = state
    self.isLive = isLive
  }

  func answer<Answer: Decodable>(
    to function: String, with arguments: [StateValue], as type: Answer.Type
  ) async throws -> Answer? {
    guard let stub = functions[function], let state else { return nil }
    let results: [LuaValue]
    do {
      results = try await state.start(stub, arguments).valueOrCancellation()
    } catch {
      // The stub was cancelled with the call that it answers, as a service would have been.
      if Task.isCancelled { throw CancellationError() }
      throw Self.failure(error, in: state)
    }
    do {
      return try LuaDecoder().decode(type, from: results.first ?? .nil, in: state)
    } catch {
      throw StubError.badAnswer(to: function, error.message)
    }
  }

  /// The service's failure that a stub's error stands for.
  private static func failure(_ error: LuaError, in state: LuaState) -> any Error {
    if error.isStop || error.is(.cancelled) { return error }
    guard case .table(let table)? = state.value(of: error) else {
      return error.underlying ?? StubError(error.code.rawValue, error.message)
    }
    do {
      return StubError(
        try table.get("code", as: String?.self) ?? "stub_failed",
        try table.get("message", as: String?.self) ?? "the stub failed")
    } catch {
      return error
    }
  }

  func checkAsking(_ function: String) throws {
    guard isLive else { throw StubError.notStubbed(function) }
  }

  func addFunctions(to host: HostFunctions) throws {
    // Replaces a function's service; returns a problem.
    try host.add("stub") { [unowned self] (function: LuaFunction, answer: LuaFunction) -> String? in
      guard let state else { return nil }
      for (module, member, name) in stubbable.all {
        let table = try state.global(module, as: LuaTable.self)
        if try table.get(member, as: LuaFunction.self) == function {
          functions[name] = answer
          return nil
        }
      }
      return "this function asks no service: these do: \(stubbable.names.joined(separator: ", "))"
    }
    // The stubbable functions, by their modules.
    try host.add("stubbable") { [unowned self] () in stubbable.byModule }
  }
}

/// The functions of an app's modules that scenarios can replace by stubs.
struct StubbableFunctions {
  /// Each with its module, in the app's order; the name has both, such as `todo.fetch`.
  let all: [(module: String, member: String, name: String)]

  /// The functions' own names, by those of their modules; kept, since each scenario reads them.
  let byModule: [String: [String]]

  init(_ names: [String]) {
    all = names.map { name in
      (String(name.prefix { $0 != "." }), String(name.drop { $0 != "." }.dropFirst()), name)
    }
    byModule = Dictionary(grouping: all, by: \.module).mapValues { $0.map(\.member) }
  }

  /// The names with those of their modules.
  var names: [String] { all.map(\.name) }

  /// The modules that have any, in the app's order.
  var modules: [String] {
    var modules: [String] = []
    for function in all where !modules.contains(function.module) { modules.append(function.module) }
    return modules
  }
}

extension StubError {
  static func notStubbed(_ function: String) -> Self {
    Self(
      "not_stubbed",
      "\(function) would ask a real service: give its answer with stub(\(function), ...), or add --live."
    )
  }

  /// The stub returned something else than what the service would.
  static func badAnswer(to function: String, _ reason: String) -> Self {
    Self(
      "bad_answer", "The stub of \(function) returned no answer of the service's form: \(reason).")
  }
}
