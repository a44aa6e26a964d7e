import Lua
import StateStore

/// A secret, as actions get it: they can compare it and keep it, but not read it.
final class SecretObject: LuaExposed {
  let secret: Secret

  init(_ secret: Secret) { self.secret = secret }

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

  /// - Parameters:
  ///   - marks: The metatables of the state's JSON values.
  ///   - keepsSecrets: Whether code gets secrets as objects, and not as bullets.
  init(_ marks: JSONMarks, keepsSecrets: Bool) {
    (self.marks, self.keepsSecrets) = (marks, keepsSecrets)
  }

  /// A value for code.
  func pushable(_ value: StateValue) -> AnyPushable {
    if keepsSecrets, case .secret(let secret) = value { return AnyPushable(SecretObject(secret)) }
    return AnyPushable(value)
  }

  /// A value that code gives.
  func read(_ stack: LuaStack, at index: Int32) throws -> StateValue {
    try JSONWriter.plainValue(at: index, of: stack) ?? value(of: stack.value(at: index))
  }

  /// A value that code gives for a type, which checks it: a record to which the type refers is its id.
  ///
  /// - Parameters:
  ///   - stack: The stack with the value.
  ///   - index: The value's index.
  ///   - type: The type.
  ///   - store: The store for which the value is; nil for a draft or a view, whose code has no records of stores.
  /// - Returns: The value.
  /// - Throws: ``JSONError`` for a value that can't be saved.
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

  /// A value that code gives.
  ///
  /// - Throws: ``JSONError`` for a value that can't be saved.
  func value(of value: LuaValue) throws -> StateValue {
    switch value {
    case .nil: .none
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(Int(value))
    case .number, .string, .table, .userdata, .function, .coroutine:
      try JSONWriter.value(of: value, marks) { object in
        switch try object.hostObject() {
        case let secret as SecretObject: .secret(secret.secret)
        case let record as RecordObject: try record.referredID ?? record.value
        default: nil
        }
      }
    }
  }
}
