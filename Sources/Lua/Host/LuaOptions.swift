internal import CLua

/// A table argument with named fields, such as the options of a function.
///
/// ```swift
/// struct SearchOptions: LuaOptions {
///   var text = ""
///   var limit = 10
///
///   static let options: [LuaOption<SearchOptions>] = [
///     .required("text", \.text), .option("limit", \.limit, help: "The maximum number."),
///   ]
/// }
///
/// module.function("search", "options", help: "Searches.", example: "search{text = \"milk\"}") {
///   (options: SearchOptions) in find(options.text, limit: options.limit)
/// }
/// ```
///
/// A field that isn't given keeps its default, and one that isn't known is an error. As the type of a parameter,
/// `SearchOptions?` lets scripts leave out the whole table. A field can be of any readable type: an enum of names is one
/// once it is ``LuaCodable``.
public protocol LuaOptions: LuaReadable, SendableMetatype {
  /// The options; a constant, as it is used for every call.
  static var options: [LuaOption<Self>] { get }

  /// Makes options with their defaults; those of required ones aren't used.
  init()
}

/// A field of ``LuaOptions``.
public struct LuaOption<Root>: Sendable {
  /// The name, type and help.
  public let parameter: LuaParameter

  fileprivate let read: @Sendable (inout Root, LuaStack, Int32) throws(LuaTypeMismatch) -> Void

  private init<Value: LuaReadable & SendableMetatype>(
    _ parameter: LuaParameter, _ property: any WritableKeyPath<Root, Value> & Sendable
  ) {
    self.parameter = parameter
    read = { (root, stack, index) throws(LuaTypeMismatch) in
      root[keyPath: property] = try Value.read(from: stack, at: index)
    }
  }

  /// A field that scripts can leave out.
  ///
  /// - Parameters:
  ///   - name: The name in snake case.
  ///   - property: The key path of the property, whose default is used if the field isn't given.
  ///   - help: A description in one line.
  /// - Returns: The option.
  public static func option<Value: LuaReadable & SendableMetatype>(
    _ name: String, _ property: any WritableKeyPath<Root, Value> & Sendable, help: String = ""
  ) -> Self where Root: LuaOptions {
    Self(
      LuaParameter(
        name: name, type: Value.luaType.orNil, help: help,
        defaultValue: DefaultValue { Root()[keyPath: property] as? any Encodable }), property)
  }

  /// A field that scripts must give; the parameters are those of `option(_:_:help:)`.
  public static func required<Value: LuaReadable & SendableMetatype>(
    _ name: String, _ property: any WritableKeyPath<Root, Value> & Sendable, help: String = ""
  ) -> Self {
    Self(
      LuaParameter(
        name: name, type: Value.luaType, help: help), property)
  }
}

extension LuaOptions {
  /// The fields with their types, and those that can be left out in brackets: "{text=string, [limit=integer]}".
  public static var luaTypeName: String { luaType.name }

  /// A table with the fields.
  public static var luaType: LuaValueType {
    let parameters = options.map(\.parameter)
    precondition(
      Set(parameters.map(\.name)).count == parameters.count, "\(Self.self) has an option twice.")
    return .table(name: nil, fields: parameters)
  }

  /// Reads a table that has no other fields.
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    // A module is empty to code that reads tables raw.
    guard stack.type(at: index) == .table, !stack.isModule(at: index),
      lua_checkstack(stack.pointer, 8) != 0
    else { throw LuaTypeMismatch(expected: luaTypeName, at: index, of: stack) }
    let table = lua_absindex(stack.pointer, index)
    if let unknown = stack.unknownField(of: table, known: options) {
      throw LuaTypeMismatch(unknown)
    }
    var result = Self()
    for option in options {
      let name = option.parameter.name
      defer { stack.pop(1) }
      do throws(LuaTypeMismatch) {
        try stack.pushField(name, of: table)
        if stack.isNoneOrNil(at: -1) {
          guard option.parameter.isOptional else { throw LuaTypeMismatch(missing: luaTypeName) }
        } else {
          try option.read(&result, stack, stack.count)
        }
      } catch {
        throw error.inField(name, of: luaTypeName)
      }
    }
    return result
  }
}

extension LuaStack {
  /// The field of a table that isn't among the known ones; of several, the first in the alphabet.
  fileprivate func unknownField<Options>(
    of table: Int32, known options: [LuaOption<Options>]
  ) -> UnknownField? {
    var first: UnknownField?
    pushNil()
    while lua_next(pointer, table) != 0 {
      pop(1)
      let name = type(at: -1) == .string ? bytes(at: -1) : nil
      if let name, options.contains(where: { $0.parameter.name.utf8.elementsEqual(name) }) {
        continue
      }
      let key = keyText(at: -1)
      if first.map({ key < $0.key }) ?? true {
        first = UnknownField(
          name: name.map(Array.init), key: key, known: options.map(\.parameter.name))
      }
    }
    return first
  }

  /// Pushes the value of a table's field, as Lua code reads it; nil if that fails.
  fileprivate func pushField(_ name: String, of table: Int32) throws(LuaTypeMismatch) {
    push(name)
    guard hasMetafield("__index", at: table) else {
      lua_rawget(pointer, table)
      return
    }
    do {
      try protectedGet(at: table)
    } catch {
      pushNil()
      throw LuaTypeMismatch(expected: "a value", got: "the error \(error.message)")
    }
  }
}

final class UnknownField: Sendable {
  /// Nil for a key that isn't a string.
  private let name: [UInt8]?
  /// The key as Lua code.
  fileprivate let key: String
  private let known: [String]

  fileprivate init(name: [UInt8]?, key: String, known: [String]) {
    (self.name, self.key, self.known) = (name, key, known)
  }

  /// The error for a field of an owner, such as a parameter.
  func error(of owner: String) -> LuaError {
    if let name { return .unknownField(name, of: owner, known: known) }
    let names = known.sorted().joined(separator: ", ")
    return LuaError(.unknownField, "\(owner) has no field with the key \(key). It has: \(names)")
  }
}
