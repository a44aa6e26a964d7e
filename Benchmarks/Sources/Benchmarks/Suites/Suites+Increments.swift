internal import Lua
internal import PrimereplBridge
internal import Scripting
internal import StateStore

extension Suites {
  /// A store in plain Lua that works as Redux does in JavaScript: each feature has a reducer, which returns a new state.
  private static let storeInLua = """
    local state = { counter = { count = 0 }, todo = { items = {} } }
    local subscribers = {}
    local reducers = {
      counter = function(state, action)
        if action.type == "increment" then return { count = state.count + action.by } end
        return state
      end,
      todo = function(state) return state end,
    }
    local function dispatch(action)
      local following = {}
      for name, reduce in pairs(reducers) do following[name] = reduce(state[name], action) end
      state = following
      for _, subscriber in ipairs(subscribers) do subscriber(state) end
    end
    """

  /// An action by a script, which also has a history, compared with the same in a store written in Lua.
  static func incrementingScripts() throws -> [Benchmark] {
    func benchmark(
      _ name: String, limit: Double, subscribing: (plain: String, ours: String) = ("", ""),
      isObserved: Bool = false
    ) throws -> Benchmark {
      let plain = try PlainInterpreter().load(
        LuaLoop.source(
          setup: storeInLua + subscribing.plain, body: "dispatch({ type = 'increment', by = 1 })"))
      let state = try LuaState()
      let store = Store(App.schema)
      _ = try ScriptedApp(in: state, store: store)
      if isObserved { try store.observe("counter.count") { _ in } }
      try state.load(subscribing.ours, name: .text("benchmark")).call()
      let ours = try state.load(
        LuaLoop.source(setup: "", body: "counter.increment()"), name: .text("benchmark"))
      return Benchmark(
        name, limit: limit, reference: { plain($0) },
        ours: { count in try withExtendedLifetime(state) { _ = try ours.call(count) } })
    }
    let subscribing = (
      plain: " subscribers[1] = function(state) local _ = state.counter.count end",
      ours: "store.subscribe('counter.count', function() end)"
    )
    return [
      try benchmark("counter.increment(), alone", limit: 0.5),
      try benchmark("counter.increment(), observed", limit: 1, isObserved: true),
      try benchmark("counter.increment(), subscribed", limit: 1.5, subscribing: subscribing),
    ]
  }
}
