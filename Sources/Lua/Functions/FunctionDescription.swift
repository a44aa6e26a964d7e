/// What messages and documentation say of a host function.
public final class FunctionDescription: Sendable {
  /// The name as scripts write it: "counter.increment", "task:await".
  public let name: String

  let parameters: [LuaParameter]

  @usableFromInline
  init(name: String, parameters: [LuaParameter]) {
    self.name = name
    self.parameters = parameters
  }

  /// The error for an argument of the wrong type at an index of the stack, which for a method counts the object.
  @usableFromInline
  func badArgument(at index: Int32, _ mismatch: LuaTypeMismatch, _ stack: LuaStack) -> LuaError {
    let isMethod = name.contains(":")
    let position = isMethod ? Int(index) - 1 : Int(index)
    guard position > 0 else {
      let plain = name.replacing(":", with: ".")
      return LuaError(
        .badArgument,
        "bad object for '\(name)' (\(mismatch)); call it with a colon, not \(plain)(...)")
    }
    let parameter = position <= parameters.count ? "\(parameters[position - 1].name): " : ""
    var message = "bad argument #\(position) to '\(name)' (\(parameter)\(mismatch))"
    if !isMethod, index == 1, stack.isModule(at: 1) {
      message += "; call it with a dot, not a colon: \(name)(...)"
    }
    return LuaError(.badArgument, message)
  }
}
