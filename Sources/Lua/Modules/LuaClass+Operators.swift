extension LuaClass {
  /// Defines an operator of two operands, one of which is the object.
  ///
  /// Several bodies may be added for one operator: the first whose types the operands have is called.
  ///
  /// ```swift
  /// members.operator(.multiply) { (left: Vector, right: Double) in left.scaled(by: right) }
  /// members.operator(.multiply) { (left: Double, right: Vector) in right.scaled(by: left) }
  /// ```
  @inlinable
  public func `operator`<Left: LuaReadable, Right: LuaReadable, Value: LuaPushable>(
    _ operator: LuaOperator.Binary, body: @escaping (Left, Right) throws -> Value
  ) {
    addOperator(`operator`.rawValue, symbol: `operator`.symbol, body)
  }

  /// Defines an operator of one operand, the object.
  @inlinable
  public func `operator`<Operand: LuaReadable, Value: LuaPushable>(
    _ operator: LuaOperator.Unary, body: @escaping (Operand) throws -> Value
  ) {
    let symbol = `operator`.symbol
    members.add(
      OperatorOverload(expression: symbol + Operand.luaTypeName, result: Value.luaTypeName) {
        stack in
        guard let operand = stack.value(at: 1, as: Operand.self) else { return false }
        try body(operand).push(to: stack)
        return true
      }, to: `operator`.rawValue, symbol: symbol, isUnary: true)
  }

  /// Defines a comparison.
  ///
  /// Operands of other types are never equal, and to ask for their order is an error.
  @inlinable
  public func `operator`<Left: LuaReadable, Right: LuaReadable>(
    _ comparison: LuaOperator.Comparison, body: @escaping (Left, Right) throws -> Bool
  ) {
    addOperator(comparison.rawValue, symbol: comparison.symbol, body)
  }

  @inlinable
  func addOperator<Left: LuaReadable, Right: LuaReadable, Value: LuaPushable>(
    _ metamethod: String, symbol: String, _ body: @escaping (Left, Right) throws -> Value
  ) {
    members.add(
      OperatorOverload(
        expression: "\(Left.luaTypeName) \(symbol) \(Right.luaTypeName)",
        result: Value.luaTypeName
      ) { stack in
        guard let left = stack.value(at: 1, as: Left.self),
          let right = stack.value(at: 2, as: Right.self)
        else { return false }
        try body(left, right).push(to: stack)
        return true
      }, to: metamethod, symbol: symbol, isUnary: false)
  }

  /// Sets the text that `tostring` and `print` show for an object, and that `..` joins, also with other objects' texts.
  public func text(_ text: @escaping (Object) throws -> String) {
    let tostring = HostFunction { stack in
      stack.push(try text(Object.read(from: stack, at: 1)))
      return 1
    }
    members.add(text: { object in try (object as? Object).map(text) }, tostring)
    members.add(
      metamethod: "__concat", HostFunction { stack in try MemberTable.concatenate(stack) })
  }
}
