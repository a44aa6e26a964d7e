internal import CLua
internal import CLuaTrampolines

extension LuaStack {
  /// Calls the function below the top `argumentCount` values, and replaces them by its results, with room above to
  /// read those.
  ///
  /// - Throws: What it raised; then the function and its arguments are gone.
  func call(argumentCount: Int32, resultCount: Int32) throws(LuaError) {
    try reserve(4)
    let core = core
    let startsBudget = core.startBudget()
    let status = clua_call(pointer, argumentCount, resultCount)
    try finishCall(status, endingBudget: startsBudget, of: core)
    try reserve(4)
  }

  /// Calls a function above its message handler, which stays below the results; faster.
  ///
  /// Needs 2 free slots.
  @inline(__always)
  func callHandled(argumentCount: Int32, resultCount: Int32, in core: StateCore) throws(LuaError) {
    let startsBudget = core.startBudget()
    let status = clua_call_handled(pointer, argumentCount, resultCount)
    try finishCall(status, endingBudget: startsBudget, of: core)
  }

  @inline(__always)
  private func finishCall(_ status: Int32, endingBudget: Bool, of core: StateCore) throws(LuaError)
  {
    let failure = status == LUA_OK ? nil : popFailure(status: status)
    clua_end(pointer)
    if endingBudget { core.budget = nil }
    if let failure { throw failure }
  }

  /// Makes an error of the traceback, or nil, on top and the error value below it, and pops both.
  func popFailure(status: Int32) -> LuaError {
    let traceback = bytes(at: -1).map { String(escapingInvalid: $0) }
    pop(1)
    // Before the error's own __tostring may run, and fail.
    let location = LuaError.Location(clua_get_place(clua_get_context(pointer)).pointee)
    var error = popError(status: status)
    error.traceback = traceback
    if !error.isOfHost { error.location = location }
    return error
  }

  /// Makes an error of the error value on top, and pops it.
  func popError(status: Int32) -> LuaError {
    var error = describeErrorValue(status: status)
    // The value of a stop says nothing: it is the error of a refused allocation.
    guard stopReason == clua_stop_none else {
      pop(1)
      return error
    }
    error.value = makeReference()
    return error
  }

  /// Leaves the error value on top.
  private func describeErrorValue(status: Int32) -> LuaError {
    if let stop = core.limits.error(of: stopReason) { return stop }
    if status == LUA_ERRMEM { return LuaError(.outOfMemory, "not enough memory") }
    if let host = object(of: HostError.self, at: -1) { return host.luaError }
    if let bytes = textBytes(at: -1) {
      return LuaError(
        status == LUA_ERRSYNTAX ? .syntax : .runtime, String(escapingInvalid: bytes))
    }
    let message = messageOfErrorObject()
    // Its __tostring may have been stopped.
    return core.limits.error(of: stopReason)
      ?? LuaError(.runtime, message)
  }

  /// The text of an error value that is neither string nor number, as the lua command words it.
  private func messageOfErrorObject() -> String {
    guard luaL_getmetafield(pointer, -1, "__tostring") != LUA_TNIL else {
      return "(error object is a \(typeName(at: -1)) value)"
    }
    pop(1)
    lua_pushcclosure(pointer, clua_protected_tostring, 0)
    lua_pushvalue(pointer, -2)
    let failed = clua_call(pointer, 1, 1) != LUA_OK
    defer { pop(failed ? 2 : 1) }
    guard !failed, let text = bytes(at: -1) else {
      return "(error object whose __tostring failed)"
    }
    return String(escapingInvalid: text)
  }

  // MARK: - Operations that may run metamethods

  /// Pushes `object[key]` for the key on top, which it pops.
  func protectedGet(at object: Int32) throws(LuaError) {
    lua_pushcclosure(pointer, clua_protected_get, 0)
    lua_rotate(pointer, -2, 1)
    lua_pushvalue(pointer, object)
    lua_rotate(pointer, -2, 1)
    try call(argumentCount: 2, resultCount: 1)
  }

  /// The text of the value at an index from the bottom, as by Lua's `tostring`.
  func convertedText(at index: Int32) throws(LuaError) -> [UInt8] {
    lua_pushcclosure(pointer, clua_protected_tostring, 0)
    lua_pushvalue(pointer, index)
    try call(argumentCount: 1, resultCount: 1)
    defer { pop(1) }
    return bytes(at: -1).map(Array.init) ?? []
  }

  func protectedLength(at object: Int32) throws(LuaError) -> Int {
    lua_pushcclosure(pointer, clua_protected_length, 0)
    lua_pushvalue(pointer, object)
    try call(argumentCount: 1, resultCount: 1)
    defer { pop(1) }
    return Int(lua_tointegerx(pointer, -1, nil))
  }
}

extension LuaError.Location {
  /// `nil` where the line isn't known.
  init?(_ place: clua_place) {
    guard place.line > 0 else { return nil }
    let chunk = withUnsafeBytes(of: place.chunk) { $0.prefix { $0 != 0 } }
    self.init(chunk: String(escapingInvalid: chunk), line: Int(place.line))
  }
}

extension clua_place {
  init(_ location: LuaError.Location) {
    self.init()
    line = Int32(clamping: location.line)
    withUnsafeMutableBytes(of: &chunk) { chunk in
      // The last byte stays 0.
      chunk.copyBytes(from: location.chunk.utf8.prefix(chunk.count - 1))
    }
  }
}
