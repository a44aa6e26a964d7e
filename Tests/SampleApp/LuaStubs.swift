package import Lua
import Scripting
package import StateStore

/// Stubs of services that are Lua functions, by the names of the functions that they stand for.
// Safe: the state and its functions are used only on the main actor, where the app's logic runs.
package final class LuaStubs: @unchecked Sendable, ServiceStubs {
  private weak var state: LuaState?
  private var functions: [String: LuaFunction] = [:]

  package init(in state: LuaState) { self.state = state }

  /// Gives a function a stub, in place of an earlier one.
  package func set(_ function: LuaFunction, for name: String) { functions[name] = function }

  package func answer<Answer: Decodable>(
    to function: String, with arguments: [StateValue], as type: Answer.Type
  ) async throws -> Answer? {
    guard let state, let stub = functions[function] else { return nil }
    let results: [LuaValue]
    do {
      results = try await state.run(stub, arguments)
    } catch {
      if Task.isCancelled { throw CancellationError() }
      guard case .table(let table)? = state.value(of: error) else { throw error }
      throw StubError(try table.get("code"), try table.get("message"))
    }
    return try LuaDecoder().decode(Answer.self, from: results.first ?? .nil, in: state)
  }
}
