extension [LuaValue] {
  /// The first result of a function as a type of Swift; a missing one is nil.
  func value<Value: LuaReadable>(as type: Value.Type) throws(LuaError) -> Value {
    if type is LuaVariadic.Type, let all = LuaVariadic(self) as? Value { return all }
    return try result(at: 0, as: type, called: "result")
  }

  /// The first results of a function as types of Swift; missing ones are nil.
  ///
  /// A ``LuaVariadic`` as the last type takes all that are left.
  ///
  /// - Throws: ``LuaError`` (`wrong_type`), which names the result by its position.
  func values<each Value: LuaReadable>(as types: (repeat each Value).Type) throws(LuaError)
    -> (repeat each Value)
  {
    var position = 0
    func next<Result: LuaReadable>(_ type: Result.Type) throws(LuaError) -> Result {
      defer { position += 1 }
      if type is LuaVariadic.Type,
        let rest = LuaVariadic(Array(dropFirst(position))) as? Result
      {
        return rest
      }
      return try result(at: position, as: type, called: "result #\(position + 1)")
    }
    return (repeat try next((each Value).self))
  }

  private func result<Value: LuaReadable>(
    at position: Int, as type: Value.Type, called name: @autoclosure () -> String
  ) throws(LuaError) -> Value {
    let value = position < count ? self[position] : .nil
    do {
      return try value.as(type)
    } catch  where error.is(.wrongType) {
      throw LuaError(.wrongType, "\(name()): \(error.message)")
    }
  }
}
