extension LuaMember {
  @usableFromInline
  static func function<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String, _ parameterNames: [String], _ arguments: (repeat (each Argument).Type),
    _ values: (repeat (each Value).Type), waits: Bool, help: String, example: String
  ) -> LuaMember {
    var argumentTypes: [String] = []
    var isAfterVariadic = false
    for type in repeat each arguments {
      precondition(
        !isAfterVariadic,
        "\(name): a LuaVariadic takes all further arguments, so it must be the last")
      isAfterVariadic = type is LuaVariadic.Type
      argumentTypes.append(type.luaTypeName)
    }
    var types: [String] = []
    for type in repeat each values { types.append(type.luaTypeName) }
    precondition(
      parameterNames.count == argumentTypes.count,
      "\(name) has \(argumentTypes.count) parameters, and \(parameterNames.count) are named")
    return LuaMember(
      name: name, kind: .function(waits: waits),
      parameters: zip(parameterNames, argumentTypes).map(LuaParameter.init), types: types,
      help: help, example: example)
  }

  @usableFromInline
  static func property(
    _ name: String, _ type: String, isWritable: Bool, help: String, example: String
  ) -> LuaMember {
    LuaMember(
      name: name, kind: .property(isWritable: isWritable), parameters: [], types: [type],
      help: help, example: example)
  }

  @usableFromInline
  func description(as qualifiedName: String, _ kind: FunctionDescription.Kind = .function)
    -> FunctionDescription
  {
    FunctionDescription(name: qualifiedName, parameters: parameters, kind: kind)
  }
}

extension LuaStack {
  /// Pushes a property's one value, and returns how many that is.
  @inlinable @inline(__always)
  func pushProperty(_ value: some LuaPushable) throws(LuaError) -> Int32 {
    try value.push(to: self)
    return 1
  }

  /// The value that `__newindex` was given for a property or element.
  @inlinable @inline(__always)
  func assignedValue<Value: LuaReadable>(to property: @autoclosure () -> String) throws(LuaError)
    -> Value
  {
    do {
      return try Value.read(from: self, at: 3)
    } catch {
      throw LuaError.badValue(of: property(), error)
    }
  }
}

extension LuaError {
  /// The error for a property that was assigned a value of the wrong type.
  @usableFromInline
  static func badValue(of property: String, _ mismatch: LuaTypeMismatch) -> LuaError {
    LuaError(.badArgument, "bad value for '\(property)' (\(mismatch))")
  }
}
