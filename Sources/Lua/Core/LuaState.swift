internal import CLua
internal import CLuaTrampolines

/// A Lua interpreter with its own globals.
///
/// A state belongs to one actor, or to the code that made it outside any actor, and isn't locked: nothing else may use
/// it. Many states can run in parallel.
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
  ///   - libraries: The standard libraries that scripts find.
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
  /// that Lua calls, either takes effect when the Lua code has ended.
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

  /// Compiles a chunk of source text.
  ///
  /// - Parameters:
  ///   - source: UTF-8 or any other bytes; a byte order mark, and a first line that begins with "#", are skipped.
  ///   - name: The chunk's name in messages.
  /// - Returns: The chunk as a function.
  /// - Throws: ``LuaError`` (`syntax_error`) with the chunk's name and the line.
  public func load(_ source: some Collection<UInt8>, name: ChunkName) throws(LuaError)
    -> LuaFunction
  {
    try load(Array(source.scriptText), name, mode: "t")
  }

  /// Compiles a chunk of source text.
  public func load(_ source: String, name: ChunkName) throws(LuaError) -> LuaFunction {
    try load(source.utf8, name: name)
  }

  /// Loads a chunk that ``LuaFunction/bytecode()`` made, which is faster than compiling its source.
  ///
  /// - Parameters:
  ///   - bytecode: The chunk; Lua doesn't check it, so one of another origin can crash the process.
  ///   - name: The chunk's name in messages, if it was made without.
  /// - Returns: The chunk as a function.
  /// - Throws: ``LuaError`` if it is another version's, or memory is short.
  package func load(bytecode: [UInt8], name: ChunkName) throws(LuaError) -> LuaFunction {
    try load(bytecode, name, mode: "b")
  }

  /// Loads a chunk: of source text in the mode "t", of bytecode in the mode "b".
  private func load(_ chunk: [UInt8], _ name: ChunkName, mode: String) throws(LuaError)
    -> LuaFunction
  {
    let stack = try core.currentStack()
    try stack.reserve(4)
    let status = chunk.withUnsafeBytes { buffer in
      luaL_loadbufferx(
        stack.pointer, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count,
        name.luaName, mode)
    }
    guard status == LUA_OK else {
      let location = LuaError.Location(clua_get_syntax_place(stack.pointer, name.luaName))
      var error = stack.popError(status: status)
      error.location = location
      throw error
    }
    return LuaFunction(popping: stack)
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
    guard let value = error.value, value.belongs(to: core) else { return nil }
    do {
      let stack = try core.currentStack()
      try stack.push(value)
      defer { stack.pop(1) }
      return stack.value(at: -1)
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

extension Collection<UInt8> {
  /// The source as scripts are read: without a byte order mark, and without a first line that begins with "#", whose
  /// line end stays so that lines keep their numbers.
  fileprivate var scriptText: SubSequence {
    let text = starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
    return text.first == UInt8(ascii: "#") ? text.drop { $0 != UInt8(ascii: "\n") } : text
  }
}

/// The name of a chunk of Lua code in messages.
public enum ChunkName: Sendable {
  /// A file: messages show its path and the line.
  case file(String)
  /// A file whose path need not be UTF-8: messages show `\xff` for a byte that isn't.
  case fileBytes([UInt8])
  /// Any other source: messages show the text as it is, and the line.
  case text(String)

  /// The name with the mark by which Lua tells them apart (`lua_load` in the manual).
  var luaName: [CChar] {
    let bytes: [UInt8] =
      switch self {
      case .file(let path): Array("@\(path)".utf8)
      case .fileBytes(let path): Array("@".utf8) + path
      case .text(let text): Array("=\(text)".utf8)
      }
    return bytes.map(CChar.init(bitPattern:)) + [0]
  }
}

/// Which of Lua's standard libraries scripts find.
public enum LuaLibraries: Sendable {
  /// All of them.
  case all

  /// Only what can't reach outside the state, for scripts that aren't trusted; but `print` and `warn` write to the
  /// process's own output.
  ///
  /// Without `io`, `debug`, `dofile`, `loadfile`, `string.dump` and `package.loadlib`; of `os` only `clock`, `date`,
  /// `difftime` and `time`. `load` takes source text only, and `require` finds only what the host provides
  /// (``LuaState/provide(_:as:)``). Each state has its own library tables and string metatable.
  ///
  /// Memory, instructions and time are limited separately: ``LuaState/limitMemory(to:)``,
  /// ``LuaState/limitInstructions(to:)``, ``LuaState/limitTime(to:)``.
  case sandbox
}
