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

  /// The names of the types of a function's results, or of the one of a property.
  public var types: [String] { valueTypes.map(\.name) }

  /// The types of a function's results, or the one of a property; looked up when they are asked for.
  package var valueTypes: [LuaValueType] { makeTypes() }

  private let makeTypes: @Sendable () -> [LuaValueType]

  /// A description in one line.
  public let help: String

  /// A line of Lua that uses the member.
  public let example: String

  fileprivate init(
    name: String, kind: Kind, parameters: [LuaParameter],
    types: @escaping @Sendable () -> [LuaValueType], help: String, example: String
  ) {
    (self.name, self.kind, self.parameters) = (name, kind, parameters)
    (makeTypes, self.help, self.example) = (types, help, example)
  }

  /// The documentation of a property whose type is only looked up when it is asked for.
  package init(
    property name: String, type: @autoclosure @escaping @Sendable () -> LuaValueType,
    isWritable: Bool, help: String, example: String
  ) {
    self.init(
      name: name, kind: .property(isWritable: isWritable), parameters: [], types: { [type()] },
      help: help, example: example)
  }

  /// The documentation of a function whose parameters and results are known only at run time.
  package init(
    function name: String, parameters: [LuaParameter], types: [LuaValueType], waits: Bool = false,
    help: String, example: String
  ) {
    self.init(
      name: name, kind: .function(waits: waits), parameters: parameters, types: { types },
      help: help, example: example)
  }

  /// The calling form: "increment([by: integer]): integer".
  public var signature: String {
    let types = types.joined(separator: ", ")
    guard case .function = kind else { return "\(name): \(types)" }
    let list = parameters.map(\.text).joined(separator: ", ")
    return "\(name)(\(list))" + (types.isEmpty ? "" : ": \(types)")
  }
}

/// The documentation of a function's parameter, or of a field of a table.
public struct LuaParameter: Sendable, Equatable {
  /// The name.
  public let name: String

  package let valueType: LuaValueType

  /// The name of the type; one that ends in "?" may be left out.
  public var type: String { valueType.name }

  /// A description in one line; may be empty.
  public let help: String

  /// Finds the value of an option that isn't given; nil if it can't be encoded.
  package let defaultValue: DefaultValue

  /// The value of an argument that isn't given, as signatures show it; empty if that is nil.
  package let defaultText: String

  package init(
    name: String, type: LuaValueType, help: String = "",
    defaultValue: DefaultValue = DefaultValue { nil }, defaultText: String = ""
  ) {
    (self.name, valueType, self.help, self.defaultValue) = (name, type, help, defaultValue)
    self.defaultText = defaultText
  }

  /// Makes a parameter of a function from its declaration: a name or, for a function, "fn(new, old)".
  fileprivate init(declaration: String, type: LuaValueType) {
    let parts = declaration.dropLast().split(
      separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
    guard declaration.hasSuffix(")"), parts.count == 2 else {
      self.init(name: declaration, type: type)
      return
    }
    let parameters = parts[1].split(separator: ",").map { parameter in
      let halves = parameter.drop { $0 == " " }.split(separator: ": ", maxSplits: 1)
      return LuaParameter(
        name: halves.first.map(String.init) ?? "",
        type: halves.count == 2 ? .named(String(halves[1])) : LuaValue.luaType)
    }
    let isFunction = type.required == LuaFunction.luaType
    let called = isFunction ? LuaValueType.function(parameters) : type.required
    self.init(name: String(parts[0]), type: type.required == type ? called : .optional(called))
  }

  /// The fields of ``LuaOptions``; empty for a parameter of any other type.
  public var options: [LuaParameter] {
    if case .table(nil, let fields) = required { fields } else { [] }
  }

  /// Whether it may be left out.
  public var isOptional: Bool { if case .optional = valueType { true } else { false } }

  package var required: LuaValueType { valueType.required }

  package var isVariadic: Bool { name == "..." || valueType == .variadic }

  /// The name and the type, if it is known, in brackets if it may be left out: "[by: integer]".
  package var text: String {
    let value = defaultText.isEmpty ? "" : " = \(defaultText)"
    let text = (required == .unknown ? name : "\(name): \(required.name)") + value
    return isOptional ? "[\(text)]" : text
  }

  /// The same for a field of a table: "[limit=integer]".
  var fieldText: String {
    isOptional ? "[\(name)=\(required.name)]" : "\(name)=\(type)"
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
        LuaParameter(declaration: name, type: type.luaType))
    }
    var types: [any LuaPushable.Type] = []
    for type in repeat each values { types.append(type) }
    precondition(
      parameterNames.count <= parameters.count,
      "\(name) has \(parameters.count) parameters, and \(parameterNames.count) are named")
    return LuaMember(
      name: name, kind: .function(waits: waits), parameters: parameters,
      types: { [types] in types.map { $0.luaType } }, help: help, example: example)
  }

  @usableFromInline
  static func property<Value: LuaPushable>(
    _ name: String, _ type: Value.Type, isWritable: Bool, help: String, example: String
  ) -> LuaMember {
    LuaMember(
      property: name, type: type.luaType, isWritable: isWritable, help: help, example: example)
  }

  @usableFromInline
  static func property<Value: LuaPushable, NewValue: LuaReadable>(
    _ name: String, _ type: Value.Type, assigning newType: NewValue.Type, help: String,
    example: String
  ) -> LuaMember {
    let (old, new) = (type.luaType, newType.luaType)
    return LuaMember(
      property: name, type: old == new ? new : .union(name: new.name, [old, new]),
      isWritable: true, help: help, example: example)
  }

  @usableFromInline
  func description(as qualifiedName: String, _ kind: FunctionDescription.Kind = .function)
    -> FunctionDescription
  {
    FunctionDescription(name: qualifiedName, parameters: parameters, kind: kind)
  }
}

extension LuaStack {
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
