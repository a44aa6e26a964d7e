public import Domain
public import Lua

extension LuaModule {
  /// `store`: the app's state as a whole.
  static func store(_ store: Store, services: Services) -> LuaModule {
    let module = LuaModule(
      "store", help: "The app's state as a whole: look at it, watch it, make another.")
    module.function(
      "state", help: "A copy of the whole state, as tables.",
      example: "print(store.state().counter.count)"
    ) { () in store.state.snapshot }
    module.function(
      "subscribe", "path", "fn",
      help:
        "Calls fn(new, old) after each action that changed what is at the path; lists give their edits.",
      example: "local sub = store.subscribe(\"counter.count\", print)"
    ) { (path: String, function: LuaFunction) in
      try store.observe(path) { change in
        try StateObserver(path: path, function: function).call(with: change)
      }
    }
    module.function(
      "new", help: "A fresh app in memory, with modules of its own.",
      example: "local a = store.new(); a.counter.increment()"
    ) { () -> AppModules in
      let new = Store()
      new.onObserverFailure = store.onObserverFailure
      return AppModules(store: new, services: services.withIdentifiersOfItsOwn)
    }
    return module
  }
}

extension Services {
  fileprivate var withIdentifiersOfItsOwn: Services {
    var services = self
    services.identifiers = SequentialIdentifiers()
    return services
  }
}

extension Subscription: LuaExposed {
  /// What signatures call it.
  public static var luaTypeName: String { "subscription" }

  /// Adds what scripts see.
  public static func describe(_ members: LuaClass<Subscription>) {
    members.method("cancel", help: "Ends the subscription.", example: "sub:cancel()") {
      subscription in subscription.cancel()
    }
  }
}
