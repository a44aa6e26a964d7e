/// The operators of Lua that can be defined for objects.
///
/// A raw value is the name of the operator's metamethod.
public enum LuaOperator {
  /// Operators of two operands, one of which is the object.
  public enum Binary: String, Sendable, CaseIterable {
    /// `a + b`.
    case add = "__add"
    /// `a - b`.
    case subtract = "__sub"
    /// `a * b`.
    case multiply = "__mul"
    /// `a / b`.
    case divide = "__div"
    /// `a % b`.
    case modulo = "__mod"
    /// `a ^ b`.
    case power = "__pow"
    /// `a // b`.
    case integerDivide = "__idiv"
    /// `a & b`.
    case bitwiseAnd = "__band"
    /// `a | b`.
    case bitwiseOr = "__bor"
    /// `a ~ b`.
    case bitwiseExclusiveOr = "__bxor"
    /// `a << b`.
    case shiftLeft = "__shl"
    /// `a >> b`.
    case shiftRight = "__shr"
    /// `a .. b`.
    case concatenate = "__concat"

    @usableFromInline var symbol: String { LuaOperator.symbols[rawValue] ?? rawValue }
  }

  /// Operators of one operand, the object.
  public enum Unary: String, Sendable, CaseIterable {
    /// `-a`.
    case negate = "__unm"
    /// `~a`.
    case bitwiseNot = "__bnot"
    /// `#a`.
    case length = "__len"

    @usableFromInline var symbol: String { LuaOperator.symbols[rawValue] ?? rawValue }
  }

  /// Comparisons; `~=`, `>` and `>=` follow from them.
  public enum Comparison: String, Sendable, CaseIterable {
    /// `a == b` for two userdata that aren't the same; Lua uses it for nothing else.
    case equal = "__eq"
    /// `a < b`.
    case lessThan = "__lt"
    /// `a <= b`.
    case lessThanOrEqual = "__le"

    @usableFromInline var symbol: String { LuaOperator.symbols[rawValue] ?? rawValue }
  }

  private static let symbols = [
    "__add": "+", "__sub": "-", "__mul": "*", "__div": "/", "__mod": "%", "__pow": "^",
    "__idiv": "//",
    "__band": "&", "__bor": "|", "__bxor": "~", "__shl": "<<", "__shr": ">>", "__concat": "..",
    "__unm": "-", "__bnot": "~", "__len": "#", "__eq": "==", "__lt": "<", "__le": "<=",
  ]
}

/// The meaning of an operator for operands of certain types.
@usableFromInline
struct OperatorOverload {
  /// The operands' types as a script would write the expression: "vector * number".
  let expression: String

  /// Pushes the result for the operands at indexes 1 and 2, or returns false if they aren't of the types.
  let apply: (LuaStack) throws -> Bool

  @usableFromInline
  init(expression: String, apply: @escaping (LuaStack) throws -> Bool) {
    self.expression = expression
    self.apply = apply
  }
}
