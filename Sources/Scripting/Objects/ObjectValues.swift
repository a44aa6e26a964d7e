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
        case let record as RecordObject: try record.value
        default: nil
        }
      }
    }
  }
}
