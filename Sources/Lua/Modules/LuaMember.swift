/// What documentation says of one member of a module or class.
public struct LuaMember: Sendable {
  /// The kinds of member.
  public enum Kind: Sendable, Equatable {
    /// A function; one that waits suspends the calling coroutine.
    case function(waits: Bool)
    /// A field; one that isn't writable can't be assigned.
    case property(isWritable: Bool)
  }

  /// The name, without its module.
  public let name: String

  /// What kind of member it is.
  public let kind: Kind

  /// The parameters of a function.
  public let parameters: [LuaParameter]

  /// The types of a function's results, or the one of a property.
  public let types: [String]

  /// What it does, in one line.
  public let help: String

  /// How to use it, in one line of Lua.
  public let example: String

  /// How it is called: "increment([by: integer]): integer".
  public var signature: String {
    let types = types.joined(separator: ", ")
    guard case .function = kind else { return "\(name): \(types)" }
    let list = parameters.map { parameter in
      parameter.isOptional
        ? "[\(parameter.name): \(parameter.type.dropLast())]"
        : "\(parameter.name): \(parameter.type)"
    }
    return "\(name)(\(list.joined(separator: ", ")))" + (types.isEmpty ? "" : ": \(types)")
  }
}
