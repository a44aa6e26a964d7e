/// A Swift error on its way through Lua, where it is a userdata with fields.
final class HostError: LuaExposed {
  let error: any Error
  let description: LuaErrorDescription

  /// The chunk and line of the Lua code that called the function which threw.
  let location: String?

  init(error: any Error, description: LuaErrorDescription, location: String?) {
    self.error = error
    self.description = description
    self.location = location
  }

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
      // By its bytes, since a script's name may be any, and hashing a text takes long where it has many combining marks.
      error.description.fields.first { $0.key.utf8.elementsEqual(name.utf8) }?.value ?? LuaValue.nil
    }
    members.text { $0.description.message }
  }

  /// What Swift sees of it, back outside Lua.
  var luaError: LuaError {
    var result = LuaError(code: description.code, message: description.message)
    result.location = location
    // One of the library's own says all there is to say; it isn't wrapped again.
    if let error = error as? LuaError {
      result.underlying = error.underlying
    } else {
      result.underlying = error
    }
    return result
  }
}
