/// What an operator does with operands of certain types.
@usableFromInline
struct OperatorOverload {
  /// The operands' types as a script would write the expression: "vector * number".
  let expression: String

  /// The type of the result.
  let result: String

  /// Pushes the result for the operands at indexes 1 and 2, or returns false if they aren't of the types.
  let apply: (LuaStack) throws -> Bool

  @usableFromInline
  init(expression: String, result: String, apply: @escaping (LuaStack) throws -> Bool) {
    self.expression = expression
    self.result = result
    self.apply = apply
  }
}

extension LuaStack {
  /// The value at an index; `nil` if it isn't of the type.
  @inlinable @inline(__always)
  func value<Value: LuaReadable>(at index: Int32, as type: Value.Type) -> Value? {
    do throws(LuaTypeMismatch) {
      return try Value.read(from: self, at: index)
    } catch {
      return nil
    }
  }
}
