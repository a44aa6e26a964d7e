internal import CLua
internal import CLuaTrampolines

/// A Lua interpreter with its own globals.
///
/// A state belongs to one actor, or to the code that made it outside any actor, and isn't locked: nothing else may use
/// it. Many states can run in parallel.
///
/// ```swift
/// let state = try LuaState()
/// let answer = try state.load("return 6 * 7").call(as: Int.self)
/// ```
public final class LuaState {
  /// The release of Lua, such as "Lua 5.4.4".
  public static let release = "Lua \(LUA_VERSION_MAJOR).\(LUA_VERSION_MINOR).\(LUA_VERSION_RELEASE)"

  let core: StateCore

  /// Makes a state.
  ///
  /// - Parameters:
  ///   - libraries: The standard libraries that scripts find: all, those of the sandbox, or chosen ones.
  ///   - isolation: The actor to which the state belongs: the caller's, or, where the caller has none, as in an actor's
  ///     own `init`, that of the first code which runs, starts or awaits a task.
  /// - Throws: ``LuaError`` (`out_of_memory`).
  public init(
    libraries: LuaLibraries = .all, isolation: isolated (any Actor)? = #isolation
  ) throws(LuaError) {
    core = try StateCore(owner: isolation, libraries: libraries)
  }

  deinit { core.close() }

  /// Frees everything the state holds.
  ///
  /// Its tables, functions and tasks then throw `state_closed`. A state that is released closes, too. In a function
  /// that Lua calls, either takes effect when the Lua code has ended. What tasks wait for is cancelled; outside any actor,
  /// an operation that then doesn't end at once is never continued.
  ///
  /// - Returns: Why the finalizers that it runs were stopped, if they were.
  @discardableResult
  public func close() -> LuaError? { core.close() }

  /// Sets what is called when a script calls `os.exit`, after its last code has run.
  ///
  /// - Parameter body: Takes the status and, if the script had the state closed, why the finalizers were stopped;
  ///   returns the status to end with.
  public func whenScriptExits(_ body: @escaping (_ status: Int32, _ stop: LuaError?) -> Int32) {
    core.willExit = body
  }

  /// The value of a global variable.
  ///
  /// - Throws: `wrong_type` if it isn't of the type.
  public func global<Value: LuaReadable>(_ name: String, as type: Value.Type = Value.self)
    throws(LuaError) -> Value
  {
    try globals().get(type, called: "global") { stack in stack.push(name) }
  }

  /// Sets a global variable.
  public func setGlobal(_ name: String, to value: some LuaPushable) throws(LuaError) {
    try globals().set(value) { stack in stack.push(name) }
  }

  /// The table of global variables.
  public func globals() throws(LuaError) -> LuaTable {
    try core.withStack { stack in
      lua_rawgeti(stack.pointer, clua_registry_index, lua_Integer(LUA_RIDX_GLOBALS))
      return LuaTable(popping: stack)
    }
  }

  /// Makes an empty table, with room for elements of its sequence and for other fields.
  public func makeTable(elementCount: Int = 0, fieldCount: Int = 0) throws(LuaError) -> LuaTable {
    // Room that no memory could hold would end the process; a table grows by itself.
    let largest = 0x10_0000
    func room(for count: Int) -> Int32 { Int32(Swift.min(Swift.max(count, 0), largest)) }
    return try core.withStack { stack in
      lua_createtable(stack.pointer, room(for: elementCount), room(for: fieldCount))
      return LuaTable(popping: stack)
    }
  }

  /// Makes a table for a value: a module's, an array's, a dictionary's or a Codable type's.
  ///
  /// - Throws: ``LuaError`` (`wrong_type`) if the value isn't a table in Lua.
  public func makeTable(_ value: some LuaPushable) throws(LuaError) -> LuaTable {
    try core.withStack { stack throws(LuaError) in
      try value.push(to: stack)
      guard stack.type(at: -1) == .table else {
        throw LuaError(.wrongType, "table expected, got \(stack.typeName(at: -1))")
      }
      return LuaTable(popping: stack)
    }
  }

  /// Makes a coroutine that calls a function when it is first resumed.
  ///
  /// - Throws: ``LuaError`` (`foreign_value`) for a function of another state.
  public func makeCoroutine(_ function: LuaFunction) throws(LuaError) -> LuaCoroutine {
    try core.withStack { stack throws(LuaError) in
      try function.push(to: stack)
      let coroutine = lua_newthread(stack.pointer)
      lua_rotate(stack.pointer, -2, 1)
      lua_xmove(stack.pointer, coroutine, 1)
      return LuaCoroutine(popping: stack)
    }
  }

  /// The text of a value as by Lua's `tostring`: `__tostring` and `__name` count.
  ///
  /// - Throws: What `__tostring` raised.
  public func text(of value: some LuaPushable) throws(LuaError) -> LuaString {
    try core.withStack { stack throws(LuaError) in
      try value.push(to: stack)
      return LuaString(bytes: try stack.convertedText(at: stack.count))
    }
  }

  /// Provides a module, which `require(name)` then returns to scripts.
  ///
  /// In a sandbox only what is provided can be required.
  public func provide(_ module: some LuaPushable, as name: String) throws(LuaError) {
    try setRegistryField(name, of: LUA_LOADED_TABLE, to: module)
  }

  /// Provides a module that a chunk makes: the first `require(name)` calls it, and returns its result to scripts.
  public func provide(loader: LuaFunction, as name: String) throws(LuaError) {
    try setRegistryField(name, of: LUA_PRELOAD_TABLE, to: loader)
  }

  private func setRegistryField(_ name: String, of table: String, to value: some LuaPushable)
    throws(LuaError)
  {
    try core.withStack { stack throws(LuaError) in
      luaL_getsubtable(stack.pointer, clua_registry_index, table)
      stack.push(name)
      try value.push(to: stack)
      lua_rawset(stack.pointer, -3)
    }
  }

  /// The value that Lua code raised; `nil` if the error is another state's or wasn't raised in Lua.
  public func value(of error: LuaError) -> LuaValue? {
    guard let value = error.value, value.belongs(to: core) else { return nil }
    do throws(LuaError) {
      return try core.withStack { stack throws(LuaError) in
        try stack.push(value)
        return stack.value(at: -1)
      }
    } catch {
      // The state is closed.
      return nil
    }
  }

  /// Describes the host's own errors for scripts: their code, message and fields.
  ///
  /// Call it once for each group of errors: the last description is asked first.
  ///
  /// - Parameter describe: The description of an error, or `nil` for one that isn't the host's.
  public func describeErrors(_ describe: @escaping (any Error) -> LuaErrorDescription?) {
    let earlier = core.describeError
    core.describeError = { error in describe(error) ?? earlier(error) }
  }
}
