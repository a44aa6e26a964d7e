public import Lua
public import StateStore

extension LuaModule {
  /// `store`: the app's state as a whole.
  static func store(
    _ context: ScriptContext, _ factory: AppFactory, save: (() throws -> Void)?, _ scope: LuaScope
  ) -> LuaModule {
    LuaModule(
      "store", help: "The app's whole state: snapshots, undo, subscriptions, files, new apps."
    ) { module in
      let store = context.store
      module.addState(of: store)
      module.function(
        "save", help: "Saves the session now: when it returns, everything is on disk.",
        example: "store.save()"
      ) { () in
        guard let save else { throw StoreError.noStateFile }
        try save()
      }
      module.addFiles(in: context, factory)
      module.addHistory(of: store, factory.texts)
      module.addObserving(of: store, factory, scope)
      module.function(
        "new", help: "A new app in memory, with its own modules.",
        example: "local a = store.new(); print(a.store.position)"
      ) { () in try factory.freshApp(like: context) }
    }
  }

  private func addState(of store: Store) {
    function(
      "state", help: "A copy of the whole state, as tables.",
      example: "print(inspect(store.state()))"
    ) { () in store.snapshot }
    function(
      "reset", help: "Resets to the initial state; undoable.",
      example: "store.reset()"
    ) { () in try store.reset() }
  }

  private func addFiles(in context: ScriptContext, _ factory: AppFactory) {
    let (store, environment) = (context.store, context.environment)
    asyncFunction(
      "export", "path",
      help:
        "Writes the state to a file: as JSON, or as a Lua script for .lua; the history for .scenario.lua.",
      example: "store.export(\"state.json\")"
    ) { (path: String) in
      {
        let state = try factory.runtime.openState()
        let checkStop = { () throws(LuaError) in try state.checkStop() }
        let text =
          if Self.isName(path, endingIn: ScriptedApp.scenarioFileNameEnd) {
            try await factory.scenario(of: store, environment, named: path)
          } else if Self.isName(path, endingIn: ".lua") {
            try Self.script(
              importing: LuaText(
                document: StateDocument.value(
                  of: store.states, store.schema, checkStop: checkStop)))
          } else {
            try StateDocument.json(of: store.states, store.schema, checkStop: checkStop)
          }
        try environment.documents.write(text, to: path)
      }
    }
    asyncFunction(
      "import", "path",
      help:
        "Reads the state from an exported JSON file; missing parts get their initial values.",
      example: "store.import(\"state.json\")"
    ) { (path: String) in
      {
        let (states, source) = try await environment.documents.states(
          of: store.schema, from: path)
        try store.send(.restore(states, source: source))
      }
    }
  }

  private static func isName(_ path: String, endingIn end: String) -> Bool {
    String(decoding: path.utf8.suffix(end.utf8.count), as: UTF8.self).lowercased() == end
  }

  private static func script(importing document: LuaText) -> String {
    let start = [
      "-- A state that was exported, without passwords.", "local path = os.tmpname()",
    ]
    let end = [
      "local ok, err = pcall(store.import, path)", "os.remove(path)",
      "if not ok then error(err, 0) end", "",
    ]
    return (start + document.linesThatWrite() + end).joined(separator: "\n")
  }

  private func addHistory(of store: Store, _ texts: ActionTexts) {
    function(
      "history", "n",
      help:
        "The last actions, or all: each with number, time, action as Lua text, changes, undone.",
      example: "for _, e in ipairs(store.history(5)) do print(e.number, e.action) end"
    ) { (count: Int?) in
      try store.history(last: count).map { HistoryTable(entry: $0, texts: texts) }
    }
    function(
      "undo", "n",
      help: "Undoes the last action, or the last n; returns the number of the action now last.",
      example: "store.undo()"
    ) { (count: Int?) in
      try store.undo(count ?? 1)
      return store.position
    }
    function(
      "redo", "n", help: "Redoes 1 action, or n; returns the number of the action now last.",
      example: "store.redo()"
    ) { (count: Int?) in
      try store.redo(count ?? 1)
      return store.position
    }
    function(
      "jump", "k", help: "Goes to the state after action k; 0 is the initial state.",
      example: "store.jump(0)"
    ) { (number: Int) in try store.jump(to: number) }
    property(
      "position", help: "The number of the last action that is in effect; 0 before the first.",
      example: "local here = store.position; store.jump(here)"
    ) { store.position }
    property(
      "history_limit", help: "The number of actions that can be undone; assignable.",
      example: "store.history_limit = 100",
      get: { store.historyLimit },
      set: { limit in
        guard limit >= 0 else {
          throw LuaError(.badArgument, "store.history_limit is 0 or more, not \(limit)")
        }
        guard limit <= Store.defaultHistoryLimit || !store.isRemembered else {
          throw LuaError(
            .badArgument,
            "store.history_limit of a session in a file is at most \(Store.defaultHistoryLimit), "
              + "not \(limit)")
        }
        store.historyLimit = limit
      })
  }

  private func addObserving(of store: Store, _ factory: AppFactory, _ scope: LuaScope) {
    function(
      "subscribe", "path", "fn(new, old)",
      help:
        "Calls fn(new, old) after each action that changed the path; for a list, fn(edits).",
      example: "local sub = store.subscribe(\"\", function(changes) print(inspect(changes)) end)"
    ) { (path: String, function: LuaFunction) in
      let observer = try scope.adopt(function)
      do {
        return try store.observe(path, canBeStopped: true) { try observer.report($0, at: path) }
      } catch let error as StoreError where error.code == "unknown_path" {
        throw path.nearest(of: store.schema.knownPaths).map { .unknownPath(path, nearest: $0) }
          ?? error
      }
    }
    function(
      "on_action", "fn(action: \(HistoryTable.className))",
      help: "Calls fn after each action, with its number, time and action.",
      example: "local sub = store.on_action(function(a) print(a.action) end)"
    ) { (function: LuaFunction) in
      let (observer, texts) = (try scope.adopt(function), factory.texts)
      return store.observeActions(canBeStopped: true) { try observer.report($0, texts) }
    }
    asyncFunction(
      "changes", "fn()",
      help: "Calls fn, and returns a table of the changed paths and their new values.",
      example: "print(inspect(store.changes(store.undo)))"
    ) { (function: LuaFunction) throws -> () async throws -> LuaRecord in
      let earlier = store.states
      let task = try factory.runtime.openState().start(function)
      return {
        _ = try await task.value()
        return LuaRecord(store.changes(since: earlier).map { ($0.path, $0.value) })
      }
    }
  }
}

extension StoreError {
  fileprivate static func unknownPath(_ path: String, nearest: String) -> Self {
    Self("unknown_path", "The state has nothing at \"\(path)\"; did you mean \"\(nearest)\"?")
  }
}

extension StoreSubscription: LuaExposed {
  /// The type's name in signatures.
  public static var luaTypeName: String { "subscription" }

  /// Adds the members that scripts see.
  public static func describe(_ members: LuaClass<StoreSubscription>) {
    members.method("cancel", help: "Ends the subscription.", example: "sub:cancel()") {
      subscription in subscription.cancel()
    }
  }
}
