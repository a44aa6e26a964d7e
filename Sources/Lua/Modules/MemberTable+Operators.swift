extension MemberTable {
  /// The metamethod of an operator: the first body that takes the operands.
  ///
  /// - Parameters:
  ///   - definition: the operator and its bodies.
  ///   - fallback: what to call where none does; a comparison for equality is then false.
  /// - Returns: the function, which throws where nothing fits.
  func operatorFunction(_ definition: Operator, instead fallback: HostFunction?) -> HostFunction {
    let overloads = definition.overloads.elements
    let symbol = definition.symbol
    return HostFunction { stack in
      for overload in overloads where try overload.apply(stack) { return 1 }
      if let fallback { return try fallback.call(stack) }
      if symbol == LuaOperator.Comparison.equal.symbol {
        stack.push(false)
        return 1
      }
      let left = stack.typeName(at: 1)
      let given =
        definition.isUnary ? symbol + left : "\(left) \(symbol) \(stack.typeName(at: 2))"
      let defined = overloads.map(\.expression).joined(separator: ", ")
      throw LuaError(
        .wrongType, "attempt to evaluate '\(given)': the operands can be \(defined)")
    }
  }

  /// Joins the texts of two operands, at least one of which is an object that has one.
  static func concatenate(_ stack: LuaStack) throws -> Int32 {
    var joined: [UInt8] = []
    for index: Int32 in 1...2 {
      if let object = stack.object(of: AnyObject.self, at: index),
        let text = try stack.core.classes.text(of: object)
      {
        joined += text.utf8
      } else if let bytes = stack.textBytes(at: index) {
        joined += bytes
      } else {
        throw LuaError(
          .wrongType, "attempt to concatenate a \(stack.typeName(at: index)) value")
      }
    }
    stack.push(bytes: joined)
    return 1
  }

  /// The operators with their operands' and results' types: "vector * number: vector".
  var operatorSignatures: [String] {
    operators.sorted { $0.key < $1.key }.flatMap { _, definition in
      definition.overloads.elements.map { "\($0.expression): \($0.result)" }
    }
  }
}
