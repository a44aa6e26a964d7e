internal import CLua
internal import CLuaTrampolines

extension HostError: LuaExposed {
  static var luaTypeName: String { "error" }

  static func describe(_ members: LuaClass<HostError>) {
    members.property("code", help: "The kind of error.", example: "err.code") {
      $0.description.code
    }
    members.property("message", help: "What was wrong.", example: "err.message") {
      $0.description.message
    }
    members.property("location", help: "Where it was raised.", example: "err.location") {
      $0.location
    }
    members.dynamicFields { error, name in
      // By its bytes: hashing a text takes long if it has many combining marks, and a script can choose any name.
      error.description.fields.first { $0.key.utf8.elementsEqual(name.utf8) }?.value ?? LuaValue.nil
    }
    members.text { $0.description.message }
  }
}

extension LuaError {
  /// What scripts see of the host's errors.
  package static var luaMembers: [LuaMember] { HostError.luaMembers }
}

extension LuaStack {
  /// Pushes the error value for a Swift error; the caller returns the result to the trampoline, which raises it.
  func raise(_ error: any Error) -> Int32 {
    if let error = error as? LuaError, let value = error.value, value.belongs(to: core) {
      // It came from Lua: the same value is raised again.
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
      // There is no room on the stack for the error's userdata: the message alone is raised.
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
