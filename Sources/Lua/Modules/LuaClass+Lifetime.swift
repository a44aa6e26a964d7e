extension LuaClass {
  /// Sets what happens to an object at the end of the block that has it in a variable: `local x <close> = host.open()`.
  ///
  /// - Parameter body: gets the object and the error that ended the block, or nil. What it throws takes that error's place.
  public func closed(_ body: @escaping (Object, LuaValue) throws -> Void) {
    members.add(
      metamethod: "__close",
      HostFunction { stack in
        try body(Object.read(from: stack, at: 1), LuaValue.read(from: stack, at: 2))
        return 0
      })
  }

  /// Sets what happens to an object when Lua gives it up: once, and before Swift's `deinit` if Lua was the last to hold it.
  ///
  /// An object that comes to Lua again is given up again. It happens whenever Lua collects garbage, so the body must be
  /// quick, and mustn't use Lua: neither the state, nor its tables and functions.
  public func collected(_ body: @escaping (Object) -> Void) {
    members.add(collected: { object in
      if let object = object as? Object { body(object) }
    })
  }
}
