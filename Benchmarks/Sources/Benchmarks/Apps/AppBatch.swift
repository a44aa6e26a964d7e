internal import Lua
internal import PrimereplBridge
internal import Scripting
internal import StateStore

/// A Lua state with an app of a large state, for one batch of actions.
@MainActor
struct AppBatch {
  let store: Store
  private let state: LuaState
  private let function: LuaFunction

  /// Makes an app with a history, that two functions in Lua watch.
  ///
  /// - Parameters:
  ///   - large: the state to begin with.
  ///   - path: what is watched.
  ///   - setup: Lua code that runs once, before the actions.
  ///   - body: Lua code that does the action number `i`; it finds what it needs in `fresh`, `favorite` and `position`.
  /// - Throws: when there is no memory for a state, or the Lua code is wrong.
  init(on large: LargeState, watching path: String, setup: String, body: String) throws {
    state = try LuaState()
    store = Store(App.schema, states: large.states)
    _ = try ScriptedApp(in: state, store: store)
    try state.setGlobal("fresh", to: large.freshPrimes)
    try state.setGlobal("favorite", to: large.someFavorites)
    try state.setGlobal("position", to: large.somePositions)
    let source = """
      local fresh, favorite, position = fresh, favorite, position
      for _ = 1, 2 do store.subscribe("\(path)", function() end) end
      \(setup)
      return function(count) for i = 1, count do \(body) end end
      """
    function = try state.load(source, name: .text("benchmark")).call(as: LuaFunction.self)
    // So that no batch pays for its own garbage.
    try state.collectGarbage()
  }

  /// Does the first so many actions of a batch.
  ///
  /// - Parameter count: at most `LargeState.batchSize`, but for code that uses its values again.
  /// - Returns: how long it took.
  /// - Throws: what the code raises.
  func run(_ count: Int) throws -> Duration {
    let start = ContinuousClock.now
    try function.call(count)
    return ContinuousClock.now - start
  }

  /// Frees the Lua state; the batch isn't used after this.
  func close() { state.close() }
}
