import Lua
import StateStore

/// A secret, as actions get it: they can compare it and keep it, but not read it.
final class SecretObject: LuaExposed, JSONRepresentable {
  let secret: Secret

  init(_ secret: Secret) { self.secret = secret }

  func jsonValue(isForState: Bool) -> StateValue? { isForState ? .secret(secret) : nil }

  static var luaTypeName: String { "secret" }

  static func describe(_ members: LuaClass<SecretObject>) {
    members.property(
      "is_empty", help: "Whether it has no characters.", example: "secret.is_empty"
    ) { $0.secret.isEmpty }
    members.operator(.equal) { (left: SecretObject, right: SecretObject) in
      left.secret == right.secret
    }
    members.text { $0.secret.description }
  }
}

/// Converts values between the states of features and a Lua state.
final class ObjectValues {
  private let marks: JSONMarks
  /// Whether code gets secrets as objects, and not as bullets.
  private let keepsSecrets: Bool

  init(_ marks: JSONMarks, keepsSecrets: Bool) {
    (self.marks, self.keepsSecrets) = (marks, keepsSecrets)
  }

  func pushable(_ value: StateValue) -> AnyPushable {
    if keepsSecrets, case .secret(let secret) = value { return AnyPushable(SecretObject(secret)) }
    return AnyPushable(value)
  }

  func read(_ stack: LuaStack, at index: Int32) throws -> StateValue {
    try Self.plainValue(at: index, of: stack) ?? value(of: stack.value(at: index))
  }

  /// A value that code gives for a type, which checks it: a record to which the type refers is its id.
  ///
  /// The store is nil for a draft or a view, whose code has no records of stores.
  func read(
    _ stack: LuaStack, at index: Int32, as type: ValueType, in store: Store? = nil
  ) throws -> StateValue {
    guard type.reference != nil || type.record?.references.isEmpty == false else {
      return try read(stack, at: index)
    }
    return try value(of: stack.value(at: index), as: type, in: store)
  }

  /// A value that code gives for a type; see ``read(_:at:as:in:)``.
  func value(of value: LuaValue, as type: ValueType, in store: Store? = nil) throws -> StateValue {
    switch value {
    case .userdata(let object):
      if let reference = type.reference, let record = try object.hostObject() as? RecordObject,
        record.listPath == reference.path, record.store === store, let id = record.id
      {
        return .integer(id)
      }
    case .table(let table):
      guard let record = type.record else { break }
      var members: [StateValue.Member] = []
      for (key, value) in try table.entries() {
        // A key that isn't a name is an error of the table as it is.
        guard case .string(let bytes) = key, let name = bytes.text else {
          return try self.value(of: .table(table))
        }
        let part = record.index(of: name).map { record.parts[$0].type } ?? .any
        members.append(.init(name: name, value: try self.value(of: value, as: part, in: store)))
      }
      return .record(members)
    default: break
    }
    return try self.value(of: value)
  }

  /// - Throws: ``JSONError`` for a value that can't be saved.
  func value(of value: LuaValue) throws -> StateValue {
    switch value {
    case .nil: .none
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(Int(value))
    case .number, .string, .table, .userdata, .function, .coroutine:
      try JSONWriter.value(of: value, marks, isForState: true)
    }
  }

  /// A boolean, a number or a text, or a table of those by name, as it is in a state; nil for other values.
  ///
  /// They are what code mostly gives, and this is several times as fast for them as ``value(of:)``.
  private static func plainValue(at index: Int32, of stack: LuaStack) -> StateValue? {
    if let value = simpleValue(at: index, of: stack) { return value }
    var members: [StateValue.Member] = []
    let isRecord = stack.forEachField(ofPlainTableAt: index) { name, value in
      guard let value = simpleValue(at: value, of: stack) else { return false }
      members.append(.init(name: name, value: value))
      return true
    }
    guard isRecord else { return nil }
    members.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return .record(members)
  }

  private static func simpleValue(at index: Int32, of stack: LuaStack) -> StateValue? {
    switch stack.type(at: index) {
    case .string: return stack.text(at: index).map { .text($0) }
    case .boolean, .number:
      switch stack.value(at: index) {
      case .boolean(let value): return .boolean(value)
      case .integer(let value): return .integer(Int(value))
      case .number(let value): return value.isFinite ? .number(value) : nil
      default: return nil
      }
    default: return nil
    }
  }
}

/// The rules by which the objects of a feature get values from code.
final class ObjectRules {
  let values: ObjectValues
  /// Whether the code changes lists and sets, as that of actions does.
  let changesLists: Bool
  private let errors: Errors

  init(values: ObjectValues, changesLists: Bool, errors: Errors) {
    (self.values, self.changesLists, self.errors) = (values, changesLists, errors)
  }

  /// The errors for assignments.
  enum Errors {
    /// They name the member and its type: "bad value for 'todo.item.done' (boolean expected, got number)".
    case byMember
    /// They name the place of the value, and the functions that may change it.
    case byPlace(calls: [String])
  }

  /// Reads the value that code assigns, at index 3 of the stack; the member and the place are for errors.
  func read(
    _ stack: LuaStack, as type: ValueType, _ member: @autoclosure () -> String,
    at place: @autoclosure () -> String, in store: Store?
  ) throws -> StateValue {
    guard case .byMember = errors else {
      return try type.checked(values.read(stack, at: 3, as: type, in: store), at: place())
    }
    do {
      if let value = try type.singleValue(stack, at: 3) { return value }
    } catch {
      throw LuaError.badValue(of: member(), error)
    }
    return try type.checked(values.read(stack, at: 3, as: type, in: store), at: place())
  }

  func readOnly(_ path: String) -> LuaError {
    guard case .byPlace(let calls) = errors else {
      return LuaError(.readOnlyField, "\(path) is read-only and can't be assigned")
    }
    let feature = path.prefix { $0 != "." }
    let shown = calls.prefix(5).joined(separator: ", ") + (calls.count > 5 ? ", ..." : "")
    return LuaError(
      .readOnlyField,
      "\(path) can't be assigned" + (calls.isEmpty ? "" : "; \(feature) is changed by \(shown)"))
  }
}

extension ValueType {
  /// Reads a single value, exactly; nil for a type whose values aren't single ones.
  fileprivate func singleValue(
    _ stack: LuaStack, at index: Int32
  ) throws(LuaTypeMismatch) -> StateValue? {
    switch self {
    case .boolean: return .boolean(try Bool.read(from: stack, at: index))
    case .integer: return .integer(try Int.read(from: stack, at: index))
    case .number: return .number(try Double.read(from: stack, at: index))
    case .string: return .text(try String.read(from: stack, at: index))
    case .secret: return .secret(Secret(try String.read(from: stack, at: index)))
    case .oneOf(let names):
      let given: String
      do {
        given = try String.read(from: stack, at: index)
      } catch {
        throw LuaTypeMismatch(expected: name, got: error.got)
      }
      guard names.contains(where: given.isExactly) else {
        throw LuaTypeMismatch(expected: name, got: "\"\(given.onOneLine)\"")
      }
      return .text(given)
    case .optional(let wrapped):
      return stack.isNoneOrNil(at: index)
        ? StateValue.none : try wrapped.singleValue(stack, at: index)
    // They are checked beyond their type.
    case .date, .time, .range, .decimal, .text, .reference, .any, .table, .record, .list, .set:
      return nil
    }
  }
}
