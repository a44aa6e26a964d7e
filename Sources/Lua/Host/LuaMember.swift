/// The documentation of a member of a module or class.
public struct LuaMember: Sendable {
  /// The kinds of member.
  public enum Kind: Sendable, Equatable {
    /// A function; one that waits suspends the calling coroutine.
    case function(waits: Bool)
    /// A field; one that isn't writable can't be assigned.
    case property(isWritable: Bool)
  }

  /// The name, without its module.
  public let name: String

  /// What kind of member it is.
  public let kind: Kind

  /// The parameters of a function.
  public let parameters: [LuaParameter]

  /// The types of a function's results, or the one of a property.
  public let types: [String]

  /// The Swift types of ``types``.
  package let valueTypes: [any LuaPushable.Type]

  /// What it does, in one line.
  public let help: String

  /// How to use it, in one line of Lua.
  public let example: String

  /// How it is called: "increment([by: integer]): integer".
  public var signature: String {
    let types = types.joined(separator: ", ")
    guard case .function = kind else { return "\(name): \(types)" }
    let list = parameters.map { parameter in
      parameter.isOptional
        ? "[\(parameter.name): \(parameter.type.dropLast())]"
        : "\(parameter.name): \(parameter.type)"
    }
    return "\(name)(\(list.joined(separator: ", ")))" + (types.isEmpty ? "" : ": \(types)")
  }
}

/// The documentation of a function's parameter.
public struct LuaParameter: Sendable, Equatable {
  /// The name.
  public let name: String

  /// The type that scripts have to pass; one that ends in "?" may be left out.
  public let type: String

  /// Whether it may be left out.
  public var isOptional: Bool { type.hasSuffix("?") }
}

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
    var valueTypes: [any LuaPushable.Type] = []
    for type in repeat each values {
      types.append(type.luaTypeName)
      valueTypes.append(type)
    }
    precondition(
      parameterNames.count <= argumentTypes.count,
      "\(name) has \(argumentTypes.count) parameters, and \(parameterNames.count) are named")
    let unnamed = argumentTypes.indices.dropFirst(parameterNames.count)
    let parameterNames = parameterNames + unnamed.map { "arg\($0 + 1)" }
    return LuaMember(
      name: name, kind: .function(waits: waits),
      parameters: zip(parameterNames, argumentTypes).map(LuaParameter.init), types: types,
      valueTypes: valueTypes, help: help, example: example)
  }

  @usableFromInline
  static func property<Value: LuaPushable>(
    _ name: String, _ type: Value.Type, isWritable: Bool, help: String, example: String
  ) -> LuaMember {
    LuaMember(
      name: name, kind: .property(isWritable: isWritable), parameters: [],
      types: [type.luaTypeName], valueTypes: [type], help: help, example: example)
  }

  @usableFromInline
  func description(as qualifiedName: String, _ kind: FunctionDescription.Kind = .function)
    -> FunctionDescription
  {
    FunctionDescription(name: qualifiedName, parameters: parameters, kind: kind)
  }
}

extension LuaStack {
  /// Pushes a property's value, and returns the number of values: one.
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
  @usableFromInline
  static func badValue(of property: String, _ mismatch: LuaTypeMismatch) -> LuaError {
    LuaError(.badArgument, "bad value for '\(property)' (\(mismatch))")
  }
}
