/// What messages and documentation say of a host function.
public final class FunctionDescription: Sendable {
  /// What Lua gives a function before its arguments.
  @usableFromInline
  enum Kind: Sendable {
    /// Nothing.
    case function
    /// The object that it is called on with a colon.
    case method
    /// The value that is called as if it were a function.
    case metamethod
  }

  /// The name as scripts write it: "counter.increment", "task:await".
  public let name: String

  let parameters: [LuaParameter]
  private let kind: Kind

  @usableFromInline
  init(name: String, parameters: [LuaParameter], kind: Kind) {
    self.name = name
    self.parameters = parameters
    self.kind = kind
  }

  /// The error for an argument of the wrong type at an index of the stack, which counts what Lua gives before them.
  @usableFromInline
  func badArgument(at index: Int32, _ mismatch: LuaTypeMismatch, _ stack: LuaStack) -> LuaError {
    let position = kind == .function ? Int(index) : Int(index) - 1
    guard position > 0 else {
      let plain = name.replacing(":", with: ".")
      let advice = kind == .method ? "; call it with a colon, not \(plain)(...)" : ""
      return LuaError(.badArgument, "bad object for '\(name)' (\(mismatch))\(advice)")
    }
    let parameter = position <= parameters.count ? "\(parameters[position - 1].name): " : ""
    var message = "bad argument #\(position) to '\(name)' (\(parameter)\(mismatch))"
    if kind == .function, index == 1, stack.isModule(at: 1) {
      message += "; call it with a dot, not a colon: \(name)(...)"
    }
    return LuaError(.badArgument, message)
  }
}
