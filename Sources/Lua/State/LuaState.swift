internal import CLua
internal import CLuaTrampolines

/// A Lua interpreter with its own globals.
///
/// A state belongs to the actor it was made on, and isn't locked: only code on that actor may use it. Many states can
/// run in parallel, each on its own actor.
///
/// ```swift
/// let state = try LuaState()
/// let answer = try state.load("return 6 * 7", name: .text("answer")).call()
/// ```
public final class LuaState {
  /// The release of Lua, such as "Lua 5.4.4".
  public static let release = "Lua \(LUA_VERSION_MAJOR).\(LUA_VERSION_MINOR).\(LUA_VERSION_RELEASE)"

  let core: StateCore

  /// Makes a state.
  ///
  /// - Parameters:
  ///   - libraries: what scripts find of Lua's standard libraries.
  ///   - isolation: the actor on which functions that wait run; by default the caller's. Without one, nothing can wait.
  /// - Throws: ``LuaError`` (`out_of_memory`).
  public init(
    libraries: LuaLibraries = .all, isolation: isolated (any Actor)? = #isolation
  ) throws(LuaError) {
    core = try StateCore(owner: isolation, libraries: libraries)
  }

  deinit { core.close() }

  /// Frees everything the state holds.
  ///
  /// Tables, functions and tasks of it then throw `state_closed`. Without it, the state closes when it is released. In a
  /// function that Lua calls, either takes effect once the Lua code has come to an end; a state made outside any actor
  /// can't be closed there.
  ///
  /// - Returns: Why the finalizers that it runs were stopped, if they were.
  @discardableResult
  public func close() -> LuaError? { core.close() }

  /// Sets what is called when a script calls `os.exit`, after its last code has run.
  ///
  /// - Parameter body: Gets the status, and why the finalizers were stopped if the script had the state closed; it is closed
  ///   then. Gives the status to end with.
  public func whenScriptExits(_ body: @escaping (_ status: Int32, _ stop: LuaError?) -> Int32) {
    core.willExit = body
  }

  /// Compiles a chunk of source text.
  ///
  /// - Parameters:
  ///   - source: UTF-8 or any other bytes; a byte order mark, and a first line that begins with "#", are skipped.
  ///   - name: what messages call the chunk.
  /// - Returns: the chunk as a function.
  /// - Throws: ``LuaError`` (`syntax_error`) with the chunk's name and the line.
  public func load(_ source: some Collection<UInt8>, name: ChunkName) throws(LuaError)
    -> LuaFunction
  {
    let stack = try core.currentStack()
    try stack.reserve(4)
    let bytes = Array(source.scriptText)
    let status = bytes.withUnsafeBytes { buffer in
      luaL_loadbufferx(
        stack.pointer, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count,
        name.luaName, "t")
    }
    guard status == LUA_OK else { throw stack.popError(status: status, traceback: nil) }
    return LuaFunction(popping: stack)
  }

  /// Compiles a chunk of source text.
  public func load(_ source: String, name: ChunkName) throws(LuaError) -> LuaFunction {
    try load(source.utf8, name: name)
  }

  /// Calls a function that may wait, and returns all its results when it ends.
  ///
  /// Called on the state's actor. Cancelling the calling Swift task stops the Lua code, whatever it catches.
  ///
  /// - Throws: ``LuaError`` for what the function raised.
  @discardableResult
  public func run(_ function: LuaFunction, _ arguments: [any LuaPushable] = [])
    async throws(LuaError) -> [LuaValue]
  {
    try await start(function, arguments).value()
  }

  /// Starts a function as a task, which runs until it first waits, or ends.
  public func start(_ function: LuaFunction, _ arguments: [any LuaPushable] = [])
    throws(LuaError) -> LuaTask
  {
    try core.scheduler.start(function, arguments)
  }

  /// Waits for all tasks to end.
  ///
  /// Cancelling the calling Swift task stops them.
  ///
  /// - Returns: the failures of tasks that nobody waited for.
  public func finishTasks() async -> [LuaError] { await core.scheduler.finish() }

  /// Stops all tasks where they wait.
  public func stopTasks() { core.scheduler.stopAll() }

  /// The failures so far of tasks that nobody waited for; each is given once.
  public func takeTaskFailures() -> [LuaError] { core.scheduler.takeFailures() }

  /// The value of a global variable.
  ///
  /// - Throws: `wrong_type` if it isn't of the type.
  public func global<Value: LuaReadable>(_ name: String, as type: Value.Type = Value.self)
    throws(LuaError) -> Value
  {
    try globals().get(name, as: type, called: "global")
  }

  /// Sets a global variable.
  public func setGlobal(_ name: String, to value: some LuaPushable) throws(LuaError) {
    try globals().set(name, to: value)
  }

  /// The table of global variables.
  public func globals() throws(LuaError) -> LuaTable {
    let stack = try core.currentStack()
    try stack.reserve(2)
    lua_rawgeti(stack.pointer, clua_registry_index, lua_Integer(LUA_RIDX_GLOBALS))
    return LuaTable(popping: stack)
  }

  /// Makes a table for a value, such as a module's.
  public func makeTable(_ value: some LuaPushable) throws(LuaError) -> LuaTable {
    let stack = try core.currentStack()
    try stack.reserve(2)
    try value.push(to: stack)
    guard stack.type(at: -1) == .table else {
      let name = stack.typeName(at: -1)
      stack.pop(1)
      throw LuaError(.wrongType, "table expected, got \(name)")
    }
    return LuaTable(popping: stack)
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
    let stack = try core.currentStack()
    try stack.reserve(4)
    let bottom = stack.count
    defer { lua_settop(stack.pointer, bottom) }
    luaL_getsubtable(stack.pointer, clua_registry_index, table)
    stack.push(name)
    try value.push(to: stack)
    lua_rawset(stack.pointer, -3)
  }

  /// The value that Lua code raised; `nil` if the error is another state's or wasn't raised in Lua.
  public func value(of error: LuaError) -> LuaValue? {
    guard let value = error.value, value.belongs(to: core), let stack = try? core.currentStack()
    else { return nil }
    lua_rawgeti(stack.pointer, clua_registry_index, lua_Integer(value.place.key))
    defer { stack.pop(1) }
    return stack.value(at: -1)
  }

  /// Says what scripts see of the host's own errors: their code, message and fields.
  ///
  /// Several may say it, each for its own: who comes last is asked first.
  ///
  /// - Parameter describe: the description of an error, or `nil` for one that isn't the host's.
  public func describeErrors(_ describe: @escaping (any Error) -> LuaErrorDescription?) {
    let earlier = core.describeError
    core.describeError = { error in describe(error) ?? earlier(error) }
  }
}

extension Collection<UInt8> {
  /// The source as scripts are read: without a byte order mark, and without a first line that begins with "#", whose
  /// line end stays so that lines keep their numbers.
  fileprivate var scriptText: SubSequence {
    let text = starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
    return text.first == UInt8(ascii: "#") ? text.drop { $0 != UInt8(ascii: "\n") } : text
  }
}
