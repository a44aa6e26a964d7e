internal import CLua
internal import CLuaTrampolines

extension HostError: LuaExposed {
  static var luaTypeName: String { "error" }

  static func describe(_ members: LuaClass<HostError>) {
    members.property("code", help: "The kind of error.", example: "err.code") {
      $0.description.code.rawValue
    }
    members.property("message", help: "What was wrong.", example: "err.message") {
      $0.description.message
    }
    members.property("location", help: "Where it was raised.", example: "err.location") {
      $0.location?.description
    }
    members.dynamicFields { error, name in
      // By its bytes: hashing a text takes long if it has many combining marks, and a script can choose any name.
      error.description.fields.first { $0.key.utf8.elementsEqual(name.utf8) }?.value ?? LuaValue.nil
    }
    members.text { $0.description.message }
  }
}

extension LuaError {
  /// The members of the host's errors that scripts see.
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
        var place = error.location.map { clua_place($0) } ?? clua_place()
        clua_set_inner_place(clua_get_context(pointer), &place)
        clua_set_inner_traceback(pointer, -2)
      } else {
        clua_forget_inner_traceback(pointer)
      }
      return Int32(CLUA_RAISE)
    }
    let host = HostError(
      error: error, description: describe(error),
      location: LuaError.Location(clua_get_calling_place(pointer)))
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
        code: .badArgument, message: error.description)
    case is CancellationError:
      return LuaErrorDescription(code: .cancelled, message: "cancelled")
    default:
      return LuaErrorDescription(code: .undescribed, message: error.ownText)
    }
  }
}
