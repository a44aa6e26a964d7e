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

  /// The kind of the member.
  public let kind: Kind

  /// The parameters of a function.
  public let parameters: [LuaParameter]

  /// The types of a function's results, or the one of a property.
  public var types: [String] { makeTypes() }

  private let makeTypes: @Sendable () -> [String]

  /// What is known of ``types``, in their order; some are only looked up when they are asked for.
  package var valueTypes: [LuaValueType] { makeValueTypes() }

  private let makeValueTypes: @Sendable () -> [LuaValueType]

  /// A description in one line.
  public let help: String

  /// A line of Lua that uses the member.
  public let example: String

  fileprivate init(
    name: String, kind: Kind, parameters: [LuaParameter],
    types: @escaping @Sendable () -> [String],
    valueTypes: @escaping @Sendable () -> [LuaValueType], help: String, example: String
  ) {
    (self.name, self.kind, self.parameters) = (name, kind, parameters)
    (makeTypes, makeValueTypes, self.help, self.example) = (types, valueTypes, help, example)
  }

  /// The documentation of a property whose type is only looked up when it is asked for.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - type: Finds the type's name.
  ///   - valueType: Finds the type.
  ///   - isWritable: Whether it can be assigned.
  ///   - help: A description in one line.
  ///   - example: A line of Lua that uses it.
  package init(
    property name: String, type: @autoclosure @escaping @Sendable () -> String,
    valueType: @escaping @Sendable () -> LuaValueType?, isWritable: Bool, help: String,
    example: String
  ) {
    self.init(
      name: name, kind: .property(isWritable: isWritable), parameters: [],
      types: { [type()] }, valueTypes: { valueType().map { [$0] } ?? [] }, help: help,
      example: example)
  }

  /// The documentation of a function whose parameters and results are known only at run time.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - parameters: The parameters.
  ///   - types: The names of the results' types.
  ///   - valueTypes: Finds the types.
  ///   - waits: Whether it suspends the calling coroutine.
  ///   - help: A description in one line.
  ///   - example: A line of Lua that uses it.
  package init(
    function name: String, parameters: [LuaParameter], types: [String],
    valueTypes: @escaping @Sendable () -> [LuaValueType] = { [] }, waits: Bool = false,
    help: String, example: String
  ) {
    self.init(
      name: name, kind: .function(waits: waits), parameters: parameters, types: { types },
      valueTypes: valueTypes, help: help, example: example)
  }

  /// The calling form: "increment([by: integer]): integer".
  public var signature: String {
    let types = types.joined(separator: ", ")
    guard case .function = kind else { return "\(name): \(types)" }
    let list = parameters.map(\.text).joined(separator: ", ")
    return "\(name)(\(list))" + (types.isEmpty ? "" : ": \(types)")
  }
}

/// The documentation of a function's parameter, or of a field of its options.
public struct LuaParameter: Sendable, Equatable {
  /// The name.
  public let name: String

  /// The type that scripts have to pass; one that ends in "?" may be left out.
  public let type: String

  /// A description in one line; may be empty.
  public var help: String

  /// The fields of ``LuaOptions``; empty for a parameter of any other type.
  public var options: [LuaParameter]

  /// The parameters that a function is called with, such as "new, old"; nil unless the declaration names them.
  public let callback: String?

  /// Finds the value of an option that isn't given; nil if it can't be encoded.
  package var defaultValue: DefaultValue

  /// Makes a parameter.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - type: The type; one that ends in "?" may be left out.
  ///   - help: A description in one line.
  ///   - options: The fields of a table of options.
  ///   - callback: The parameters that a function is called with.
  ///   - defaultValue: The value of an option that isn't given.
  package init(
    name: String, type: String, help: String = "", options: [LuaParameter] = [],
    callback: String? = nil, defaultValue: DefaultValue = DefaultValue { nil }
  ) {
    (self.name, self.type, self.help, self.options) = (name, type, help, options)
    (self.callback, self.defaultValue) = (callback, defaultValue)
  }

  /// Whether it may be left out.
  public var isOptional: Bool { type.hasSuffix("?") }

  /// The name and the type, in brackets if it may be left out: "[by: integer]".
  package var text: String {
    isOptional ? "[\(name): \(type.dropLast())]" : "\(name): \(type)"
  }
}

extension LuaParameter {
  /// Makes a parameter of a function.
  ///
  /// - Parameters:
  ///   - declaration: The name; for a function, with the parameters that it is called with: "fn(new, old)".
  ///   - type: The type.
  ///   - options: The fields of options.
  fileprivate init(declaration: String, type: String, options: [LuaParameter]) {
    guard declaration.utf8.last == UInt8(ascii: ")"),
      let open = declaration.firstIndex(of: "(")
    else {
      self.init(name: declaration, type: type, options: options)
      return
    }
    self.init(
      name: String(declaration[..<open]), type: type, options: options,
      callback: String(declaration[declaration.index(after: open)...].dropLast()))
  }
}

/// A default that is only looked up when it is needed; all are equal, because types and names tell parameters apart.
package struct DefaultValue: Sendable, Equatable {
  package let find: @Sendable () -> (any Encodable)?

  package static func == (left: Self, right: Self) -> Bool { true }
}

extension LuaMember {
  @usableFromInline
  static func function<each Argument: LuaReadable, each Value: LuaPushable>(
    _ name: String, _ parameterNames: [String], _ arguments: (repeat (each Argument).Type),
    _ values: (repeat (each Value).Type), waits: Bool, help: String, example: String
  ) -> LuaMember {
    var parameters: [LuaParameter] = []
    var isAfterVariadic = false
    for type in repeat each arguments {
      precondition(
        !isAfterVariadic,
        "\(name): a LuaVariadic takes all further arguments, so it must be the last")
      isAfterVariadic = type is LuaVariadic.Type
      let name =
        parameters.count < parameterNames.count
        ? parameterNames[parameters.count] : "arg\(parameters.count + 1)"
      parameters.append(
        LuaParameter(declaration: name, type: type.luaTypeName, options: type.luaOptions))
    }
    var types: [String] = []
    var valueTypes: [any LuaPushable.Type] = []
    for type in repeat each values {
      types.append(type.luaTypeName)
      valueTypes.append(type)
    }
    precondition(
      parameterNames.count <= parameters.count,
      "\(name) has \(parameters.count) parameters, and \(parameterNames.count) are named")
    return LuaMember(
      name: name, kind: .function(waits: waits), parameters: parameters,
      types: { [types] in types },
      valueTypes: { [valueTypes] in valueTypes.map { .swift($0) } }, help: help, example: example)
  }

  @usableFromInline
  static func property<Value: LuaPushable>(
    _ name: String, _ type: Value.Type, named typeName: String? = nil, isWritable: Bool,
    help: String, example: String
  ) -> LuaMember {
    LuaMember(
      name: name, kind: .property(isWritable: isWritable), parameters: [],
      types: { [typeName ?? type.luaTypeName] }, valueTypes: { [.swift(type)] }, help: help,
      example: example)
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
  package func assignedValue<Value: LuaReadable>(to property: @autoclosure () -> String)
    throws(LuaError)
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
  package static func badValue(of property: String, _ mismatch: LuaTypeMismatch) -> LuaError {
    LuaError(.badArgument, "bad value for '\(property)' (\(mismatch))")
  }
}
