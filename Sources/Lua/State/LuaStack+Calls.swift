internal import CLua
internal import CLuaTrampolines

extension LuaStack {
  /// Calls the function below the top `argumentCount` values, and leaves its results instead of them, with room above
  /// to read them.
  ///
  /// - Throws: what it raised; then the function and its arguments are gone.
  func call(argumentCount: Int32, resultCount: Int32) throws(LuaError) {
    try reserve(4)
    let core = core
    let startsBudget = core.startBudget()
    let status = clua_call(pointer, argumentCount, resultCount)
    defer {
      clua_end(pointer)
      if startsBudget { core.budget = nil }
    }
    guard status != LUA_OK else { return try reserve(4) }
    throw popFailure(status: status)
  }

  /// Makes an error of the traceback, or nil, on top and the error value below it, and pops both.
  func popFailure(status: Int32) -> LuaError {
    let traceback = bytes(at: -1).map { String(escapingInvalid: $0) }
    pop(1)
    return popError(status: status, traceback: traceback)
  }

  /// Makes an error of the error value on top, and pops it.
  func popError(status: Int32, traceback: String?) -> LuaError {
    var error = describeErrorValue(status: status)
    error.traceback = traceback
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

  /// Pushes the error value for a Swift error; the caller returns the result to the trampoline, which raises it.
  func raise(_ error: any Error) -> Int32 {
    if let error = error as? LuaError, let value = error.value, value.belongs(to: core) {
      // It came from Lua: the same value goes on.
      if let traceback = error.traceback { push(traceback) }
      lua_rawgeti(pointer, clua_registry_index, lua_Integer(value.place.key))
      if error.traceback != nil {
        clua_set_inner_traceback(pointer, -2)
      } else {
        clua_forget_inner_traceback(pointer)
      }
      return Int32(CLUA_RAISE)
    }
    let host = HostError(error: error, description: describe(error), location: callerLocation())
    do {
      try host.push(to: self)
    } catch {
      // No room on the stack for the error's userdata: the message alone still gets there.
      push(host.description.message)
    }
    return Int32(CLUA_RAISE)
  }

  private func describe(_ error: any Error) -> LuaErrorDescription {
    if let description = core.describeError(error) { return description }
    switch error {
    case let error as LuaError:
      return LuaErrorDescription(code: error.code, message: error.message)
    case let error as LuaTypeMismatch:
      return LuaErrorDescription(
        code: LuaError.Code.badArgument.rawValue, message: error.description)
    case is CancellationError:
      return LuaErrorDescription(code: LuaError.Code.cancelled.rawValue, message: "cancelled")
    default:
      return LuaErrorDescription(code: "error", message: String(describing: error))
    }
  }

  /// The chunk and line of the Lua function that called the running host function.
  private func callerLocation() -> String? {
    luaL_where(pointer, 1)
    defer { pop(1) }
    guard let text = bytes(at: -1), !text.isEmpty else { return nil }
    let place = String(escapingInvalid: text)
    return place.hasSuffix(": ") ? String(place.dropLast(2)) : place
  }
}
